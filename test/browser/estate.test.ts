import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { call, logIn } from './support/people.ts'
import { setupLink, startSite } from './support/site.ts'

const site = await startSite()
afterAll(() => site.stop())
const { open } = browsing()
const email = 'ada@example.com'
const password = 'correct horse battery staple'

beforeAll(async () => {
  const token = new URL(await setupLink(site)).hash.slice(1)
  const answer = await fetch(`${site.url}/api/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: site.url },
    body: JSON.stringify({ token, organization: 'Example', time_zone: 'Europe/Zurich', name: 'Ada', email, password }),
  })
  expect(answer.status).toBeLessThan(300)
})

const asAda = async () => {
  const opened = await open(site)
  await logIn(opened.context, site, email, password)
  return opened
}

const form = (page: Page): Locator => page.getByRole('dialog')

/** Fills the form that is open and sends it. */
async function create(page: Page, values: Record<string, string>, button = 'Create'): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await form(page).getByLabel(label, { exact: false }).first().fill(value)
  await form(page).getByRole('button', { name: button, exact: true }).click()
  await form(page).waitFor({ state: 'detached' })
}

const step = (page: Page, name: string): Locator => page.getByRole('listitem').filter({ hasText: name })

describe('an estate', () => {
  it('begins with a list of what to do, which ticks itself off', async () => {
    const { page } = await asAda()
    await page.goto('/')
    await page.getByRole('heading', { name: 'From nothing to the first open door' }).waitFor()
    expect(await page.getByText('Needs attention').count()).toBe(0)
    await expectAccessible(page)
    await step(page, 'Create a location').getByRole('link', { name: 'Create location' }).click()
    await create(page, { Name: 'Zürich' })
    await page.getByRole('treeitem', { name: /^Zürich/ }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await step(page, 'Create a location').getByText('(done)').waitFor({ state: 'attached' })
    expect(await step(page, 'Create a location').getByRole('link').count()).toBe(0)
  })

  it('is built as a tree: a location, a building in it, a wing, spaces and their doors', async () => {
    const { page } = await asAda()
    await page.goto('/locations')
    await page.getByRole('treeitem', { name: /^Zürich/ }).click()
    await page.getByRole('main').getByRole('button', { name: 'Create building' }).last().click()
    await expect.poll(() => form(page).getByRole('combobox', { name: 'Location' }).inputValue()).toBe('Zürich')
    await create(page, { Name: 'Main building' })
    const building = page.getByRole('treeitem', { name: /^Main building/ })
    await building.waitFor()
    expect(await building.getAttribute('aria-level')).toBe('2')
    expect(await building.getAttribute('aria-selected')).toBe('true')

    await page.getByRole('button', { name: 'Create wing' }).click()
    await create(page, { Name: 'North wing' })
    expect(await page.getByRole('treeitem', { name: /^North wing/ }).getAttribute('aria-level')).toBe('3')

    await building.click()
    for (const name of ['Lobby', 'Laboratory']) {
      await page.getByRole('button', { name: 'Create space' }).click()
      await create(page, { Name: name })
    }
    await page.getByRole('link', { name: /2\s*Spaces/ }).click()
    await page.getByRole('link', { name: 'Laboratory' }).click()
    await page.getByRole('tab', { name: /Access points/ }).click()
    for (const [name, label] of [
      ['Main door', 'L-T1'],
      ['Back door', 'L-T2'],
    ] as const) {
      await page.getByRole('button', { name: 'Create access point' }).click()
      await create(page, { Name: name, Label: label })
      await page.getByRole('link', { name }).waitFor()
    }
    await page.getByRole('link', { name: 'Main door' }).click()
    const states = page.getByRole('region', { name: 'State' })
    await states.getByText('Mechanical').waitFor()
    await states.getByText('No system watches it.').waitFor()
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'Who gets in' }).click()
    await page.getByText('No right is in force here').waitFor()
  })

  it('is walked, folded and searched by keyboard', async () => {
    const { page } = await asAda()
    await page.goto('/locations')
    const zurich = page.getByRole('treeitem', { name: /^Zürich/ })
    const main = page.getByRole('treeitem', { name: /^Main building/ })
    const wing = page.getByRole('treeitem', { name: /^North wing/ })
    await zurich.focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => main.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowLeft')
    await wing.waitFor({ state: 'detached' })
    expect(await main.getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('n')
    await expect.poll(() => wing.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'North wing' }).waitFor()
    await page.getByRole('searchbox', { name: 'Find a location, building or space' }).fill('wing')
    expect(await page.getByRole('treeitem').count()).toBe(3)
    await expectAccessible(page)
  })

  it('is moved: a wing becomes a building of its own, and the tree follows', async () => {
    const { page } = await asAda()
    await page.goto('/locations')
    await page.getByRole('treeitem', { name: /^North wing/ }).click()
    await page.getByRole('heading', { level: 2, name: 'North wing' }).waitFor()
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Move' }).click()
    await form(page).getByRole('button', { name: 'Clear' }).click()
    await form(page).getByRole('button', { name: 'Move' }).click()
    await form(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('treeitem', { name: /^North wing/ }).getAttribute('aria-level')).toBe('2')
  })

  it('says at the field what the service refuses, and what still hangs on what should be deleted', async () => {
    const { page, context } = await asAda()
    await call(context, site, '/api/v1/locations', { name: 'Bern', external_id: 'site-7' })
    await page.goto('/locations?new=1')
    const external = form(page).getByLabel('External identifier')
    await form(page).getByLabel('Name').first().fill('Elsewhere')
    await external.fill('site-7')
    await form(page).getByRole('button', { name: 'Create', exact: true }).click()
    await expect.poll(() => external.getAttribute('aria-invalid')).toBe('true')
    expect(await form(page).getByLabel('Name').first().inputValue()).toBe('Elsewhere')
    await external.fill('site-8')
    await form(page).getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('treeitem', { name: /^Elsewhere/ }).waitFor()
    await page.getByRole('treeitem', { name: /^Zürich/ }).click()
    await page.getByRole('heading', { level: 2, name: 'Zürich' }).waitFor()
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete location' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('It is still in use').waitFor()
    await page
      .getByRole('dialog')
      .getByRole('listitem')
      .filter({ hasText: /^Buildings: \d+$/ })
      .waitFor()
  })

  it('has access control systems whose secrets are stored, never shown, and kept when all else changes', async () => {
    const { page, context } = await asAda()
    await page.goto('/access-control-systems?new=1')
    await form(page).getByLabel('Name').first().fill('Controllers')
    for (const [name, value] of [
      ['address', '192.0.2.10'],
      ['api_token', 'hunter2-hunter2'],
    ] as const) {
      await form(page).getByRole('button', { name: 'Add setting' }).click()
      await form(page).getByRole('textbox', { name: 'Name' }).last().fill(name)
      await form(page).getByLabel(`Value of ${name}`).fill(value)
    }
    await form(page).getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Controllers' }).waitFor()
    await page.getByText('••• (stored, never shown)').waitFor()
    expect(await page.content()).not.toContain('hunter2')
    await page.getByRole('button', { name: 'Edit' }).click()
    expect(await form(page).getByLabel('Value of api_token').inputValue()).toBe('')
    await form(page).getByLabel('Value of address').fill('192.0.2.11')
    await form(page).getByRole('button', { name: 'Save changes' }).click()
    await form(page).waitFor({ state: 'detached' })
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const { data } = await (await context.request.get(`/api/v1/access-control-systems/${id}`)).json()
    expect(data.settings).toEqual({ address: '192.0.2.11', api_token: '•••' })
    await expectAccessible(page)
  })
})
