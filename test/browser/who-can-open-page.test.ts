import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { pressOn, tabTo } from './support/keyboard.ts'
import { logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

const asOwner = async () => {
  const opened = await open(site)
  await logIn(opened.context, site, site.email, site.password)
  return opened
}

async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(`${site.url}/api/v1/${path}`, { headers: { authorization: `Token ${site.token}` } })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { data: T }).data
}

/** Types into a field that searches, and takes the first that the service finds. */
async function pick(page: Page, label: string, text: string) {
  const input = page.getByRole('combobox', { name: label, exact: true })
  await tabTo(page, input)
  await page.keyboard.type(text)
  await page.getByRole('option', { name: text }).first().waitFor()
  await page.locator('[role="option"][data-combobox-selected]').waitFor()
  await page.keyboard.press('Enter')
}

const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true })

describe('the page “Who can open”', () => {
  it('offers what was asked about last, to the same person only, and nothing of it after logging out', async () => {
    const { page } = await asOwner()
    const [door] = await ask<Array<{ id: string; label: string }>>('access-points?limit=1')
    const [person] = await ask<Array<{ id: string; display_name: string }>>('individuals?status=eq.active&limit=1')
    await page.goto('/who-can-open')
    await page.getByRole('heading', { name: 'Ask about a door, a space or a person' }).waitFor()
    expect(await page.getByText('Asked last').count()).toBe(0)
    for (const query of [`door=${door?.id}`, `person=${person?.id}`]) {
      await page.goto(`/who-can-open?${query}`)
      await page.getByRole('table').first().waitFor()
      await settle(page)
    }
    await page.goto('/who-can-open')
    const asked = page.getByRole('region', { name: 'Asked last' })
    await asked.getByRole('link', { name: String(person?.display_name) }).waitFor()
    expect(await asked.getByRole('link').count()).toBe(2)
    await expectAccessible(page)
    await pressOn(page, asked.getByRole('link').nth(1))
    await page.waitForURL(`**/who-can-open?door=${door?.id}`)
    await page.getByRole('table').first().waitFor()
    await page.getByRole('button', { name: /your menu/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL(/\/login/)
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('gatehouse.recent'))),
    ).toEqual([])
  })

  it('is first in the navigation and answers, by keyboard alone, who gets into a room tonight, and why', async () => {
    const { page } = await asOwner()
    await page.goto('/')
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    expect(await navigation.getByRole('link').first().textContent()).toBe('Who can open')
    await pressOn(page, navigation.getByRole('link', { name: 'Who can open' }))
    await page.getByRole('heading', { level: 1, name: 'Who can open' }).waitFor()
    await tabTo(page, page.getByRole('radiogroup', { name: 'What it is about' }))
    await page.keyboard.press('ArrowRight')
    await pick(page, 'Which space?', 'Server room')
    await table(page, 'Who gets in').waitFor()
    await tabTo(page, page.getByRole('radiogroup', { name: 'When' }))
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/at=/)
    await page.getByText(/it opens for \d+ of \d+ with a right/).waitFor()
    await expectAccessible(page)
    await pressOn(
      page,
      table(page, 'Who gets in')
        .getByRole('button', { name: /Why\?$/ })
        .first(),
    )
    await page.getByRole('dialog', { name: 'Why?' }).getByRole('listitem').first().waitFor()
  })

  it('says what came and what went between two moments', async () => {
    const { page } = await asOwner()
    const [grant] = await ask<Array<{ space_id: string }>>('access-grants?limit=1&reason=eq.On%20call')
    await page.goto(`/who-can-open?space=${grant?.space_id}`)
    await page.getByRole('switch', { name: 'Compare with another moment' }).click()
    await page.getByRole('radiogroup', { name: 'Compared with' }).getByText('Last Tuesday').click()
    await settle(page)
    const at = new URL(page.url()).searchParams.get('with') as string
    expect(new Date(at).getUTCDay()).toBe(2)
    const changes = await ask<Array<{ display_name: string }>>(
      `spaces/${grant?.space_id}/who-can-enter/changes?from=${at}&limit=100`,
    )
    const rows = await table(page, 'Changes').locator('tbody tr').allInnerTexts()
    expect(rows.length).toBe(changes.length)
    for (const { display_name: name } of changes) expect(rows.some((row) => row.includes(name))).toBe(true)
    await expectAccessible(page)
  })

  it('is where the number of people of a space leads', async () => {
    const { page } = await asOwner()
    const [space] =
      await ask<Array<{ id: string; name: string; summary: { total_individuals: number } }>>('spaces?limit=1')
    await page.goto('/spaces')
    await table(page, 'Spaces')
      .getByRole('link', { name: String(space?.summary.total_individuals), exact: true })
      .first()
      .click()
    await page.waitForURL(`**/who-can-open?space=${space?.id}`)
    await page.getByText(`of ${space?.summary.total_individuals} with a right`).waitFor()
  })

  it('prints every row of the answer, not just those of the page that is shown', async () => {
    const { page } = await asOwner()
    const [grant] = await ask<Array<{ space_id: string }>>('access-grants?limit=1&reason=eq.On%20call')
    await page.addInitScript(() => {
      window.print = () => {
        document.title = `printed ${document.querySelectorAll('tbody tr').length}`
      }
    })
    await page.goto(`/who-can-open?space=${grant?.space_id}`)
    await settle(page)
    const people = await ask<unknown[]>(`spaces/${grant?.space_id}/who-can-enter?limit=100`)
    expect(people.length).toBeGreaterThan(25)
    await page.getByRole('button', { name: 'More' }).first().click()
    await page.getByRole('menuitem', { name: 'Print' }).click()
    await expect.poll(() => page.title()).toBe(`printed ${people.length}`)
  })

  it('is black on white on paper, also where the screen is dark', async () => {
    const { page, context } = await open(site, { theme: 'dark' })
    await logIn(context, site, site.email, site.password)
    const [grant] = await ask<Array<{ space_id: string }>>('access-grants?limit=1&reason=eq.On%20call')
    await page.goto(`/who-can-open?space=${grant?.space_id}`)
    await settle(page)
    const inks = () =>
      page
        .locator('h1, td:last-child')
        .evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).color))])
    expect(await inks()).not.toEqual(['rgb(0, 0, 0)'])
    await page.emulateMedia({ media: 'print' })
    expect(await inks()).toEqual(['rgb(0, 0, 0)'])
    expect(await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    )
  })
})

describe('before a grant is saved, changed or revoked', () => {
  it('it is said who gains and loses which doors, and nothing is done until that is confirmed', async () => {
    const { page } = await asOwner()
    const grants = async () => (await ask<unknown[]>('access-grants?reason=eq.What%20if&limit=100')).length
    await page.goto('/access-grants?new=1')
    const form = page.getByRole('dialog', { name: 'Create access grant' })
    await form.waitFor()
    await pick(page, 'Access group', 'Chemistry department')
    await pick(page, 'Building', 'Hauptgebäude')
    await form.getByLabel('Reason').fill('What if')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'What this changes' })
    await question.getByText(/^\d+ people gain \d+ doors$/).waitFor()
    await expectAccessible(page)
    expect(await grants()).toBe(0)
    await question.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Chemistry department → Hauptgebäude' }).waitFor()
    expect(await grants()).toBe(1)

    await page.getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit access grant' })
    await edit.getByLabel('Effect').click()
    await page.getByRole('option', { name: 'Deny' }).click()
    await edit.getByRole('button', { name: 'Save changes' }).click()
    await question.getByText(/^\d+ people lose \d+ doors$/).waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()

    await page.getByRole('button', { name: 'Revoke' }).click()
    const revoke = page.getByRole('dialog', { name: 'Revoke this access grant?' })
    await revoke.getByText(/^\d+ people lose \d+ doors$/).waitFor()
    await revoke.getByRole('button', { name: 'Revoke' }).click()
    await page
      .getByText(/^Revoked /)
      .first()
      .waitFor()
  })
})
