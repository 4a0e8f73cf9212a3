import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../test/browser/support/chromium.ts'
import { logIn } from '../test/browser/support/people.ts'
import { buildOnce } from '../test/browser/support/set-up.ts'
import { type DemoSite, startDemoSite } from '../test/browser/support/site.ts'
import { median } from './load/load.ts'
import { eventsOnScreen, happening } from './portal-live.ts'
import { each as all, type Claim, report } from './report.ts'

/** What somebody in front of the demo waits for, by the browser's own clock. */

const LOADS = 7
const SCREENS = ['/', '/spaces']
const TABLES = ['/spaces', '/access-points', '/individuals', '/credentials', '/keys']
const CHANGES = 6

/** In a browser that has seen nothing of it yet. */
async function open(browser: Browser, site: DemoSite): Promise<Page> {
  const context = await browser.newContext({ baseURL: site.url, viewport: { width: 1440, height: 900 } })
  await logIn(context, site, site.email, site.password)
  return context.newPage()
}

/** From the start of the navigation until the page is there and nothing in it is a placeholder any more. */
async function whenDone(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => {
    const main = document.querySelector('main')
    const isDone = main?.querySelector('h1') && !main.querySelector('.mantine-Skeleton-root, [aria-busy="true"]')
    return isDone ? performance.now() : undefined
  })
  return handle.jsonValue() as Promise<number>
}

async function firstScreen(browser: Browser, site: DemoSite, path: string): Promise<Claim> {
  const times: number[] = []
  for (let load = 0; load < LOADS; load++) {
    const page = await open(browser, site)
    await page.goto(path, { waitUntil: 'commit' })
    times.push(await whenDone(page))
    await page.context().close()
  }
  return {
    name: `First screen at ${path}, nothing cached`,
    value: median(times),
    unit: 'ms',
    atMost: 1000,
    detail: all(times),
  }
}

async function pageChanges(browser: Browser, site: DemoSite): Promise<Claim[]> {
  const next: number[] = []
  const last: number[] = []
  const page = await open(browser, site)
  const stop = await happening(page)
  for (const path of TABLES) {
    await page.goto(path)
    await whenDone(page)
    last.push(await press(page, '.list-footer button:nth-last-child(2)'))
    await page.goto(path)
    await whenDone(page)
    for (let change = 0; change < CHANGES; change++) {
      // Nobody reads faster.
      await page.waitForTimeout(500)
      next.push(await press(page, '[aria-label="Next page"]'))
    }
  }
  await stop()
  await page.context().close()
  return [
    {
      name: 'The next page of a table, while events stream',
      value: median(next),
      unit: 'ms',
      atMost: 100,
      detail: all(next),
    },
    {
      name: 'The last page of a table, from the first, while events stream',
      value: median(last),
      unit: 'ms',
      atMost: 100,
      detail: all(last),
    },
  ]
}

/** From the press until other rows are on the screen. A hand takes a moment from pointing to pressing. */
async function press(page: Page, selector: string): Promise<number> {
  await page.hover(selector)
  await page.waitForTimeout(150)
  return page.evaluate(async (wanted) => {
    const frame = () => new Promise(requestAnimationFrame)
    const rows = () => document.querySelector('.data-table tbody')?.textContent
    const before = rows()
    const started = performance.now()
    document.querySelector<HTMLElement>(wanted)?.click()
    while (rows() === before) {
      if (performance.now() - started > 5000) throw new Error(`${location.pathname}: ${wanted} does nothing`)
      await frame()
    }
    await frame()
    return performance.now() - started
  }, selector)
}

await buildOnce()
const site = await startDemoSite()
const browser = await launchChromium()
try {
  const claims: Claim[] = []
  for (const path of SCREENS) claims.push(await firstScreen(browser, site, path))
  claims.push(...(await pageChanges(browser, site)), ...(await eventsOnScreen(await open(browser, site))))
  process.exitCode = report(claims) ? 0 : 1
} finally {
  await browser.close()
  await site.stop()
}
