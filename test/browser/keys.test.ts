import type { Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing, type Look } from './support/browse.ts'
import { logIn } from './support/people.ts'
import { startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

const asDemo = async (look?: Look) => {
  const opened = await open(site, look)
  await logIn(opened.context, site, site.email, site.password)
  return opened
}
const api = async (path: string) => {
  const answer = await fetch(`${site.url}/api/v1/${path}`, { headers: { authorization: `Token ${site.token}` } })
  return (await answer.json()).data
}
const dialog = (page: Page): Locator => page.getByRole('dialog')

/** Types and takes what the service finds. */
async function choose(page: Page, label: string, text: string): Promise<void> {
  await dialog(page).getByLabel(label).click()
  await dialog(page).getByLabel(label).fill(text)
  await page.getByRole('option', { name: text }).first().click()
}

describe('a key', () => {
  it('is issued to a person, and comes back: both are in the register', async () => {
    const { page } = await asDemo()
    const [key] = await api('keys?status=eq.in_stock&limit=1')
    const [person] = await api('individuals?status=eq.active&kind=eq.employee&limit=1')
    await page.goto(`/keys/${key.id}`)
    await page.getByRole('button', { name: 'Issue' }).click()
    await dialog(page).getByRole('button', { name: 'Issue' }).click()
    await dialog(page).getByText('Please fill this in').waitFor()
    await expectAccessible(page)
    await choose(page, 'To whom', person.display_name)
    await dialog(page).getByLabel('Due back on').fill('2020-01-31')
    await dialog(page).getByText('the key will be overdue at once').waitFor()
    await dialog(page).getByLabel('Due back on').fill('2099-12-31')
    await dialog(page).getByLabel('Purpose').fill('Renovation')
    await dialog(page).getByRole('button', { name: 'Issue' }).click()
    await page.getByText(`Key ${key.key_type_code} · ${key.number} issued`).waitFor()
    expect(await api(`keys/${key.id}`)).toMatchObject({
      status: 'issued',
      individual_id: person.id,
      due_back_on: '2099-12-31',
    })
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Take back' }).click()
    await dialog(page).getByLabel('Where it is kept').fill('Safe 9, hook 1')
    await dialog(page).getByRole('button', { name: 'Take back' }).click()
    await page.getByText('is back', { exact: false }).waitFor()
    expect(await api(`keys/${key.id}`)).toMatchObject({
      status: 'in_stock',
      individual_id: null,
      storage: 'Safe 9, hook 1',
    })

    await page.getByRole('tab', { name: 'Handovers' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Renovation' })
    await row.getByText('Returned', { exact: true }).waitFor()
    await row.getByText(person.display_name).waitFor()
  })

  it('goes to the first person who fits by Enter, which sends no form while there is nobody to take', async () => {
    const { page } = await asDemo()
    const [key] = await api('keys?status=eq.in_stock&limit=1')
    const [person] = await api('individuals?status=eq.active&kind=eq.employee&limit=1')
    await page.goto(`/keys/${key.id}`)
    await page.getByRole('button', { name: 'Issue' }).click()
    const whom = dialog(page).getByLabel('To whom')
    await whom.click()
    await page.getByRole('option').first().waitFor()
    await whom.fill('nobody of this name')
    await page.getByText('Nothing found').waitFor()
    await whom.press('Enter')
    expect(await dialog(page).getByText('Please fill this in').count()).toBe(0)
    await whom.fill(person.email)
    await page
      .getByRole('option', { name: person.display_name })
      .and(page.locator('[data-combobox-selected]'))
      .waitFor()
    await whom.press('Enter')
    await expect.poll(() => whom.inputValue()).toBe(person.display_name)
  })

  it('that is lost says what it opens; found, it is in stock again', async () => {
    const { page } = await asDemo()
    const [key] = await api('keys?status=eq.issued&key_type_code=like.G*&limit=1')
    await page.goto(`/keys/${key.id}`)
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Report lost' }).click()
    await dialog(page).getByLabel('Note').fill('Left on a train')
    await dialog(page).getByRole('button', { name: 'Report lost' }).click()
    const means = page.getByRole('dialog', { name: 'Whoever has this key gets in here' })
    await means.getByText(/^Cylinders \(\d+\)$/).waitFor()
    await expectAccessible(page, ['light'])
    await means.getByRole('button', { name: 'Done' }).click()
    await page.getByText('This key is missing').waitFor()
    expect(await api(`keys/${key.id}`)).toMatchObject({
      status: 'lost',
      individual_id: null,
      status_note: 'Left on a train',
    })
    await page.getByRole('button', { name: 'Report found' }).click()
    await dialog(page).getByRole('button', { name: 'Report found' }).click()
    // What is said when it is done: the question says so too.
    await page.getByText(/^Key .+ is in stock again/).waitFor()
    expect(await api(`keys/${key.id}`)).toMatchObject({ status: 'in_stock' })
  })

  it('that is overdue is counted on the overview, which leads to exactly those', async () => {
    const { page } = await asDemo()
    await page.goto('/')
    const concern = page.getByRole('link', { name: /\d+\s*keys overdue/ })
    const count = Number.parseInt((await concern.textContent()) ?? '', 10)
    const { keys } = await api('locking-system/overview')
    expect(count).toBe(keys.overdue)
    await concern.click()
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    await page.getByText(`of ${count}`).waitFor()
    expect(await page.getByRole('cell').getByText('Overdue', { exact: true }).count()).toBe(Math.min(count, 25))
  })
})

describe('the locking plan', () => {
  it('is changed cell by cell with the keyboard, and asks before what was not saved is lost', async () => {
    const { page } = await asDemo()
    const [system] = await api('locking-system?status=eq.active&limit=1')
    const cells = async () => (await api(`locking-system/${system.id}/plan`)).cells.length
    const before = await cells()
    await page.goto(`/locking-system/${system.id}?tab=plan`)
    const grid = page.getByRole('grid', { name: 'Locking plan' })
    await page.getByRole('button', { name: 'Edit plan' }).click()
    await grid.focus()
    // The general master key opens the first cylinder; afterwards it does not.
    await page.keyboard.press('Space')
    await page.getByText('Not saved yet: 0 to open, 1 no longer.').waitFor()
    await page.getByRole('tab', { name: 'Key types' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Locking plan saved: 0 added, 1 removed').waitFor()
    expect(await cells()).toBe(before - 1)
    await grid.focus()
    await page.keyboard.press('Control+End')
    const plan = await api(`locking-system/${system.id}/plan`)
    const active = await grid.getAttribute('aria-activedescendant')
    expect(active?.endsWith(`-${plan.cylinders.length - 1}-${plan.key_types.length - 1}`)).toBe(true)
    await page.locator(`[id="${active}"]`).waitFor()
    await expectAccessible(page)
  })
})
