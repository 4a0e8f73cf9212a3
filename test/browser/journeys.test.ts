import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { journeys } from './journeys.ts'
import { browsing } from './support/browse.ts'
import { type Hand, hands } from './support/hands.ts'
import { call, logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startDemoSite } from './support/site.ts'

// Each journey by clicking and with the keyboard alone, in at most as many steps as the table says.

let isRefusing = true
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(isRefusing ? 500 : 200).end())
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const hook = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${path}`

const site = await startDemoSite({ OUTGOING_ALLOW: '127.0.0.1' })
afterAll(async () => {
  await site.stop()
  receiver.close()
})
const { open } = browsing()

type Row = Record<string, string> & { id: string }

async function ask<T = Row[]>(path: string): Promise<T> {
  const answer = await fetch(`${site.url}/api/v1/${path}`, { headers: { authorization: `Token ${site.token}` } })
  expect(answer.status, path).toBe(200)
  return ((await answer.json()) as { data: T }).data
}

async function some(path: string): Promise<Row> {
  const [row] = await ask(path)
  if (!row) throw new Error(`the demo has nothing at ${path}`)
  return row
}

interface At {
  page: Page
  hand: Hand
  /** Tells the two runs of a journey apart. */
  by: string
  make(path: string, body?: object): Promise<Row>
}

const dialog = (page: Page, name?: string | RegExp) =>
  page.getByRole('dialog', name === undefined ? {} : { name }).last()
const button = (inside: ReturnType<typeof dialog> | Page, name: string) =>
  inside.getByRole('button', { name, exact: true })
const combobox = (inside: ReturnType<typeof dialog> | Page, name: string) =>
  inside.getByRole('combobox', { name, exact: true })
const written = (day: Date) => day.toISOString().slice(0, 10).split('-').reverse().join('.')

const walks: Record<keyof typeof journeys, (at: At) => Promise<void>> = {
  'who gets into the server room tonight, and why': async ({ page, hand }) => {
    await hand.go('Who can open')
    await hand.choose(page.getByRole('radiogroup', { name: 'What it is about' }), 'Space')
    await hand.pick(combobox(page, 'Which space?'), 'Server room')
    await hand.choose(page.getByRole('radiogroup', { name: 'When' }), 'Tonight 22:00')
    await page.waitForURL(/at=/)
    await page.getByText(/it opens for \d+ of \d+ with a right/).waitFor()
    const answers = page
      .getByRole('table', { name: 'Who gets in', exact: true })
      .getByRole('button', { name: /Why\?$/ })
    await hand.press(answers.first())
    await dialog(page, 'Why?').getByRole('listitem').first().waitFor()
  },

  'a lost key, from its report to the re-keying plan': async ({ page, hand }) => {
    const key = await some('keys?status=eq.issued&key_type_code=like.G*&limit=1')
    await hand.find(`${key.key_type_code} · ${key.number}`)
    await hand.menu('Report lost')
    await hand.press(button(dialog(page), 'Report lost'))
    await hand.press(dialog(page).getByRole('link', { name: 'What to do now' }))
    await page.getByRole('table', { name: 'Re-keying plan' }).locator('tbody tr').first().waitFor()
    expect(await ask(`keys?id=eq.${key.id}`)).toMatchObject([{ status: 'lost' }])
  },

  'a leaver next Friday': async ({ page, hand, by, make }) => {
    const person = await make('individuals', { given_name: 'Lea', family_name: `Leaver ${by}` })
    const friday = new Date(Date.now() + (((12 - new Date().getUTCDay()) % 7) + 1) * 86_400_000)
    await hand.find(`Lea Leaver ${by}`)
    await hand.menu('Offboard')
    await hand.type(dialog(page).getByLabel('Last day'), written(friday))
    await hand.press(button(dialog(page), 'Offboard'))
    await hand.press(button(page, 'Done'))
    await dialog(page).waitFor({ state: 'detached' })
    const [kept] = await ask(`individuals?id=eq.${person.id}`)
    expect(kept?.offboard_at, 'the day has been taken down').toBeTruthy()
  },

  'the cleaning company on floor 2 of a building, weekdays 18 to 22, until March': async ({ page, hand, by, make }) => {
    const location = await some('locations?limit=1')
    const house = await make('buildings', { name: `Office block ${by}`, location_id: location.id })
    for (const floor of [1, 2]) {
      const space = await make('spaces', { name: `Floor ${floor}`, floor, building_id: house.id })
      await make('access-points', { name: `Left door ${floor}`, space_id: space.id, floor })
      await make('access-points', { name: `Right door ${floor}`, space_id: space.id, floor })
    }
    await hand.go('Access grants')
    await hand.press(button(page, 'Create access grant'))
    const form = dialog(page, 'Create access grant')
    await hand.pick(combobox(form, 'Access group'), 'Cleaning')
    await hand.pick(combobox(form, 'Building'), String(house.name))
    await hand.type(form.getByLabel('Floor'), '2')
    await hand.type(form.getByLabel('Valid until', { exact: true }), '31.03.2099')
    await hand.pick(combobox(form, 'Schedule'), 'Cleaning')
    await hand.press(button(form, 'Create'))
    const question = dialog(page, 'What this changes')
    await hand.press(button(question, 'Create'))
    await question.waitFor({ state: 'detached' })
    const made = await ask(`access-grants?within_building=${house.id}&limit=100`)
    expect(made.length, 'the doors of floor 2').toBe(2)
    for (const grant of made) {
      expect(grant.schedule_id).toBeTruthy()
      expect(grant.valid_until).toBe('2099-03-31T22:00:00.000Z')
    }
  },

  'ten overdue keys reminded': async ({ page, hand }) => {
    await page.evaluate(() => {
      window.print = () => {
        document.title = `printed ${document.querySelectorAll('.print-alone .letter').length}`
      }
    })
    const overdue = await ask(`keys?status=eq.issued&due_back_on=lt.${new Date().toISOString().slice(0, 10)}&limit=100`)
    expect(overdue.length).toBeGreaterThanOrEqual(10)
    await hand.go('Key desk')
    await page.getByRole('heading', { name: `Overdue (${overdue.length})` }).waitFor()
    await hand.press(button(page, 'Print reminders'))
    // A letter for each person.
    await expect.poll(() => page.title()).toBe(`printed ${new Set(overdue.map(({ individual_id: id }) => id)).size}`)
  },

  '500 people imported': async ({ page, hand, by }) => {
    const rows = Array.from({ length: 500 }, (_, index) => `Ida;Import ${index};${by}-${index}`)
    const buffer = Buffer.from(`Vorname;Nachname;external_id\n${rows.join('\n')}\n`)
    await hand.go('Import')
    await hand.pick(combobox(page, 'What the rows are'), 'People')
    await hand.upload(page.getByRole('button', { name: /^File/ }), { name: 'people.csv', mimeType: 'text/csv', buffer })
    await hand.press(button(page, 'Try it'))
    await hand.press(button(page, 'Import'))
    await page.getByRole('status').getByText('imported').waitFor({ timeout: 60_000 })
    const { total } = await counted(`individuals?external_id=like.${by}-*&limit=1`)
    expect(total).toBe(500)
  },

  'a visitor, from announcing to leaving': async ({ page, hand, by, make }) => {
    await make('individuals', { display_name: `Hanna Host ${by}` })
    const house = await some('buildings?name=eq.Chemistry%20building&limit=1')
    const name = `Vera Visitor ${by}`
    await hand.go('Visitors')
    await hand.press(page.getByRole('button', { name: 'Announce visit' }))
    const form = page.getByRole('dialog', { name: 'Announce visit' })
    // Nobody has heard of them: they are made on the way, as a visitor.
    await hand.pick(combobox(form, 'Visitor'), name)
    const making = page.getByRole('dialog', { name: 'Create person' })
    await hand.press(button(making, 'Create'))
    await making.waitFor({ state: 'detached' })
    await hand.pick(combobox(form, 'Host'), `Hanna Host ${by}`)
    await hand.pick(combobox(form, 'Building'), String(house.name))
    await hand.press(form.getByRole('button', { name: 'Announce visit' }))
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await hand.press(button(page, 'Show badge'))
    await hand.press(button(dialog(page), 'Show badge'))
    const badge = page.getByRole('dialog', { name: 'Visitor badge' })
    await badge.getByRole('img', { name: 'QR code of this visit' }).waitFor()
    await hand.press(button(badge, 'Done'))
    for (const word of ['Arrived', 'Left']) {
      await hand.press(button(page, word))
      await hand.press(button(dialog(page), word))
      await page.getByRole('main').getByText(word, { exact: true }).first().waitFor()
    }
    expect(await ask(`individuals?display_name=eq.${encodeURIComponent(name)}`)).toMatchObject([{ kind: 'visitor' }])
  },

  'a forced door, to its acknowledgement': async ({ page, hand, by, make }) => {
    const doors = await ask('access-points?connectivity=eq.unsupervised&limit=2')
    const door = doors[by === 'mouse' ? 0 : 1]
    await make('access-events', { type: 'door.forced', access_point_id: door?.id })
    await hand.go('Live building')
    const panel = page.getByRole('region', { name: /^Alarms/ })
    await hand.press(panel.getByRole('button', { name: 'Acknowledge' }).first())
    const asked = dialog(page, 'Acknowledge this alarm?')
    await hand.type(asked.getByLabel('Note'), `Courier wedged the door, ${by}`)
    await hand.press(button(asked, 'Acknowledge'))
    await panel.getByText(`Courier wedged the door, ${by}`).waitFor()
  },

  'a lockdown and its release': async ({ page, hand }) => {
    const house = await some('buildings?name=eq.Chemistry%20building&limit=1')
    await hand.go('Emergencies')
    await hand.press(button(page, 'Start'))
    const form = page.getByRole('dialog', { name: 'Start a lockdown, evacuation or drill' })
    await hand.pick(combobox(form, 'Building'), String(house.name))
    await hand.press(button(form, 'Start'))
    await hand.press(button(dialog(page, 'Start a lockdown?'), 'Start'))
    await page.getByRole('heading', { level: 1, name: 'Lockdown' }).waitFor()
    await hand.press(button(page, 'Release'))
    await hand.press(button(dialog(page, 'Release it?'), 'Release'))
    await page.getByText('Released', { exact: true }).first().waitFor()
  },

  'a webhook that failed, replayed': async ({ page, hand, by, make }) => {
    isRefusing = true
    const webhook = await make('webhooks', { url: hook(by), types: ['individual.*'] })
    await make('individuals', { display_name: `Ned News ${by}` })
    const results = async () => (await ask(`webhooks/${webhook.id}/deliveries?limit=100`)).map(({ result }) => result)
    await expect.poll(results).toContain('failed')
    isRefusing = false
    await hand.go('Webhooks')
    await hand.press(page.getByRole('main').getByRole('link', { name: hook(by) }))
    await hand.menu('Replay')
    await hand.press(button(dialog(page), 'Replay'))
    await expect.poll(results).toContain('delivered')
  },
}

async function counted(path: string): Promise<{ total: number }> {
  const answer = await fetch(`${site.url}/api/v1/${path}`, { headers: { authorization: `Token ${site.token}` } })
  return ((await answer.json()) as { meta: { pagination: { total: number } } }).meta.pagination
}

const owner = async (by: keyof typeof hands) => {
  const opened = await open(site)
  await logIn(opened.context, site, site.email, site.password)
  const make = (path: string, body?: object) =>
    call(opened.context as BrowserContext, site, `/api/v1/${path}`, body) as Promise<Row>
  await opened.page.goto('/')
  // Nothing hears a key before the page is there.
  await opened.page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
  await settle(opened.page)
  return { page: opened.page, hand: hands[by](opened.page), by, make }
}

describe.each(['mouse', 'keyboard'] as const)('with the %s', (by) => {
  it.each(Object.entries(journeys))('%s: at most %i steps', async (name, most) => {
    const at = await owner(by)
    await walks[name as keyof typeof journeys](at)
    expect(at.hand.steps, 'steps').toBeLessThanOrEqual(most)
    console.log(`journey: ${name}, ${by}: ${at.hand.steps} steps of ${most}`)
  })
})
