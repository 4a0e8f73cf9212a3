import { beforeAll, describe, expect, it } from 'vitest'
import { foldSearchTexts } from '../../src/db/along/fold-search-texts.ts'
import { type Client, startHouse } from '../support/app.ts'
import { makeEstate } from '../support/mechanical.ts'
import { newPerson } from '../support/people.ts'
import { memberWith } from '../support/role.ts'

const house = await startHouse()
const { app, owner, engine } = house
const ids: Record<string, string> = {}

const found = async (list: string, search: string, client: Client = owner): Promise<string[]> => {
  const answer = await client.get(`/api/v1/${list}?limit=100&search=${encodeURIComponent(search)}`)
  expect(answer.status, answer.text).toBe(200)
  const { data, meta } = answer.body as { data: Array<{ id: string }>; meta: { pagination: { total: number } } }
  expect(meta.pagination.total).toBe(data.length)
  return data.map(({ id }) => id)
}

beforeAll(async () => {
  const make = async (name: string, path: string, body: object) => {
    ids[name] = (await owner.create(`/api/v1/${path}`, body)).id
    return ids[name]
  }
  const { system, location } = await makeEstate(owner, 'Zürich Nord')
  await make('ada', 'individuals', { given_name: 'Adélaïde', family_name: 'Lovelace' })
  await make('team', 'access-groups', { name: 'Nachtwächter' })
  const building_id = await make('building', 'buildings', { name: 'House', location_id: location.id })
  await make('plan', 'floor-plans', { building_id, floor: 0 })
  await make('room', 'spaces', { name: 'Hall', building_id })
  await make('entry', 'access-points', { name: 'Entry', space_id: ids.room })
  await make('member', `access-groups/${ids.team}/members`, { individual_id: ids.ada })
  await make('personal', 'access-grants', { individual_id: ids.ada, location_id: location.id, reason: 'Wärmepumpe' })
  await make('common', 'access-grants', { access_group_id: ids.team, location_id: location.id })
  await make('type', 'key-types', { locking_system_id: system.id, code: 'QX9' })
  await make('key', 'keys', { key_type_id: ids.type, number: '77', status: 'in_stock' })
  await owner.post(`/api/v1/keys/${ids.key}/issue`, { individual_id: ids.ada, purpose: 'Café' })
  ids.handover = (await owner.get('/api/v1/key-handovers')).body.data[0].id
  await make('role', 'roles', {
    name: 'Schlüsseldienst',
    description: 'Gibt Schlüssel aus',
    permissions: ['keys:read'],
  })
  await make('robot', 'service-users', { name: 'Zähler' })
  await make('assignment', 'role-assignments', { role_id: ids.role, service_user_id: ids.robot })
})

/** What a list within something else is asked of. */
async function parentOf(url: string): Promise<string> {
  if (url.includes('access-groups')) return ids.team ?? ''
  if (url.includes('spaces')) return ids.room ?? ''
  if (url.includes('floor-plans')) return ids.plan ?? ''
  if (!url.includes('webhooks')) return ids.robot ?? ''
  const webhook = { url: 'https://receiver.example/hook', types: ['*'] }
  return (await house.loggedIn(owner.token).create('/api/v1/webhooks', webhook)).id
}

describe('every list of shape A', () => {
  const lists = app.routeTable.filter(({ method, doc }) => method === 'GET' && doc?.list?.shape === 'A')

  it('there are some', () => expect(lists.length).toBeGreaterThan(20))

  it.each(lists.map(({ url, permission }) => [url, permission]))('takes search: %s', async (url, permission) => {
    const client = permission === 'self' ? await newPerson(house, 'Owner') : owner
    const path = url
      .replace(':parent_id', await parentOf(url))
      .replace(':id', (url.includes('individuals') ? ids.ada : url.includes('spaces') ? ids.room : ids.entry) ?? '')
    const answer = await client.get(`${path}?search=${encodeURIComponent('no such thing "anywhere" 100%')}`)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.data).toEqual([])
  })
})

describe('what refers to others', () => {
  it.each([
    ['access-grants', 'adelaide', 'personal'],
    ['access-grants', 'WARMEPUMPE', 'personal'],
    ['access-grants', 'nachtwachter', 'common'],
    ['access-grants', 'lovelace zurich', 'personal'],
    ['key-handovers', 'lovelace', 'handover'],
    ['key-handovers', 'qx9 77 cafe', 'handover'],
    ['keys', 'qx9 77', 'key'],
    ['roles', 'schlussel', 'role'],
    ['role-assignments', 'zahler', 'assignment'],
    ['role-assignments', 'schlusseldienst', 'assignment'],
  ])('is found by their names too: %s by %s', async (list, search, name) => {
    expect(await found(list, search)).toEqual([ids[name]])
  })

  it('members of a group are found by their names, those of that group alone', async () => {
    const other = await owner.create('/api/v1/access-groups', { name: 'Others' })
    await owner.create(`/api/v1/access-groups/${other.id}/members`, { individual_id: ids.ada })
    expect(await found(`access-groups/${ids.team}/members`, 'ADELAIDE')).toEqual([ids.member])
    expect(await found(`access-groups/${ids.team}/members`, 'nobody')).toEqual([])
  })

  it('follows a change of the name at once', async () => {
    const group = await owner.create('/api/v1/access-groups', { name: 'Before' })
    const { id } = await owner.create('/api/v1/access-grants', {
      access_group_id: group.id,
      location_id: (await owner.get('/api/v1/locations')).body.data[0].id,
    })
    expect(await found('access-grants', 'before')).toEqual([id])
    await owner.patch(`/api/v1/access-groups/${group.id}`, { name: 'Afterwards' })
    expect(await found('access-grants', 'before')).toEqual([])
    expect(await found('access-grants', 'afterward')).toEqual([id])
  })

  it('nobody learns a name that they may not see', async () => {
    const blind = await memberWith(house, ['access-grants:read', 'locations:read', 'keys:read'])
    expect(await found('access-grants', 'lovelace', blind)).toEqual([])
    expect(await found('key-handovers', 'lovelace', blind)).toEqual([])
    expect(await found('access-grants', 'zurich warmepumpe', blind)).toEqual([ids.personal])
    const seeing = await memberWith(house, ['access-grants:read', 'individuals:read'])
    expect(await found('access-grants', 'lovelace', seeing)).toEqual([ids.personal])
  })
})

it('a token is found by how its value ends, which nobody gives when making it', async () => {
  const { id, token } = (await owner.get('/api/v1/me')).body.data
  const [made] = (await owner.get(`/api/v1/service-users/${id}/tokens`)).body.data
  expect(made.id).toBe(token.id)
  expect(await found(`service-users/${id}/tokens`, made.last_four)).toEqual([made.id])
})

describe('the audit log', () => {
  it('is found by what was done and to what, and by who did it', async () => {
    const issued = await found('audit-log', 'key.issued')
    expect(issued).toHaveLength(1)
    expect(await found('audit-log', 'individual.created adelaide')).toHaveLength(1)
    const { token } = await memberWith(house, ['locations:write', 'locations:read'])
    const made = await house.client(token).post('/api/v1/locations', { name: 'Somewhere' })
    expect(made.status, made.text).toBe(201)
    const [entry] = (await owner.get(`/api/v1/audit-log?resource_id=eq.${made.body.data.id}`)).body.data
    expect(await found('audit-log', `${entry.actor_name} location.created`)).toContain(entry.id)
  })
})

describe('rows of an earlier version', () => {
  it('are found once the migration has folded their texts', async () => {
    await engine.transaction((session) =>
      session.run(`update access_grants set search_text = '' where id = $1`, [ids.personal]),
    )
    await house.owner.patch(`/api/v1/access-groups/${ids.team}`, {
      description: 'so that nothing is answered from memory',
    })
    expect(await found('access-grants', 'warmepumpe')).toEqual([])
    await engine.transaction(foldSearchTexts)
    await house.owner.patch(`/api/v1/access-groups/${ids.team}`, { description: 'and again' })
    expect(await found('access-grants', 'warmepumpe')).toEqual([ids.personal])
  })
})
