import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { type Browsing, browsing } from '../support/browse.ts'
import { call, logIn } from '../support/people.ts'
import { settle } from '../support/settle.ts'
import { type DemoSite, startDemoSite } from '../support/site.ts'
import { tryOffers } from './offers.ts'

// Whoever has part of the rights finds on every page of theirs something that is so, and no button that is then
// refused.

const PASSWORD = 'correct horse battery staple'

const securityDesk = [
  'access-events:read',
  'alarms:read',
  'alarms:acknowledge',
  'lockdowns:read',
  'lockdowns:write',
  'access-points:read',
]
  .concat([
    'access-points:unlock',
    'access-points:audience',
    'commands:read',
    'spaces:read',
    'buildings:read',
    'locations:read',
  ])
  .concat(['presence:read', 'individuals:read', 'visits:read', 'visits:receive', 'floor-plans:read'])

/** Whoever may do this, or what a role does that came with the service; everywhere, or in this building alone. */
interface Role {
  permissions?: readonly string[]
  named?: string
  building?: string
}
const keysThere = ['keys:read', 'keys:handover', 'individuals:read', 'locking-system:read']

const people: ReadonlyArray<[who: string, role: Role, pages: number]> = [
  ['a security desk', { permissions: securityDesk }, 10],
  ['who sees people alone', { permissions: ['individuals:read'] }, 2],
  ['who sees keys alone', { permissions: ['keys:read'] }, 3],
  ['who sees doors alone', { permissions: ['access-points:read'] }, 2],
  ['who sees events alone', { permissions: ['access-events:read'] }, 3],
  ['who sees systems and alarms alone', { permissions: ['access-control-systems:read', 'alarms:read'] }, 3],
  ['a reception of one building', { permissions: keysThere, building: 'Chemistry building' }, 5],
  ['a facility manager', { named: 'Facility manager' }, 25],
  ['an operator', { named: 'Operator' }, 25],
  ['an auditor', { named: 'Auditor' }, 25],
  ['a facility manager of one building', { named: 'Facility manager', building: 'Chemistry building' }, 20],
]

/** What nobody is told who sees a part: that there is none. */
const denials =
  /No [a-z ]+ (yet|here(?! that))|Nobody (holds|can open|gets in|else)|They hold no keys|Holds no keys|Every key that was due|All well|Nothing can be opened/

/** Logged in as somebody who may do this and nothing else. */
async function openAs({ open }: Browsing, site: DemoSite, who: string, { permissions, named, building }: Role) {
  const boss = await open(site)
  await logIn(boss.context, site, site.email, site.password)
  const first = async (list: string, name: string) =>
    (await (await boss.context.request.get(`/api/v1/${list}?name=${encodeURIComponent(`eq.${name}`)}`)).json()).data[0]
  const role = named
    ? await first('roles', named)
    : await call(boss.context, site, '/api/v1/roles', { name: who, permissions })
  const email = `${who.replaceAll(/\W+/g, '-')}@example.com`
  const user = await call(boss.context, site, '/api/v1/users', { name: who, email })
  await call(boss.context, site, '/api/v1/role-assignments', {
    role_id: role.id,
    user_id: user.id,
    ...(building ? { building_id: (await first('buildings', building)).id } : {}),
  })
  const opened = await open(site)
  await call(opened.context, site, '/api/v1/invitations/accept', {
    token: new URL(String(user.link)).hash.slice(1),
    password: PASSWORD,
  })
  await logIn(opened.context, site, email, PASSWORD)
  return opened
}

/** What the page was refused while it was looked at: it should not have asked. */
function refusals(page: Page): string[] {
  const found: string[] = []
  page.on('response', (answer) => {
    if (answer.status() === 401 || answer.status() === 403 || answer.status() === 404)
      found.push(`${answer.status()} ${answer.url()}`)
  })
  return found
}

/** What a page says besides its title, and what it offers; runs in the page. */
function readPage() {
  const main = document.querySelector('main')
  const textOf = (element: Element | null | undefined) => element?.textContent ?? ''
  const buttons = [...(main?.querySelectorAll('button') ?? [])].map((button) => textOf(button).trim())
  return {
    text: textOf(main)
      .replace(textOf(document.querySelector('h1')), '')
      .replace('Demo', '')
      .trim(),
    hasFailed: buttons.includes('Try again'),
    offers: buttons.filter((name) => /^(Create |Start$|Announce |Ask for )/.test(name)),
  }
}

/** What has no page of its own and is changed in its row is in tabs of these: there everybody looks. */
const hasRowMenus = /^\/access-(groups|reviews)$/

/**
 * Every page of the navigation and the first item of each list, by clicking, as somebody does: not all is loaded again.
 * In every tab too, but for whoever reads nearly everything: what they see there is what an owner sees, who is looked
 * at elsewhere.
 */
async function lookAround(page: Page, isEveryTab: boolean, look: (where: string) => Promise<void>): Promise<number> {
  await page.goto('/')
  await settle(page)
  await look('/')
  const navigation = page.getByRole('navigation', { name: 'Main navigation' })
  const addresses = await navigation
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? '/'))
  for (const address of addresses.filter((one) => one !== '/')) {
    await navigation.locator(`a[href="${address}"]`).click()
    await page.waitForURL((url) => url.pathname.startsWith(address))
    await settle(page)
    await look(address)
    // What is over has little to offer, nor has what belongs to it.
    const alive = page.locator('.data-table tbody tr:not(:has([data-tone="over"])) a')
    const first = ((await alive.count()) > 0 ? alive : page.locator('.data-table tbody a')).first()
    if ((await first.count()) === 0) continue
    const item = (await first.getAttribute('href')) ?? address
    await first.click()
    await page.waitForURL((url) => url.pathname === item)
    await settle(page)
    await look(page.url())
    if (!isEveryTab && !hasRowMenus.test(address)) continue
    const tabs = page.getByRole('tab')
    for (let index = 1; index < (await tabs.count()); index++) {
      await tabs.nth(index).click()
      await settle(page)
      await look(`${page.url()}, tab ${await tabs.nth(index).textContent()}`)
    }
  }
  return addresses.length
}

/** How many files share the roles, so that all workers have work until the end. Each takes every third one. */
const PARTS = 3

/** Goes round as this part of them, at a service of its own. */
export async function goRound(part: 0 | 1 | 2): Promise<void> {
  const site = await startDemoSite()
  afterAll(() => site.stop())
  const browser = browsing()
  const mine = people.filter((_, index) => index % PARTS === part)

  describe('every page in the navigation, with what is behind it,', () => {
    it.each(mine)(
      'says something to %s, asks for nothing that is refused, and offers nothing that would be',
      async (who, role, pages) => {
        const { page, context } = await openAs(browser, site, who, role)
        const refused = refusals(page)
        const seen = new Set<string>()
        let rows = 0
        const count = await lookAround(page, role.named === undefined || role.building !== undefined, async (where) => {
          expect(refused, where).toEqual([])
          const { text, hasFailed, offers } = await page.evaluate(readPage)
          expect(text, `${where} is empty`).not.toBe('')
          expect(text, where).not.toMatch(/undefined|null|NaN|\[object|Something went wrong/)
          expect(hasFailed, `${where} has failed`).toBe(false)
          if (role.building) expect(text, `${where} denies what is not seen`).not.toMatch(denials)
          if (offers.length > 0) {
            const path = new URL(page.url()).pathname.replace('/user-management', '')
            const answer = await context.request.post(`${site.url}/api/v1${path}?dry_run=true`, {
              headers: { origin: site.url },
              data: {},
            })
            expect(answer.status(), `${where} offers what is refused: ${offers}`).not.toBe(403)
          }
          rows += await tryOffers(page, context, site.url, seen)
        })
        expect(count).toBeGreaterThanOrEqual(pages)
        // Whoever manages people is in rows too: without any, nothing of them was tried.
        if (role.named === 'Facility manager') expect(rows).toBeGreaterThan(role.building ? 0 : 1)
      },
    )
  })
}
