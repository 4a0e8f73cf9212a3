import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { tabTo } from './support/keyboard.ts'
import { logIn } from './support/people.ts'
import { startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

const asOwner = async (look?: Parameters<typeof open>[1]) => {
  const opened = await open(site, look)
  await logIn(opened.context, site, site.email, site.password)
  return opened
}

describe('schedules, calendars and lockdowns', () => {
  it('a schedule is made of days that are pressed and hours', async () => {
    const { page } = await asOwner()
    await page.goto('/schedules?new=1')
    const form = page.getByRole('dialog', { name: 'Create schedule' })
    await form.getByLabel('Name').fill('Early shift')
    await form.getByRole('button', { name: 'Add hours' }).click()
    await form.locator('label', { hasText: /^Sat$/ }).click()
    await form.getByLabel('From').fill('05:00')
    await form.getByLabel('Until').fill('13:30')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Early shift' }).waitFor()
    await page.getByText('Mon–Sat 05:00–13:30').waitFor()
  })

  it('a week is drawn with the mouse or with keys alone, and ends at 24:00 where it does', async () => {
    const { page } = await asOwner()
    await page.goto('/schedules?new=1')
    const form = page.getByRole('dialog', { name: 'Create schedule' })
    await form.getByLabel('Name').fill('Drawn')
    const cell = (day: number, half: number) => form.locator(`[data-cell="${day} ${half}"]`)
    await cell(0, 18).hover()
    await page.mouse.down()
    await cell(4, 33).hover()
    await page.mouse.up()
    await tabTo(page, form.getByRole('application', { name: 'Draw the week' }))
    for (const key of ['End', ...Array<string>(5).fill('ArrowDown'), ' ', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', ' '])
      await page.keyboard.press(key)
    await expectAccessible(page)
    expect(await form.getByLabel('Until').last().inputValue()).toBe('24:00')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Mon–Fri 09:00–17:00').waitFor()
    await page.getByText('Sat 22:00–24:00').waitFor()
    const days = page.getByRole('region', { name: 'The next 14 days' }).getByRole('listitem')
    await expect.poll(() => days.count()).toBe(14)
    expect((await days.allTextContents()).filter((text) => text.includes('09:00–17:00'))).toHaveLength(10)
    await expectAccessible(page)
  })

  it('the holidays of a region are proposed to a calendar, and said', async () => {
    const { page } = await asOwner()
    await page.goto('/calendars?new=1')
    await page.getByRole('dialog').getByLabel('Name').fill('Holidays of Geneva')
    await page.getByRole('dialog').getByLabel('Region').fill('CH-GE')
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Holidays of Geneva' }).waitFor()
    await page.getByRole('button', { name: 'Propose holidays' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Propose holidays' }).click()
    await page
      .getByRole('dialog')
      .getByText(/^\d+ added, 0 renamed\.$/)
      .waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Jeûne').first().waitFor()
  })

  it('the names of days can be read on a phone', async () => {
    const { page } = await asOwner({ size: 'narrow' })
    await page.goto('/calendars')
    await page.locator('[data-row-link]').first().click()
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const names = page.getByRole('dialog').getByRole('textbox', { name: 'Name of the day' })
    await names.first().fill('Tag der Deutschen Einheit')
    const cut = await names.evaluateAll((inputs) =>
      (inputs as HTMLInputElement[]).filter((input) => input.scrollWidth > input.clientWidth).map(({ value }) => value),
    )
    expect(cut).toEqual([])
  })

  it('a lockdown is started after a question, and released', async () => {
    const { page } = await asOwner()
    await page.goto('/lockdowns?new=1')
    await page.getByRole('dialog', { name: 'Start' }).getByLabel('Reason').fill('Somebody unknown')
    await page.getByRole('dialog', { name: 'Start' }).getByRole('button', { name: 'Start' }).click()
    await page.getByRole('dialog', { name: 'Start a lockdown?' }).getByRole('button', { name: 'Start' }).click()
    // Called what it is.
    await page.getByText('Lockdown started', { exact: true }).waitFor()
    // It opens as the page of its own, once it is stored.
    await page.waitForURL(/\/lockdowns\/[0-9a-f-]{36}$/)
    await page.getByRole('heading', { name: 'Lockdown', exact: true }).waitFor()
    await page.getByText('The whole organization', { exact: true }).waitFor()
    expect(await page.locator('.status-badge', { hasText: 'Active' }).first().getAttribute('data-tone')).toBe('bad')
    await page.getByRole('button', { name: 'Release' }).click()
    await page.getByRole('dialog', { name: 'Release it?' }).getByRole('button', { name: 'Release' }).click()
    await page.getByText('Released', { exact: true }).first().waitFor()
  })
})
