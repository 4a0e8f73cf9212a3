import type { BrowserContext } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { browsing } from './support/browse.ts'
import { logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()
const PASSWORD = 'correct horse battery staple'

type Row = Record<string, string> & { id: string }

/** What somebody who is logged in gets from the API. */
async function ask<T = Row>(context: BrowserContext, path: string, data?: object): Promise<T> {
  const address = `${site.url}/api/v1/${path}`
  const answer = await (data
    ? context.request.post(address, { headers: { origin: site.url }, data })
    : context.request.get(address))
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()).data
}

/**
 * Makes a building with a space, a door, and somebody whose role holds there alone; they are logged in, in their
 * language.
 */
async function newcomer(permissions: readonly string[], locale: string) {
  const boss = await open(site)
  await logIn(boss.context, site, site.email, site.password)
  const name = `Lodge ${permissions.length} ${locale}`
  const [location] = await ask<Row[]>(boss.context, 'locations?limit=1')
  const building = await ask(boss.context, 'buildings', { name, location_id: location?.id })
  const space = await ask(boss.context, 'spaces', { name: `${name} hall`, building_id: building.id })
  const door = await ask(boss.context, 'access-points', { name: `${name} door`, space_id: space.id })
  const role = await ask(boss.context, 'roles', { name, permissions })
  const user = await ask(boss.context, 'users', { email: `${name.replaceAll(' ', '-')}@example.com`, name })
  await ask(boss.context, 'role-assignments', { role_id: role.id, user_id: user.id, building_id: building.id })
  const { page, context } = await open(site, { locale })
  await ask(context, 'invitations/accept', { token: new URL(String(user.link)).hash.slice(1), password: PASSWORD })
  return { boss: boss.context, page, building, space, door }
}

const PLACES = [
  'buildings:read',
  'spaces:read',
  'access-points:read',
  'access-points:audience',
  'access-grants:read',
] as const
const LOCKS = ['locking-system:read', 'cylinders:read', 'key-types:read', 'keys:read'] as const
const PEOPLE = ['individuals:read', 'individuals:write', 'credentials:read'] as const

/** What the portal says where it shows nothing, and what it must not say to somebody who sees a part only. */
const sentences = {
  'en-GB': {
    keysUnseen: 'You may not see keys here.',
    noKeys: 'No keys here that you may see',
    limited: 'Your role is limited to',
    inPart: 'You see this in part',
    notFilled: 'Not filled in',
    denials: [
      'Nobody holds a key that fits.',
      'No grant reaches here',
      'They hold no keys.',
      'Every key that was due is back.',
      'All well',
    ],
  },
  'de-CH': {
    keysUnseen: 'Sie dürfen hier keine Schlüssel sehen.',
    noKeys: 'Keine Schlüssel, die Sie sehen dürfen',
    limited: 'Ihre Rolle ist auf',
    inPart: 'Sie sehen dies nur teilweise',
    notFilled: 'Ohne Angabe',
    denials: [],
  },
} as const

describe.each(Object.keys(sentences) as Array<keyof typeof sentences>)(
  'what is not seen is not said to be absent (%s)',
  (locale) => {
    const says = sentences[locale]

    it('where nothing but keys of one building is counted', async () => {
      const { page, building } = await newcomer(['keys:read'], locale)
      await page.goto('/')
      await page
        .getByText(says.limited)
        .filter({ hasText: String(building.name) })
        .waitFor()
    })

    it('where keys may not be read', async () => {
      const { page, space } = await newcomer(PLACES, locale)
      await page.goto(`/spaces/${space.id}?tab=who`)
      await page.getByText(says.keysUnseen, { exact: true }).waitFor()
      await settle(page)
      const text = await page.locator('main').textContent()
      for (const denial of says.denials) expect(text).not.toContain(denial)
    })

    it('where keys, people and their things are read in one building', async () => {
      const { boss, page, space, door } = await newcomer([...PLACES, ...LOCKS, ...PEOPLE], locale)
      await page.goto('/')
      await settle(page)
      const overview = await page.locator('main').textContent()
      for (const denial of says.denials) expect(overview).not.toContain(denial)
      await page.goto(`/spaces/${space.id}?tab=who`)
      await settle(page)
      const who = await page.locator('main').textContent()
      for (const denial of [...says.denials, says.keysUnseen]) expect(who).not.toContain(denial)
      await page.goto('/keys')
      await page.getByText(says.noKeys).waitFor()
      await page.getByText(says.limited).waitFor()

      // Somebody of elsewhere who may open the door is seen by name, and nothing more is said of them.
      const person = await ask(boss, 'individuals', {
        display_name: `Guest of ${space.name}`,
        email: 'guest@example.com',
        phone: '+41 1',
        company: 'Guests Ltd',
      })
      await ask(boss, 'access-grants', { individual_id: person.id, access_point_id: door.id })
      await page.goto(`/individuals/${person.id}`)
      await page.getByText(says.inPart).waitFor()
      await settle(page)
      const seen = await page.locator('main').textContent()
      expect(seen).toContain(`Guest of ${space.name}`)
      for (const unseen of ['guest@example.com', '+41 1', says.notFilled]) expect(seen).not.toContain(unseen)
      expect(await page.getByRole('button', { name: /^(Edit|Bearbeiten)$/ }).count()).toBe(0)
      await page.goto(`/individuals/${person.id}?tab=keys`)
      await page.getByText(says.noKeys).waitFor()
    })
  },
)

describe('somebody whose role holds in one building', () => {
  it('sees that building, what is in it and who has to do with it, and nothing of anything else', async () => {
    const boss = await open(site)
    await logIn(boss.context, site, site.email, site.password)
    const buildings = await ask<Row[]>(boss.context, 'buildings?parent_id=is.null&limit=100&order=name')
    const [mine] = buildings
    const other = buildings.find(({ name }) => name !== mine?.name)
    if (!mine || !other) throw new Error('the demo has two buildings')
    const elsewhere = (await ask<Row[]>(boss.context, `spaces?building_id=${other.id}&limit=1`))[0]
    const [role] = await ask<Row[]>(boss.context, 'roles?name=eq.Facility%20manager')
    const user = await ask(boss.context, 'users', { email: 'janitor@example.com', name: 'Jan Janitor' })
    await ask(boss.context, 'role-assignments', { role_id: role?.id, user_id: user.id, building_id: mine.id })
    const token = new URL(String(user.link)).hash.slice(1)

    const { page, context, watch } = await open(site)
    await ask(context, 'invitations/accept', { token, password: PASSWORD })
    await page.goto('/')
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await navigation.getByRole('link', { name: 'Spaces' }).waitFor()
    for (const name of ['Audit log', 'User Management Settings']) {
      expect(await navigation.getByRole('link', { name }).count(), name).toBe(0)
    }
    for (const name of ['People', 'Credentials', 'Access groups']) {
      expect(await navigation.getByRole('link', { name }).count(), name).toBe(1)
    }

    await page.goto('/spaces?limit=100')
    await settle(page)
    const own = await ask<Row[]>(context, 'spaces?limit=100')
    expect(own.length).toBeGreaterThan(0)
    const rows = page.getByRole('table', { name: 'Spaces' }).locator('tbody tr')
    expect(await rows.count()).toBe(own.length)
    for (const text of await rows.allInnerTexts()) expect(text).toContain(String(mine.name))

    // What lies elsewhere does not exist, by whatever way one comes.
    watch.allow(/404/)
    await page.goto(`/buildings/${other.id}`)
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
    await page.goto(`/spaces/${elsewhere?.id}`)
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()

    // Their own they may change.
    await page.goto(`/buildings/${mine.id}`)
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    await page.goto(`/spaces/${own[0]?.id}?tab=who`)
    await page.getByRole('table', { name: 'Who gets in' }).locator('tbody a').first().waitFor()
    await settle(page)

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Find a space/ }).fill('create')
    await page.getByRole('option', { name: 'Create space' }).waitFor()
    expect(await page.getByRole('option', { name: 'Create person' }).count()).toBe(1)
    await page.getByRole('combobox', { name: /^Find a space/ }).fill(String(other.name))
    await page.getByText('Nothing found').waitFor()
  })
})
