import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { median } from './load/load.ts'
import { type Claim, each } from './report.ts'

/** The live building: how soon an event is on the screen, and how a page that holds all it can scrolls. */

const API = '/api/v1/access-events'
/** As many as the page holds (portal/src/pages/live/use-events.ts). */
const HELD = 10_000
const BATCH = 1000
const SINGLE = 12
/** What happens at a busy site, all day: this many at once, this often. */
const AT_ONCE = 10
const EVERY_MS = 500
/** As fast as a hand turns a wheel. */
const STEP_PX = 400
const STEPS = 120
/** At 60 Hz every third frame may be left out before it is seen to stutter. */
const SMOOTH_MS = 50

async function post(page: Page, path: string, data: object): Promise<void> {
  const { origin } = new URL(page.url())
  const answer = await page.context().request.post(origin + path, { headers: { origin }, data })
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
}

async function aDoor(page: Page): Promise<string> {
  const answer = await page.context().request.get('/api/v1/access-points?connectivity=eq.online&limit=1')
  return (await answer.json()).data[0].id
}

const denied = (door: string, number: string) => ({
  type: 'access.denied',
  access_point_id: door,
  credential_number: number,
})
const many = (door: string, count: number) => ({
  events: Array.from({ length: count }, (_, n) => denied(door, `busy ${n}`)),
})

/** Lets events happen from now on, until what it gives is called. */
export async function happening(page: Page): Promise<() => Promise<void>> {
  await page.goto('/')
  const door = await aDoor(page)
  let isOver = false
  const going = (async () => {
    for (; !isOver; await delay(EVERY_MS)) await post(page, `${API}/batch`, many(door, AT_ONCE))
  })()
  return async () => {
    isOver = true
    await going
  }
}

export async function eventsOnScreen(page: Page): Promise<Claim[]> {
  await page.goto('/live')
  await page.locator('.event-row').first().waitFor()
  const door = await aDoor(page)
  const shown: number[] = []
  for (let n = 0; n < SINGLE; n++) {
    await page.waitForTimeout(300)
    shown.push(await untilShown(page, denied(door, `single ${n}.`)))
  }
  for (let sent = 0; sent < HELD; sent += BATCH) await post(page, `${API}/batch`, many(door, BATCH))
  await page.waitForFunction(
    (held) => Number(document.querySelector('.event-row')?.getAttribute('aria-setsize')) >= held,
    HELD,
  )
  const frames = await framesWhileScrolling(page)
  await page.context().close()
  const slow = frames.filter((time) => time > SMOOTH_MS)
  return [
    {
      name: 'An event on the screen, from its report',
      value: median(shown),
      unit: 'ms',
      atMost: 300,
      detail: each(shown),
    },
    {
      name: `Frames of more than ${SMOOTH_MS} ms while ${HELD} events are scrolled`,
      value: (slow.length / frames.length) * 100,
      unit: '%',
      atMost: 5,
      detail:
        `${frames.length} frames, the median ${Math.round(median(frames))} ms, the ` +
        `longest ${Math.round(Math.max(...frames))} ms`,
    },
  ]
}

/** Reported by the page itself, so that one clock measures. */
const untilShown = (page: Page, event: { credential_number: string }): Promise<number> =>
  page.evaluate(
    async ([path, body]) => {
      const started = performance.now()
      const headers = { 'content-type': 'application/json' }
      void fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
      const isThere = () => document.querySelector('.event-rows')?.textContent?.includes(body.credential_number)
      while (!isThere()) {
        if (performance.now() - started > 10_000) throw new Error('it is not shown')
        await new Promise(requestAnimationFrame)
      }
      return performance.now() - started
    },
    [API, event] as const,
  )

/** Down and up again; rows must be there at the end of it. */
const framesWhileScrolling = (page: Page): Promise<number[]> =>
  page.evaluate(
    async ([steps, px]) => {
      const list = document.querySelector('.event-scroll')
      if (!list) throw new Error('nothing scrolls')
      const times: number[] = []
      let before = await new Promise<number>(requestAnimationFrame)
      for (let step = 0; step < steps; step++) {
        list.scrollTop += step < steps / 2 ? px : -px
        const now = await new Promise<number>(requestAnimationFrame)
        times.push(now - before)
        before = now
      }
      if (document.querySelectorAll('.event-row').length === 0) throw new Error('no rows are drawn')
      return times
    },
    [STEPS, STEP_PX] as const,
  )
