import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { furnish, furnishedEnv, halfway } from '../pictures/furnish.ts'
import { type Address, addressesOf, lookers } from '../pictures/routes.ts'
import { expectAccessible } from '../support/accessible.ts'
import { contextOptions, sizes } from '../support/browse.ts'
import { launchChromium } from '../support/chromium.ts'
import { logIn } from '../support/people.ts'
import { stand } from '../support/settle.ts'
import { setupLink, startDemoSite, startSite } from '../support/site.ts'
import { type Watch, watchPage } from '../support/watch.ts'

/**
 * What pages show beyond their first sight: tabs, forms, items in a particular state. `$` is the first of the list
 * beside it.
 */
const sights: ReadonlyArray<[address: string, list?: string]> = [
  ['/individuals?new=1'],
  ['/individuals/$?tab=groups', 'individuals?status=eq.active'],
  ['/individuals/$?tab=may-open', 'individuals?status=eq.active'],
  ['/access-groups/$?tab=members', 'access-groups?name=eq.Security'],
  ['/access-grants?new=1'],
  ['/spaces/$?tab=who', 'spaces?search=server'],
  ['/who-can-open?space=$', 'spaces?search=server'],
  ['/who-can-open?person=$', 'individuals?status=eq.active'],
  ['/keys/$?tab=loss', 'keys?status=eq.lost'],
  ['/schedules?new=1'],
  ['/schedules/$', 'schedules?'],
  ['/access-points/$', 'access-points?in_alarm=is.true'],
  ['/access-points/$?tab=who', 'access-points?connectivity=eq.unsupervised'],
  ['/locking-system/$?tab=plan', 'locking-system?status=eq.active'],
  ['/keys/$', 'keys?status=eq.issued'],
  ['/access-control-systems/$', 'access-control-systems?status=eq.degraded'],
  ['/user-management/users?new=1'],
  ['/user-management/users/$?tab=roles', 'users?'],
  ['/user-management/service-users/$?tab=tokens', 'service-users?'],
  ['/user-management/roles?new=1'],
  ['/user-management/roles/$?tab=assignments', 'roles?'],
  ['/oauth-applications?new=1'],
  ['/external-identities?new=1'],
]

/** How many files share the addresses, so that all workers have work until the end. Each takes every third one. */
const PARTS = 3

/**
 * Opens this part of all addresses as whoever sees them: in a browser, at an empty service and a filled one of its own.
 */
export async function sweep(part: 0 | 1 | 2): Promise<void> {
  const [browser, empty, demo] = await Promise.all([launchChromium(), startSite(), startDemoSite(furnishedEnv)])
  afterAll(async () => {
    await browser.close()
    await Promise.all([empty.stop(), demo.stop()])
  })
  const owner = await browser.newContext(contextOptions(demo))
  await logIn(owner, demo, demo.email, demo.password)
  const furnished = await furnish(owner, demo)
  const { addresses, unknown } = await addressesOf(browser, demo, await setupLink(empty))

  async function lookAt([address, list]: (typeof sights)[number]): Promise<Address> {
    const name = address.slice(1).replaceAll(/\W+/g, '-')
    if (list === undefined) return { name, path: address, who: 'somebody' }
    const answer = await owner.request.get(`/api/v1/${list}&limit=1`)
    const { data } = await answer.json()
    if (!data?.[0]) throw new Error(`the demo has nothing at ${list}`)
    return { name, path: address.replace('$', data[0].id), who: 'somebody' }
  }
  const every = [...addresses, ...furnished, ...(await Promise.all(sights.map(lookAt)))]
  const mine = every.filter((_, index) => index % PARTS === part)

  it('every address of the portal has something to show in the demo', () => {
    expect(unknown).toEqual([])
    expect(addresses.length).toBeGreaterThan(5)
  })

  // One page for everything that one person sees: what it loads is loaded once.
  describe.each(lookers.filter((who) => mine.some((address) => address.who === who)))(
    'every page is accessible, breaks nothing and fits: for %s',
    (who) => {
      const site = who === 'nobody yet' ? empty : demo
      let context: BrowserContext
      let opened: { page: Page; watch: Watch } | undefined
      beforeAll(async () => {
        context = who === 'somebody' ? owner : await browser.newContext(contextOptions(site))
        if (who === 'somebody halfway') await logIn(context, site, halfway.email, halfway.password)
        context.setDefaultTimeout(15_000)
      })
      const open = async () => {
        const page = await context.newPage()
        return { page, watch: await watchPage(page, site.url) }
      }

      // What is wrong with an address is wrong twice; a page that the browser has left hanging is given up for a new
      // one.
      it.each(mine.filter((address) => address.who === who))('$name', { retry: 1 }, async ({ path }) => {
        const { page, watch } = opened ?? (await open())
        opened = undefined
        const before = watch.faults().length
        await page.setViewportSize(sizes.wide)
        // Between two addresses that differ behind # alone nothing would be loaded.
        await page.goto('about:blank')
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await expectAccessible(page)
        expect(await page.title()).toMatch(/Gatehouse/)
        expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
        expect(await wider(page), 'pixels wider than a desk’s screen').toBeLessThanOrEqual(0)
        await page.setViewportSize(sizes.middle)
        await stand(page)
        expect(await wider(page), 'pixels wider than a tablet’s screen').toBeLessThanOrEqual(0)
        await page.setViewportSize(sizes.narrow)
        await stand(page)
        // Begun with the theme that it is left in: each change draws all of it anew.
        await expectAccessible(page, ['dark', 'light'])
        expect(await wider(page), 'pixels wider than a phone’s screen').toBeLessThanOrEqual(0)
        expect(watch.faults().slice(before)).toEqual([])
        opened = { page, watch }
      })
    },
  )
}

const wider = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
