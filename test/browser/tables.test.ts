import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { call, logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

const asOwner = async () => {
  const opened = await open(site)
  await logIn(opened.context, site, site.email, site.password)
  return { ...opened, make: (path: string, data: object) => call(opened.context, site, `/api/v1/${path}`, data) }
}

it('on a phone the head of a page offers one thing and a menu with all others, in one line', async () => {
  const { page, context } = await open(site, { size: 'narrow' })
  await logIn(context, site, site.email, site.password)
  await page.goto('/individuals?status=in.(active)')
  await page.locator('[data-row-link]').first().click()
  await page.waitForURL(/individuals\/./)
  await settle(page)
  const bar = page.locator('.page-actions')
  expect(await bar.getByRole('button').count()).toBe(2)
  expect((await bar.boundingBox())?.height).toBeLessThan(70)
  await bar.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('dialog', { name: /^Edit/ }).waitFor()
})

describe('a table', () => {
  it('does to all that are chosen what can be done to each, after a question that names them', async () => {
    const { page, make } = await asOwner()
    for (const family_name of ['Bulk one', 'Bulk two', 'Bulk three'])
      await make('individuals', { given_name: 'Test', family_name })
    await page.goto('/individuals?search=Bulk')
    await settle(page)
    await page.getByRole('checkbox', { name: 'Choose Test Bulk one' }).check()
    await page.getByRole('checkbox', { name: 'Choose Test Bulk two' }).check()
    const bar = page.getByRole('region', { name: '2 chosen' })
    await expectAccessible(page)
    await bar.getByRole('button', { name: 'Suspend' }).click()
    const question = page.getByRole('dialog', { name: 'Suspend: 2 people?' })
    await question.getByText('Test Bulk two').waitFor()
    await question.getByRole('button', { name: 'Suspend' }).click()
    await page.getByText('Suspend: 2 done').waitFor()
    const rows = page.getByRole('table', { name: 'People' }).locator('tbody tr')
    await rows.filter({ hasText: 'Suspended' }).nth(1).waitFor()
    expect(await rows.filter({ hasText: 'Suspended' }).count()).toBe(2)
  })

  it('is had as a file, all that its filter leaves and not just the page', async () => {
    const { page } = await asOwner()
    await page.goto('/individuals?status=eq.active&limit=10')
    await settle(page)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download as CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.csv$/)
    const chunks: Buffer[] = []
    for await (const chunk of await file.createReadStream()) chunks.push(chunk)
    const [head = '', ...lines] = Buffer.concat(chunks).toString('utf8').trim().split('\r\n')
    expect(head).toContain('display_name')
    expect(lines.length).toBeGreaterThan(50)
    expect(lines.every((line) => line.includes('active'))).toBe(true)
  })

  it('keeps views by name, and how close its rows stand', async () => {
    const { page } = await asOwner()
    await page.goto('/keys?status=in.(lost)&columns=key_type_code,status')
    await settle(page)
    await page.getByRole('button', { name: 'More' }).click()
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: 'Save this view …' }).click()
    await page.getByLabel('Name of the view').fill('Lost ones')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Rows closer together' }).click()
    await page.goto('/keys')
    await settle(page)
    const height = () =>
      page
        .locator('tbody tr')
        .first()
        .evaluate((row) => row.getBoundingClientRect().height)
    expect(await height()).toBeLessThan(34)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Lost ones', exact: true }).click()
    await page.waitForURL(/status=in\.%28lost%29&columns=/)
  })

  it('keeps its head in sight, and a picker tells namesakes apart, begins with the beginning and makes what is missing', async () => {
    const { page } = await asOwner()
    await page.goto('/individuals?limit=100')
    await settle(page)
    const head = page.getByRole('columnheader', { name: 'Name' })
    await page.locator('.table-frame').evaluate((frame) => frame.scrollTo(0, 2000))
    const frame = await page.locator('.table-frame').boundingBox()
    expect(Math.abs(((await head.boundingBox())?.y ?? 0) - (frame?.y ?? 0))).toBeLessThan(3)

    await page.goto('/access-grants?new=1')
    const pick = page.getByRole('combobox', { name: 'Building', exact: true })
    await pick.click()
    await page.keyboard.type('North wing')
    await settle(page)
    const wings = await page.getByRole('option', { name: /North wing/ }).allTextContents()
    expect(new Set(wings).size, 'each says where it stands').toBe(wings.length)
    expect(wings.length).toBeGreaterThan(1)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    const group = page.getByRole('combobox', { name: 'Access group', exact: true })
    await group.click()
    await page.keyboard.type('Window cleaners')
    await page.getByRole('option', { name: 'Create access group “Window cleaners” …' }).click()
    const form = page.getByRole('dialog', { name: 'Create access group' })
    expect(await form.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Window cleaners')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await expect.poll(() => group.inputValue()).toBe('Window cleaners')
  })
})
