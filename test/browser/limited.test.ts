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
  const answer = await (data
    ? context.request.post(address, { headers: { origin: site.url }, data })
    : context.request.get(address))
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
  await ask(await browser.newContext(), 'invitations/accept', {
    token: new URL(String(user.link)).hash.slice(1),
    password: PASSWORD,
  })
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
      const answer = await context.request.post(`${site.url}/api/v1${address}?dry_run=true`, {
        headers: { origin: site.url },
        data: {},
      })
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

// Of a building that is lived in: with keys, cylinders and groups that belong to the whole campus.
describe('whoever administers one building of a campus', () => {
  let house: Row
  const asAdministrator = async () => {
    const opened = await open(site)
    await logIn(opened.context, site, campus.email, PASSWORD)
    return opened
  }
  const campus = { email: 'chemistry@example.com' }
  beforeAll(async () => {
    const browser = await launchChromium()
    const boss = await browser.newContext()
    await logIn(boss, site, site.email, site.password)
    house = (await ask<Row[]>(boss, 'buildings?name=eq.Chemistry%20building&limit=1'))[0] as Row
    const [role] = await ask<Row[]>(boss, 'roles?name=eq.Administrator')
    const user = await ask(boss, 'users', { email: campus.email, name: 'Chris Chemistry' })
    await ask(boss, 'role-assignments', { role_id: role?.id, user_id: user.id, building_id: house.id })
    await ask(await browser.newContext(), 'invitations/accept', {
      token: new URL(String(user.link)).hash.slice(1),
      password: PASSWORD,
    })
    await ask(boss, 'lockdowns', { kind: 'drill', reason: 'Everywhere' })
    await browser.close()
  })

  it('sees keys, cylinders, groups and emergencies of the whole campus, and is offered no change of them', async () => {
    const { page, context } = await asAdministrator()
    const part = async (noun: string) => {
      const rows = await ask<Row[]>(context, `${noun}?limit=100`)
      const row = rows.find((one) => !('version' in one))
      if (!row) throw new Error(`no ${noun} from elsewhere`)
      return row
    }
    for (const noun of ['keys', 'cylinders', 'key-types', 'locking-system', 'access-groups', 'lockdowns']) {
      const row = await part(noun)
      const answer = await context.request.patch(`${site.url}/api/v1/${noun}/${row.id}?dry_run=true`, {
        headers: { origin: site.url },
        data: { external_id: 'mine' },
      })
      expect(answer.status(), noun).toBe(403)
      await page.goto(`/${noun}/${row.id}`)
      await page.getByText('You see this in part').waitFor()
      await expectNothingFalse(page)
      expect(await page.locator('.page-header').getByRole('button').count(), `${noun} can be changed`).toBe(0)
    }
    const group = await part('access-groups')
    await page.goto(`/access-groups/${group.id}?tab=members`)
    await settle(page)
    expect(await page.getByRole('tabpanel').getByRole('button', { name: 'Add' }).count()).toBe(0)
    // A column for what nobody can do here would stand empty.
    expect(await page.getByRole('columnheader', { name: 'Actions' }).count()).toBe(0)
    await page.goto('/access-grants')
    await settle(page)
    const cells = await page.locator('.data-table td[data-label]').allTextContents()
    expect(cells.filter((text) => text.trim() === '')).toEqual([])
    expect(cells.filter((text) => /^(Person|Access group)$/.test(text.trim()))).toEqual([])
    expect(cells.some((text) => text.includes('not visible'))).toBe(true)
    // Whoever follows a link to what they do not see is told so, and asked about what.
    await page.goto('/who-can-open?door=01943aa0-bc00-7d1c-8086-0000000000ff')
    await page.getByText('Not visible to you').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    const type = await part('key-types')
    await page.goto(`/key-types/${type.id}?tab=keys`)
    await settle(page)
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0)
  })

  it('is not offered to make what belongs to a location or to locks of others; a locking system of the building brings keys', async () => {
    const { page, context } = await asAdministrator()
    const refused = ['locations', 'buildings', 'access-control-systems', 'keys', 'key-types', 'cylinders']
    for (const noun of refused) {
      await page.goto(`/${noun}`)
      await settle(page)
      const create = page.getByRole('main').getByRole('button', { name: /^Create (?!space)/ })
      expect(await create.allTextContents(), noun).toEqual([])
    }
    await page.keyboard.press('Control+k')
    await page.keyboard.type('create')
    await page.getByRole('option', { name: 'Create space' }).waitFor()
    expect(await page.getByRole('option', { name: 'Create location' }).count()).toBe(0)

    await page.goto('/locking-system?new=1')
    const form = page.getByRole('dialog', { name: 'Create locking system' })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Chemistry alone')
    // It starts in the one place where it may be.
    await expect.poll(() => form.getByRole('combobox', { name: 'Building' }).inputValue()).toBe('Chemistry building')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'Chemistry alone' }).waitFor()
    await page.goto('/key-types?new=1')
    const types = page.getByRole('dialog', { name: 'Create key type' })
    await types.getByRole('combobox', { name: 'Locking system' }).click()
    await page.getByRole('option', { name: /Chemistry alone/ }).waitFor()
    expect(await page.getByRole('option').count(), 'only their own is offered').toBe(1)
    const [system] = await ask<Row[]>(context, 'locking-system?name=eq.Chemistry%20alone')
    const kind = await ask(context, 'key-types', { locking_system_id: system?.id, code: 'C1', name: 'Store' })
    await ask(context, 'keys', { key_type_id: kind.id, number: '1', status: 'in_stock' })
  })

  it('hands out a key of the building at the desk, and is told that those of the campus are not theirs to hand out', async () => {
    const { page, context } = await asAdministrator()
    const keys = await ask<Row[]>(context, 'keys?status=eq.in_stock&limit=100')
    const theirs = keys.find((key) => !('version' in key))
    const own = keys.find((key) => 'version' in key)
    await page.goto('/key-desk')
    const desk = page.getByRole('combobox', { name: 'Key or person' })
    const put = async (name: string) => {
      await desk.fill(name)
      await page.getByRole('option', { name }).first().waitFor()
      await page.keyboard.press('Enter')
    }
    await put(`${theirs?.key_type_code} · ${theirs?.number}`)
    await page.getByRole('alert').getByText('You see this in part').waitFor()
    expect(await page.getByRole('button', { name: /^Hand out/ }).count()).toBe(0)
    await put(`${own?.key_type_code} · ${own?.number}`)
    await put('Claudia Baumann')
    await page.getByRole('button', { name: /^Hand out/ }).click()
    await page.getByRole('status').getByText(`${own?.key_type_code} · ${own?.number}`).waitFor()
    await expectNothingFalse(page)
  })

  it('makes a person, an emergency and a review in the building without being asked where, and is not refused', async () => {
    const { page } = await asAdministrator()
    await page.goto('/individuals?new=1')
    const person = page.getByRole('dialog', { name: 'Create person' })
    await person.getByRole('textbox', { name: 'Given name' }).fill('Nina')
    await person.getByRole('textbox', { name: 'Family name' }).fill('Neu')
    await person.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'Nina Neu' }).waitFor()

    await page.goto('/lockdowns?new=1')
    const emergency = page.getByRole('dialog', { name: 'Start' })
    await pickValue(page, 'Kind', 'Drill')
    await emergency.getByRole('button', { name: 'Start', exact: true }).click()
    const question = page.getByRole('dialog').last()
    await question.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Drill' }).waitFor()
    await page.getByRole('link', { name: 'Chemistry building' }).waitFor()
    await page.goto(`/buildings/${house.id}?tab=muster`)
    await settle(page)
    await expectNothingFalse(page)

    await page.goto('/access-reviews?new=1')
    const review = page.getByRole('dialog', { name: 'Create access review' })
    await review.getByRole('textbox', { name: 'Name', exact: true }).fill('Chemistry 2099')
    await review.getByRole('textbox', { name: 'Due on' }).fill('31.12.2099')
    await review.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('tab', { name: /Who may open what/ }).click()
    await settle(page)
    await expectNothingFalse(page)
    // What lies elsewhere is not theirs to end: it is not offered.
    const offeredFor = async (what: string) => {
      const line = page.locator('.data-table tbody tr').filter({ hasText: what }).first()
      await line.getByRole('button', { name: /^Actions for/ }).click()
      await page.getByRole('menuitem').first().waitFor()
      const offered = await page.getByRole('menuitem').allTextContents()
      await page.keyboard.press('Escape')
      await page.getByRole('menuitem').first().waitFor({ state: 'detached' })
      return offered
    }
    expect(await offeredFor('All staff')).toEqual(['Confirm'])
    await page
      .getByRole('row', { name: /All staff.*Not yours to revoke: others manage the group/ })
      .first()
      .waitFor()
    await page.goto(`${page.url()}&means=eq.key`)
    await settle(page)
    expect(await offeredFor('Key')).toEqual(['Confirm', 'Revoke'])
  })

  it('is told on no page of theirs that there is none, and shown no identifier for what they do not see', async () => {
    const { page, context } = await asAdministrator()
    const [space] = await ask<Row[]>(context, 'spaces?limit=1')
    const [system] = await ask<Row[]>(context, 'access-control-systems?limit=1')
    const sights = [
      '/',
      `/buildings/${house.id}`,
      `/spaces/${space?.id}`,
      `/who-can-open?space=${space?.id}`,
      '/live',
      '/visits',
      '/alarms',
    ]
    for (const address of [...sights, ...(system ? [`/access-control-systems/${system.id}`] : [])]) {
      await page.goto(address)
      await expectNothingFalse(page)
      const facts = await page.locator('dd, td').allTextContents()
      expect(
        facts.filter((text) => /^[0-9a-f]{8}$/.test(text)),
        address,
      ).toEqual([])
    }
    await page.goto(`/spaces/${space?.id}`)
    const cards = page.locator('.facts > div', { hasText: 'Usable credentials' }).locator('dd')
    expect(await cards.textContent()).not.toContain('None')
    // Doors of theirs are driven by systems of the whole campus, which they do not see: none is not said of them.
    expect(system).toBeUndefined()
    const systems = page.locator('.facts > div', { hasText: 'Systems' }).locator('dd')
    expect(await systems.textContent()).toContain('not visible')
    await page.goto('/')
    await page.getByText('Doors by connection').waitFor()
    expect(await page.getByText('Systems by state').count()).toBe(0)
    await page.getByText('Your role is limited to').first().waitFor()
    expect(
      await page.getByRole('region', { name: 'The estate in numbers' }).getByRole('link').first().textContent(),
    ).toBe('1Building')
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    for (const name of ['Webhooks', 'Import', 'User Management Settings']) {
      expect(await navigation.getByRole('link', { name }).count(), name).toBe(0)
    }
  })
})

async function pickValue(page: Page, label: string, value: string) {
  await page.getByRole('dialog').getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: value, exact: true }).click()
}
