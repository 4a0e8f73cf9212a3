import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { browsing } from './support/browse.ts'
import { call, logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startDemoSite } from './support/site.ts'

// Whoever has part of the rights finds on every page of theirs something that is so, and no button that is then refused.

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()
const PASSWORD = 'correct horse battery staple'

const securityDesk = ['access-events:read', 'alarms:read', 'alarms:acknowledge', 'lockdowns:read', 'lockdowns:write', 'access-points:read']
  .concat(['access-points:unlock', 'access-points:audience', 'commands:read', 'spaces:read', 'buildings:read', 'locations:read'])
  .concat(['presence:read', 'individuals:read', 'visits:read', 'visits:receive', 'floor-plans:read'])

const people: ReadonlyArray<[who: string, permissions: readonly string[], pages: number]> = [
  ['a security desk', securityDesk, 10],
  ['who sees people alone', ['individuals:read'], 2],
  ['who sees keys alone', ['keys:read'], 3],
  ['who sees doors alone', ['access-points:read'], 2],
  ['who sees events alone', ['access-events:read'], 3],
  ['who sees systems and alarms alone', ['access-control-systems:read', 'alarms:read'], 3],
]

/** Logged in as somebody who may do this and nothing else. */
async function openAs(who: string, permissions: readonly string[]) {
  const boss = await open(site)
  await logIn(boss.context, site, site.email, site.password)
  const role = await call(boss.context, site, '/api/v1/roles', { name: who, permissions })
  const email = `${who.replaceAll(/\W+/g, '-')}@example.com`
  const user = await call(boss.context, site, '/api/v1/users', { name: who, email })
  await call(boss.context, site, '/api/v1/role-assignments', { role_id: role.id, user_id: user.id })
  const opened = await open(site)
  await call(opened.context, site, '/api/v1/invitations/accept', { token: new URL(String(user.link)).hash.slice(1), password: PASSWORD })
  await logIn(opened.context, site, email, PASSWORD)
  return opened
}

/** What the page was refused while it was looked at: it should not have asked. */
function refusals(page: Page): string[] {
  const found: string[] = []
  page.on('response', (answer) => {
    if (answer.status() === 401 || answer.status() === 403 || answer.status() === 404) found.push(`${answer.status()} ${answer.url()}`)
  })
  return found
}

/** Every page of the navigation, and the first item of each list, in every tab. */
async function lookAround(page: Page, look: (where: string) => Promise<void>): Promise<number> {
  await page.goto('/')
  await settle(page)
  await look('/')
  const links = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link')
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? '/'))
  for (const address of addresses.filter((one) => one !== '/')) {
    await page.goto(address)
    await settle(page)
    await look(address)
    const first = page.locator('.data-table tbody a').first()
    if ((await first.count()) === 0) continue
    await page.goto((await first.getAttribute('href')) ?? address)
    await settle(page)
    await look(page.url())
    const tabs = page.getByRole('tab')
    for (let index = 1; index < (await tabs.count()); index++) {
      await tabs.nth(index).click()
      await settle(page)
      await look(`${page.url()}, tab ${await tabs.nth(index).textContent()}`)
    }
  }
  return addresses.length
}

describe('every page in the navigation, with every tab,', () => {
  it.each(people)(
    'says something to %s, asks for nothing that is refused, and offers nothing that would be',
    async (who, permissions, pages) => {
      const { page, context } = await openAs(who, permissions)
      const refused = refusals(page)
      const seen = await lookAround(page, async (where) => {
        expect(refused, where).toEqual([])
        const main = page.getByRole('main')
        const title = await page.getByRole('heading', { level: 1 }).first().textContent()
        const text = ((await main.textContent()) ?? '')
          .replace(title ?? '', '')
          .replace('Demo', '')
          .trim()
        expect(text, `${where} is empty`).not.toBe('')
        expect(text, where).not.toMatch(/undefined|null|NaN|\[object|Something went wrong/)
        expect(await main.getByText('Try again').count(), `${where} has failed`).toBe(0)
        const buttons = main.getByRole('button', { name: /^(Create|Start|Announce|Ask for)/ })
        if ((await buttons.count()) === 0) return
        const { pathname } = new URL(page.url())
        const tried = await context.request.post(`${site.url}/api/v1${pathname}?dry_run=true`, { headers: { origin: site.url }, data: {} })
        expect(tried.status(), `${where} offers what is refused`).not.toBe(403)
      })
      expect(seen).toBeGreaterThanOrEqual(pages)
    },
  )
})
