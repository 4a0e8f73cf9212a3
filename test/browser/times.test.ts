import { afterAll, describe, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { logIn } from './support/people.ts'
import { startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

const asOwner = async () => {
  const opened = await open(site)
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
    await form.getByText('Sat', { exact: true }).click()
    await form.getByLabel('From').fill('05:00')
    await form.getByLabel('Until').fill('13:30')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Early shift' }).waitFor()
    await page.getByText('Mon–Sat 05:00–13:30').waitFor()
  })

  it('a lockdown is started after a question, and released', async () => {
    const { page } = await asOwner()
    await page.goto('/lockdowns?new=1')
    await page.getByRole('dialog', { name: 'Start' }).getByLabel('Reason').fill('Somebody unknown')
    await page.getByRole('dialog', { name: 'Start' }).getByRole('button', { name: 'Start' }).click()
    await page.getByRole('dialog', { name: 'Start: Lockdown?' }).getByRole('button', { name: 'Start' }).click()
    await page.getByText('The whole organization').waitFor()
    await page.getByRole('button', { name: 'Release' }).click()
    await page.getByRole('dialog', { name: 'Release it?' }).getByRole('button', { name: 'Release' }).click()
    await page.getByText('Released', { exact: true }).first().waitFor()
  })
})
