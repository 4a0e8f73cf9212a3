import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'
import { parsed } from '../../db/assignments.ts'
import { OrgHandle } from '../../db/org.ts'
import { unseal } from '../../db/sealing.ts'

const house = await startHouse()
const { owner, engine } = house
const PATH = '/api/v1/access-control-systems'
const NOBODY = '01997d2a-4c00-7000-8000-00000000dead'

describe('access control systems', () => {
  it('are created, read, found, changed and deleted', async () => {
    const made = await owner.post(PATH, { name: 'Türsteuerung Nord', vendor: 'UHPPOTE' })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      kind: 'manual',
      status: 'pending_setup',
      errors: [],
      warnings: [],
      settings: {},
      last_seen_at: null,
      access_point_count: 0,
      credential_count: 0,
    })
    const path = `${PATH}/${made.body.data.id}`
    expect((await owner.get(path)).body.data).toEqual(made.body.data)
    expect((await owner.get(`${PATH}?search=tursteuerung`)).body.data).toHaveLength(1)
    expect((await owner.patch(path, { status: 'connected', kind: 'mqtt' })).body.data).toMatchObject({
      status: 'connected',
      kind: 'mqtt',
    })
    expect((await owner.get(`${PATH}?kind=eq.mqtt`)).body.data).toHaveLength(1)
    expect((await owner.delete(path)).status).toBe(200)
    expect((await owner.get(path)).status).toBe(404)
  })

  it.each([
    ['no name', {}, 'body.required'],
    ['a kind that is no connector’s name', { name: 'X', kind: 'My System' }, 'body.format'],
    ['a time zone that is none', { name: 'X', time_zone: 'Mars/Olympus' }, 'body.format'],
    ['a location that does not exist', { name: 'X', location_id: NOBODY }, 'reference.not_found'],
    ['errors, which are not the client’s', { name: 'X', errors: [] }, 'body.read_only'],
    ['settings that are no object', { name: 'X', settings: ['a'] }, 'body.type'],
    ['a secret in a list', { name: 'X', settings: { doors: [{ password: 'p' }] } }, 'settings.secret_in_list'],
  ])('refuse %s', async (_what, body, reason) => {
    const answer = await owner.post(PATH, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.reason).toBe(reason)
  })

  it('count what they drive and what was made for them, and are not deleted while they do', async () => {
    const system = await owner.create(PATH, { name: 'Busy' })
    const location = await owner.create('/api/v1/locations', { name: 'Site' })
    const building = await owner.create('/api/v1/buildings', { name: 'House', location_id: location.id })
    const space = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
    await owner.create('/api/v1/access-points', {
      name: 'Door',
      space_id: space.id,
      access_control_system_id: system.id,
    })
    for (const number of ['1', '2'])
      await owner.create('/api/v1/credentials', { type: 'card', number, access_control_system_id: system.id })
    const path = `${PATH}/${system.id}`
    expect((await owner.get(path)).body.data).toMatchObject({ access_point_count: 1, credential_count: 2 })
    expect((await owner.get(`${PATH}?credential_count=gte.2`)).body.data).toHaveLength(1)
    const refused = await owner.delete(path)
    expect(refused.body.error.code).toBe('RESOURCE_IN_USE')
    expect(refused.body.msg).toContain('2 credentials')
  })

  it('never show a secret of their settings, in any answer or record, and lose none when they are changed', async () => {
    const settings = { address: '10.0.0.1', login: { user: 'gate', password: 'hush-hush' }, api_key: 'very-quiet' }
    const made = await owner.post(PATH, { name: 'Secretive', settings }, { 'idempotency-key': 'secretive' })
    const shown = { address: '10.0.0.1', login: { user: 'gate', password: '•••' }, api_key: '•••' }
    expect(made.body.data.settings).toEqual(shown)
    const path = `${PATH}/${made.body.data.id}`
    expect((await owner.get(path)).body.data.settings).toEqual(shown)
    const stored = async () => {
      const [row] = await engine.reader.all<{ secrets: string | object }>(
        'select secrets from access_control_systems where id = $1',
        [made.body.data.id],
      )
      expect(JSON.stringify(row)).not.toMatch(/hush-|very-quiet/)
      const { sealed } = parsed<{ sealed: string }>(row?.secrets as string)
      return JSON.parse(
        unseal(new OrgHandle(engine, 1, house.clock.now()), sealed, `access control system ${made.body.data.id}`),
      )
    }
    // What was read, sent back with one change.
    await owner.patch(path, { settings: { ...shown, address: '10.0.0.2' } })
    expect(await stored()).toEqual({ 'settings.login.password': 'hush-hush', 'settings.api_key': 'very-quiet' })
    await owner.patch(path, { settings: { port: 60000 }, description: 'More' })
    expect(await stored()).toEqual({ 'settings.login.password': 'hush-hush', 'settings.api_key': 'very-quiet' })
    const changed = await owner.patch(path, { settings: { login: { password: 'hush-again' }, api_key: null } })
    expect(changed.body.data).toMatchObject({ version: 4 })
    expect(changed.body.data.settings).toEqual({
      address: '10.0.0.2',
      port: 60000,
      login: { user: 'gate', password: '•••' },
    })
    expect(await stored()).toEqual({ 'settings.login.password': 'hush-again' })
    for (const table of ['audit_log', 'idempotency_keys']) {
      const rows = JSON.stringify(await engine.reader.all(`select * from ${table}`, []))
      expect(rows, table).not.toMatch(/hush-|very-quiet/)
    }
    expect((await owner.patch(path, { settings: { api_key: '•••' } })).body.error.reason).toBe('settings.mask')
  })

  it('are there only for those who may see them', async () => {
    const here = await owner.create('/api/v1/locations', { name: 'Here' })
    const there = await owner.create('/api/v1/locations', { name: 'There' })
    const near = await owner.create(PATH, { name: 'Near', location_id: here.id })
    const far = await owner.create(PATH, { name: 'Far', location_id: there.id })
    const nowhere = await owner.create(PATH, { name: 'Organization’s own' })
    const local = await house.member('Facility manager', { location_id: here.id })
    const reader = await memberWith(house, ['access-control-systems:read'])
    const blind = await memberWith(house, ['spaces:read'])
    expect((await house.anonymous.get(PATH)).status).toBe(401)
    expect((await blind.get(PATH)).status).toBe(403)
    expect((await reader.post(PATH, { name: 'X' })).status).toBe(403)
    expect((await reader.patch(`${PATH}/${near.id}`, { name: 'X' })).status).toBe(403)
    expect((await reader.delete(`${PATH}/${near.id}`)).status).toBe(403)
    expect((await local.get(PATH)).body.data.map((row: { id: string }) => row.id)).toEqual([near.id])
    for (const { id } of [far, nowhere]) {
      expect((await local.get(`${PATH}/${id}`)).status).toBe(404)
      expect((await local.patch(`${PATH}/${id}`, { name: 'X' })).status).toBe(404)
      expect((await local.delete(`${PATH}/${id}`)).status).toBe(404)
    }
    expect((await local.post(PATH, { name: 'X', location_id: there.id })).body.error.reason).toBe('reference.not_found')
    expect((await local.post(PATH, { name: 'X' })).status).toBe(403)
    expect((await local.patch(`${PATH}/${near.id}`, { location_id: null })).status).toBe(403)
    expect((await owner.get(`${PATH}/${NOBODY}`)).status).toBe(404)
  })
})
