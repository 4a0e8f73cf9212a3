import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browsing } from './support/browse.ts'
import { launchChromium } from './support/chromium.ts'
import { logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startDemoSite } from './support/site.ts'

// Whoever is limited to a building is told nothing false, and offered nothing that is then refused.

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()
const PASSWORD = 'correct horse battery staple'
const EMAIL = 'one-building@example.com'

type Row = Record<string, string> & { id: string }

async function ask<T = Row>(context: BrowserContext, path: string, data?: object): Promise<T> {
  const address = `${site.url}/api/v1/${path}`
  const answer = await (data ? context.request.post(address, { headers: { origin: site.url }, data }) : context.request.get(address))
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()).data
}

let building: Row
let people: Row[]
beforeAll(async () => {
  const browser = await launchChromium()
  const boss = await browser.newContext()
  await logIn(boss, site, site.email, site.password)
  const [location] = await ask<Row[]>(boss, 'locations?limit=1')
  building = await ask(boss, 'buildings', { name: 'Lodge', location_id: location?.id })
  const space = await ask(boss, 'spaces', { name: 'Lodge hall', building_id: building.id })
  await ask(boss, 'access-points', { name: 'Lodge door', space_id: space.id })
  people = await ask<Row[]>(boss, 'individuals?status=eq.active&limit=1')
  const [role] = await ask<Row[]>(boss, 'roles?name=eq.Facility%20manager')
  const user = await ask(boss, 'users', { email: EMAIL, name: 'Lou Lodge' })
  await ask(boss, 'role-assignments', { role_id: role?.id, user_id: user.id, building_id: building.id })
  await ask(await browser.newContext(), 'invitations/accept', { token: new URL(String(user.link)).hash.slice(1), password: PASSWORD })
  await browser.close()
})

const asLimited = async () => {
  const opened = await open(site)
  await logIn(opened.context, site, EMAIL, PASSWORD)
  return opened
}

/** What is said of the whole, and may not be said to whoever sees a part. */
const denials = [
  'Nobody holds a key',
  'They hold no keys',
  'Holds no keys.',
  'Every key that was due is back.',
  'All well',
  'Nobody can open this',
  'Nobody gets in here',
  'Nothing can be opened',
  'Nobody else holds',
  'No keys yet',
  'No people yet',
  'No credentials yet',
  'No access grants yet',
]

async function expectNothingFalse(page: Page): Promise<void> {
  await settle(page)
  const text = await page.locator('body').textContent()
  for (const denial of denials) expect(text, `${page.url()} says “${denial}”`).not.toContain(denial)
}

describe('somebody limited to a building', () => {
  it('is told nothing false on any page of the navigation, at the key desk or about who can open', async () => {
    const { page, watch } = await asLimited()
    watch.allow(/403|404/)
    await page.goto('/')
    await expectNothingFalse(page)
    const links = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link')
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? '/'))
    expect(addresses).toContain('/who-can-open')
    for (const address of addresses) {
      await page.goto(address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectNothingFalse(page)
    }
    const [door] = await ask<Row[]>(page.context(), 'access-points?limit=1')
    await page.goto(`/who-can-open?door=${door?.id}`)
    await expectNothingFalse(page)
    await page.getByRole('switch', { name: 'Compare with another moment' }).click()
    await expectNothingFalse(page)
    await page.goto(`/individuals/${people[0]?.id}`)
    await page.getByText('There is nothing here').waitFor()
  })

  it('is offered no way to create what the service then refuses', async () => {
    const { page, context } = await asLimited()
    await page.goto('/')
    await settle(page)
    const links = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link')
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? '/'))
    let offered = 0
    for (const address of addresses.filter((one) => !['/', '/who-can-open', '/key-desk'].includes(one))) {
      await page.goto(address)
      await settle(page)
      if (
        (await page
          .getByRole('main')
          .getByRole('button', { name: /^(Create|Start)/ })
          .count()) === 0
      )
        continue
      offered++
      const answer = await context.request.post(`${site.url}/api/v1${address}?dry_run=true`, { headers: { origin: site.url }, data: {} })
      expect(answer.status(), `${address} is offered and then refused`).not.toBe(403)
    }
    expect(offered).toBeGreaterThan(2)
  })

  it('is told before a grant in their building who gains what, as far as they see', async () => {
    const { page } = await asLimited()
    const [door] = await ask<Row[]>(page.context(), 'access-points?limit=1')
    await page.goto(`/access-points/${door?.id}?tab=grants`)
    await page.getByRole('button', { name: 'Create access grant' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create access grant' })
    await form.waitFor()
    await expectNothingFalse(page)
  })
})
