import { afterAll, expect, it } from 'vitest'
import { browsing } from './support/browse.ts'
import { limitedTo } from './support/limited.ts'
import { ada, call, logIn, setUp } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startSite } from './support/site.ts'

// The newcomer's list: for whom it is, and when it goes.

const site = await startSite()
afterAll(() => site.stop())
const { open } = browsing()
const TITLE = 'From nothing to the first open door'

it('has a way for keys and cylinders alone, goes when that is walked, and is for those who may walk it', async () => {
  const { page, context } = await open(site)
  await setUp(context, site)
  const make = (path: string, body: object) => call(context, site, `/api/v1/${path}`, body)
  await page.goto('/')
  const list = page.getByRole('region', { name: TITLE })
  await list.getByText('Keys and cylinders').click()
  await list.getByText('Add its key types').waitFor()
  expect(await list.getByText('Say who may open what').count()).toBe(0)

  const location = await make('locations', { name: 'Castle hill' })
  const building = await make('buildings', { name: 'Keep', location_id: location.id })
  const space = await make('spaces', { name: 'Hall', building_id: building.id })
  await make('access-points', { name: 'Gate', space_id: space.id })
  await make('individuals', { given_name: 'Kim', family_name: 'Keeper' })
  const system = await make('locking-system', { name: 'Castle locks', building_id: building.id })
  await make('cylinders', { number: '1', locking_system_id: system.id })
  await page.reload()
  // It is kept which way was chosen.
  await list.getByRole('link', { name: 'Create key type' }).waitFor()

  // Put away, it stays away.
  await list.getByRole('button', { name: 'Do not show this any more' }).click()
  await list.waitFor({ state: 'detached' })
  await page.reload()
  await settle(page)
  expect(await list.count()).toBe(0)

  // Whoever may read alone, or is limited to a building, is not told to do it.
  for (const permissions of [
    ['buildings:read', 'spaces:read', 'access-points:read', 'keys:read', 'keys:write'],
    ['spaces:read'],
  ]) {
    const { email, password } = await limitedTo(context, site, { permissions })
    const other = await open(site)
    await logIn(other.context, site, email, password)
    await other.page.goto('/')
    await settle(other.page)
    expect(await other.page.getByText(TITLE).count()).toBe(0)
  }

  // Somebody else who may sees it, until a key is there.
  const [role] = (await (await context.request.get(`${site.url}/api/v1/roles?name=eq.Administrator`)).json()).data
  const user = await make('users', { email: 'admin@example.com', name: 'Ad Min' })
  await make('role-assignments', { role_id: role.id, user_id: user.id })
  const admin = await open(site)
  const token = new URL(String(user.link)).hash.slice(1)
  await call(admin.context, site, '/api/v1/invitations/accept', { token, password: 'correct horse battery staple' })
  await admin.page.goto('/')
  await admin.page.getByRole('heading', { name: TITLE }).waitFor()
  const type = await make('key-types', { code: 'A', name: 'All', locking_system_id: system.id })
  await make('keys', { key_type_id: type.id, number: '1' })
  await admin.page.reload()
  await settle(admin.page)
  expect(await admin.page.getByText(TITLE).count()).toBe(0)
})

it('all is well only for whoever sees all of it: doors that are shut say nothing of keys', async () => {
  const { page, context } = await open(site)
  await logIn(context, site, ada.email, ada.password)
  const make = (path: string, body: object) => call(context, site, `/api/v1/${path}`, body)
  await page.goto('/')
  await page.getByText('All well').waitFor()
  const role = await make('roles', { name: 'Doors alone', permissions: ['spaces:read', 'access-points:read'] })
  const user = await make('users', { email: 'doors@example.com', name: 'Dora Doors' })
  await make('role-assignments', { role_id: role.id, user_id: user.id })
  const other = await open(site)
  const token = new URL(String(user.link)).hash.slice(1)
  await call(other.context, site, '/api/v1/invitations/accept', { token, password: 'correct horse battery staple' })
  await other.page.goto('/')
  await other.page.getByText('Nothing that you may see is overdue, lost, offline or in alarm.').waitFor()
})
