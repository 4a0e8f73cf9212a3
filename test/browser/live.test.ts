import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { pressOn } from './support/keyboard.ts'
import { limitedTo } from './support/limited.ts'
import { call, logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startDemoSite } from './support/site.ts'
import { timed } from './support/timing.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

type Row = Record<string, string> & { id: string }

async function ask(context: BrowserContext, path: string): Promise<Row[]> {
  const answer = await context.request.get(`${site.url}/api/v1/${path}`)
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()).data
}

const asOwner = async (look?: Parameters<typeof open>[1]) => {
  const opened = await open(site, look)
  await logIn(opened.context, site, site.email, site.password)
  const [door, other] = await ask(opened.context, 'access-points?connectivity=eq.online&limit=2&order=id')
  if (!door || !other) throw new Error('the demo has two doors that are online')
  return { ...opened, door, other }
}

const rows = (page: Page) => page.getByRole('region', { name: 'Events', exact: true }).last().getByRole('listitem')
const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor()
const report = (context: BrowserContext, event: object) => call(context, site, '/api/v1/access-events', event)

/** Somebody has looked after what the demo begins with. */
async function closeAlarms(context: BrowserContext): Promise<void> {
  for (const { id } of await ask(context, 'alarms?status=in.(open,acknowledged)&limit=100'))
    await call(context, site, `/api/v1/alarms/${id}/close`, {})
}

/** Notes in the page that something was to be heard. */
const listen = (page: Page) =>
  page.addInitScript(() => {
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (when) {
      document.documentElement.dataset.rung = 'yes'
      start.call(this, when)
    }
  })
const hasRung = (page: Page) => page.evaluate(() => document.documentElement.dataset.rung === 'yes')

describe('the live building', () => {
  it('says on a phone at which campus it happened, and to whom, with nothing cut', async () => {
    const { page, context, door } = await asOwner({ size: 'narrow' })
    const [person] = await ask(context, 'individuals?status=eq.active&limit=1')
    await report(context, { type: 'access.denied', access_point_id: door.id, individual_id: person?.id })
    await page.goto('/live')
    await isLive(page)
    // Not the first one for sure: the building lives meanwhile.
    const told = rows(page).filter({ hasText: String(person?.display_name) })
    await told.first().getByText('Campus').waitFor()
    const cut = await rows(page).evaluateAll((all) =>
      all
        .filter((row) =>
          [row, ...row.querySelectorAll('*')].some(
            (part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0,
          ),
        )
        .map(({ textContent }) => textContent),
    )
    expect(cut).toEqual([])
    const isOver = await rows(page).evaluateAll((all) => all.some((row) => row.scrollHeight > row.clientHeight))
    expect(isOver).toBe(false)
    // A number leads to what it counts.
    await page.getByRole('link', { name: /refused within the last hour/ }).click()
    await page.waitForURL(/access-events\?result=in\./)
    await page.getByRole('table').getByText('Access denied').first().waitFor()
  })

  it('leads from each number of the last hour to exactly those that it counts, and says which they are', async () => {
    const { page, context, door } = await asOwner()
    await report(context, { type: 'access.denied', access_point_id: door.id })
    await report(context, { type: 'door.opened', access_point_id: door.id })
    for (const [said, of] of [
      ['refused', 'Denied'],
      ['other events', 'No decision'],
    ] as const) {
      await page.goto('/live')
      await isLive(page)
      const figure = page.getByRole('link', { name: new RegExp(`${said} within the last hour`) })
      await expect.poll(() => figure.textContent()).toMatch(/^\d/)
      // What comes in after it was counted is not among them.
      await page.route('**/access-events/summary**', (route) => route.abort())
      const counted = Number((await figure.locator('b').textContent())?.replaceAll(',', ''))
      await report(context, { type: 'access.denied', access_point_id: door.id })
      await report(context, { type: 'door.opened', access_point_id: door.id })
      await figure.click()
      await page.locator('.filter-pill').filter({ hasText: of }).waitFor()
      await page
        .locator('.filter-pill')
        .filter({ hasText: /Received.*\d\d:\d\d.*\d\d:\d\d/ })
        .waitFor()
      await settle(page)
      const { searchParams } = new URL(page.url())
      const query = new URLSearchParams({ result: String(searchParams.get('result')), limit: '1' })
      for (const end of String(searchParams.get('received_at')).split(',')) query.append('received_at', end)
      const answer = await context.request.get(`${site.url}/api/v1/access-events?${query}`)
      expect((await answer.json()).meta.pagination.total).toBe(counted)
      await page.getByText(new RegExp(`of ${counted.toLocaleString('en-GB')}\\b`)).waitFor()
      await page.unroute('**/access-events/summary**')
    }
  })

  it('says how many events it shows once it knows', async () => {
    const { page } = await asOwner()
    let answer = () => {}
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve
    })
    const isLatest = ({ pathname, searchParams }: URL) =>
      pathname.endsWith('/access-events') && searchParams.get('limit') === '100'
    await page.route(isLatest, async (route) => {
      await isAsked
      await route.continue()
    })
    await page.goto('/live')
    await isLive(page)
    expect(await page.getByText(/on this page$/).count()).toBe(0)
    answer()
    await page.getByText(/^\d.* on this page$/).waitFor()
  })

  it('shows an event as it happens, narrowed as one likes, with the keyboard alone', async () => {
    const { page, context, door, other } = await asOwner()
    const [person] = await ask(context, 'individuals?status=eq.active&limit=1')
    await page.goto('/')
    await pressOn(page, page.getByRole('link', { name: 'Live building' }))
    await isLive(page)
    const denied = { type: 'access.denied', access_point_id: door.id, individual_id: person?.id }
    await report(context, denied)
    await timed('a streamed event on the screen', () =>
      rows(page)
        .filter({ hasText: String(person?.display_name) })
        .first()
        .waitFor(),
    )
    await page.goto(`/live?access_point_id=eq.${other.id}&type=in.(door.opened)`)
    await isLive(page)
    await report(context, { type: 'door.opened', access_point_id: door.id })
    await report(context, { type: 'door.closed', access_point_id: other.id })
    await report(context, { type: 'door.opened', access_point_id: other.id })
    await rows(page).first().waitFor()
    expect(await rows(page).count()).toBe(1)
    expect(await rows(page).first().textContent()).toContain('Door opened')
    await expectAccessible(page)
    // Nothing ever changes it: it has no history, and nobody fills anything in.
    const [happened] = await ask(context, 'access-events?limit=1')
    await page.goto(`/access-events/${happened?.id}`)
    await settle(page)
    expect(await page.getByText(/^(History|Not filled in)/).count()).toBe(0)
  })

  it('rings at an alarm unless muted, which is acknowledged with a note by keyboard', async () => {
    const { page, context, door, other } = await asOwner()
    await closeAlarms(context)
    await listen(page)
    await page.goto('/live')
    await isLive(page)
    const panel = page.getByRole('region', { name: /^Alarms/ })
    await panel.getByRole('status').waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await report(context, { type: 'door.forced', access_point_id: door.id })
    await panel.getByText('Forced open').waitFor()
    await expect.poll(() => hasRung(page)).toBe(true)
    await pressOn(page, panel.getByRole('button', { name: 'Acknowledge' }))
    const dialog = page.getByRole('dialog', { name: 'Acknowledge this alarm?' })
    await dialog.getByLabel('Note').fill('Courier wedged the door')
    await pressOn(page, dialog.getByRole('button', { name: 'Acknowledge' }))
    await panel.getByText('Courier wedged the door').waitFor()
    await panel.getByText('Acknowledged', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sound for alarms' }).click()
    await page.evaluate(() => delete document.documentElement.dataset.rung)
    await report(context, { type: 'door.forced', access_point_id: other.id })
    await panel.getByRole('button', { name: 'Acknowledge' }).waitFor()
    expect(await hasRung(page)).toBe(false)
  })

  it('holds thousands of events and draws those in sight, and stays where one reads', async () => {
    const { page, context } = await asOwner()
    // No system plays at it: what happens there is what is reported here.
    const [door] = await ask(context, 'access-points?connectivity=eq.unsupervised&limit=1')
    if (!door) throw new Error('the demo has a mechanical door')
    await page.goto(`/live?access_point_id=eq.${door.id}`)
    await isLive(page)
    const events = Array.from({ length: 1000 }, (_, index) => ({
      type: index % 2 ? 'door.opened' : 'door.closed',
      access_point_id: door.id,
    }))
    for (let sent = 0; sent < 2; sent++) await call(context, site, '/api/v1/access-events/batch', { events })
    await page.getByText(/^2,\d{3} on this page$/).waitFor()
    expect(await rows(page).count()).toBeLessThan(80)
    const frame = page.locator('.event-scroll')
    await frame.evaluate((element) => element.scrollTo({ top: 60_000 }))
    const read = page.locator('.event-row[aria-posinset="1251"]')
    const before = await read.evaluate((row) => row.getBoundingClientRect().top)
    await report(context, { type: 'lock.jammed', access_point_id: door.id })
    await page.getByRole('button', { name: '1 newer' }).waitFor()
    const after = await page
      .locator('.event-row[aria-posinset="1252"]')
      .evaluate((row) => row.getBoundingClientRect().top)
    expect(Math.round(after)).toBe(Math.round(before))
    await page.getByRole('button', { name: '1 newer' }).click()
    await rows(page).filter({ hasText: 'Lock jammed' }).first().waitFor()
  })

  it('says that it is not connected, and goes on where it was', async () => {
    const { page, context, watch, door } = await asOwner()
    watch.allow(/ERR_/)
    await page.route('**/access-events/stream', (route) => route.abort())
    await page.goto('/live')
    await page.getByText(/^Not connected since/).waitFor()
    await report(context, { type: 'door.tampered', access_point_id: door.id })
    await page.unroute('**/access-events/stream')
    await isLive(page)
    await rows(page).filter({ hasText: 'Door tampered with' }).first().waitFor()
  })

  it('says to whoever is limited to a building what they see, and to whoever may not see events that they may not', async () => {
    const { context: boss, door } = await asOwner()
    const lou = await limitedTo(boss, site, {
      permissions: ['access-events:read', 'alarms:read', 'access-points:read', 'buildings:read'],
    })
    const { page, context } = await open(site)
    await logIn(context, site, lou.email, lou.password)
    await report(boss, { type: 'door.forced', access_point_id: door.id })
    await page.goto('/live')
    await isLive(page)
    await page.getByText('Nothing that you may see has happened yet').waitFor()
    await page.getByText('No alarm that you may see is open').waitFor()
    await report(boss, { type: 'door.forced', access_point_id: lou.door.id })
    await page
      .getByRole('region', { name: /^Alarms/ })
      .getByText('Forced open')
      .waitFor()
    expect(await page.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0)
    const blind = await limitedTo(boss, site, { permissions: ['alarms:read'] })
    const other = await open(site)
    await logIn(other.context, site, blind.email, blind.password)
    await other.page.goto('/live')
    await other.page.getByText('You may not see events here').waitFor()
  })

  it('has a way in for whoever may see the floor plans alone, and leads back to nothing that is refused', async () => {
    const { context: boss } = await asOwner()
    const drawer = await limitedTo(boss, site, { permissions: ['floor-plans:read'] })
    const { page, context } = await open(site)
    await logIn(context, site, drawer.email, drawer.password)
    await page.goto('/')
    await page.getByRole('link', { name: 'Live building' }).click()
    await page.getByRole('heading', { level: 1, name: 'Floor plans' }).waitFor()
    expect(await page.getByRole('main').getByRole('link', { name: 'Live building' }).count()).toBe(0)
  })
})
