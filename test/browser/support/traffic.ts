import { setTimeout as delay } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'

/**
 * What follows from an answer is asked for within this time, by a page that has its turn: settle waits for that one.
 */
const QUIET_MS = 100
/**
 * What follows from code that came is drawn later: React keeps what waits for code back for 300 ms after it has last
 * shown such a gap.
 */
const QUIET_AFTER_CODE_MS = 350
const LIMIT_MS = 15_000

const known = new WeakMap<Page, { open: Set<Request>; quietFrom: number }>()

/** What goes on without end holds up nobody. */
const isStream = (request: Request): boolean => request.headers().accept === 'text/event-stream'

/** Keeps account of what a page asks for, from its first request on. */
export function watchTraffic(page: Page): void {
  const traffic = { open: new Set<Request>(), quietFrom: 0 }
  known.set(page, traffic)
  page.on('request', (request) => {
    if (!isStream(request)) traffic.open.add(request)
  })
  const end = (request: Request) => {
    traffic.open.delete(request)
    const wait = request.resourceType() === 'script' ? QUIET_AFTER_CODE_MS : QUIET_MS
    traffic.quietFrom = Math.max(traffic.quietFrom, Date.now() + wait)
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
}

/** Whether a watched page has nothing under way and had nothing for a while. */
export function isQuiet(page: Page): boolean {
  const traffic = known.get(page)
  if (!traffic) throw new Error('nobody watches this page: see watchPage')
  return traffic.open.size === 0 && Date.now() >= traffic.quietFrom
}

/** Waits until a watched page has nothing under way; playwright's `networkidle` takes half a second to be sure. */
export async function untilQuiet(page: Page): Promise<void> {
  for (const limit = Date.now() + LIMIT_MS; !isQuiet(page); await delay(10)) {
    const open = [...(known.get(page)?.open ?? [])]
    if (Date.now() > limit) throw new Error(`still under way: ${open.map((request) => request.url()).join(', ')}`)
  }
}
