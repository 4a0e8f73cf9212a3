import { expect, it, vi } from 'vitest'
import { forgetEntries } from '../../src/connect/entries.ts'
import { changeLive } from '../../src/live/live-transaction.ts'
import { pruneEvents } from '../../src/live/retention.ts'
import { watchTransactions } from '../support/watched-texts.ts'
import { makeSite } from './site.ts'

const site = await makeSite()
const { owner, house, door, other, system, building, ada } = site
const { engine, clock } = house
const DAY = 86_400_000
await site.round()

/** How SQLite finds rows of a table in what is asked meanwhile, as far as a text has these words. */
async function plansOf(table: string, words: RegExp, work: () => Promise<unknown>): Promise<string[]> {
  const { waited, sent } = watchTransactions(engine)
  const read = vi.spyOn(engine.reader, 'all')
  const unhurried = vi.spyOn(engine.unhurried, 'all')
  await work()
  const texts = [...waited, ...sent, ...[...read.mock.calls, ...unhurried.mock.calls].map(([text]) => text)]
  vi.restoreAllMocks()
  const named = texts.filter((text) => words.test(text))
  expect(named).not.toEqual([])
  const plans = await Promise.all(
    named.map((text) => engine.reader.all<{ detail: string }>(`explain query plan ${text}`, [])),
  )
  return [...new Set(plans.flat().map(({ detail }) => detail))].filter(
    (detail) => detail.includes(` INDEX ${table}_`) || detail.includes(`_${table}_`),
  )
}

// Without statistics SQLite takes an organization, a kind or a status for selective: with a million rows each of these
// would hold up whoever writes, and the loop.
const onSqlite = it.runIf(engine.dialect.name === 'sqlite')

onSqlite('what a device forgets is found by its keys, not among all grants', async () => {
  const forget = () => changeLive(engine, 1, clock.now(), (tx) => forgetEntries(tx, system.id, ['card:1']))
  expect(await plansOf('device_entries', /device_entries/, forget)).toEqual(
    ['', 'COVERING '].map((how) =>
      expect.stringMatching(
        `^SEARCH t USING ${how}INDEX .*\\(org=. AND access_control_system_id=. AND entry_key=.\\)$`,
      ),
    ),
  )
})

onSqlite('what a door has told of is found by itself, and what came after it by the door', async () => {
  await owner.post(`/api/v1/access-points/${door.id}/unlock`, { seconds: 3 })
  const plans = await plansOf('commands', /'timed_out'\)[\s\S]*order by|is_later/, () => site.round())
  expect(plans.toSorted()).toEqual([
    expect.stringContaining('commands_by_access_point (org=? AND access_point_id=? AND created_at>?)'),
    expect.stringContaining('commands_by_id (org=? AND id=?)'),
  ])
})

onSqlite('the doors of a system that becomes another are found by it', async () => {
  const change = () => owner.patch(`/api/v1/access-control-systems/${system.id}`, { kind: 'manual' })
  expect(await plansOf('access_points', /^update door_overrides/, change)).toEqual([
    expect.stringContaining('access_points_by_system (org=? AND access_control_system_id=?)'),
  ])
  expect((await owner.patch(`/api/v1/access-control-systems/${system.id}`, { kind: 'simulator' })).status).toBe(200)
})

onSqlite('where a door leads is found by it, not among all spaces of a building', async () => {
  const ask = () => owner.get(`/api/v1/buildings/${building.id}/muster`)
  const plans = await plansOf('spaces', /from presence t join individuals/, ask)
  expect(plans).not.toEqual([])
  for (const plan of plans) expect(plan).toContain('spaces_by_id (org=? AND id=?)')
})

onSqlite('events that are removed are found by their type, not among all that are older', async () => {
  for (const access_point_id of [door.id, other.id])
    await owner.post('/api/v1/access-events', { type: 'door.closed', access_point_id })
  clock.forward(3 * DAY)
  await owner.post('/api/v1/access-events', { type: 'access.granted', access_point_id: door.id })
  const prune = () => pruneEvents(engine, clock.now(), { access: 365, door: 2, system: 365 })
  const plans = await plansOf('access_events', /t\.type = /, prune)
  expect(plans).not.toEqual([])
  for (const plan of plans) expect(plan).toContain('access_events_by_type (org=? AND type=? AND sequence<?)')
})

onSqlite('what somebody had is found by them, not among all cards that nobody has', async () => {
  const plate = await owner.create('/api/v1/credentials', { type: 'plate', number: 'ZH 1', individual_id: ada.id })
  await owner.patch(`/api/v1/credentials/${plate.id}`, { individual_id: null })
  await owner.post(`/api/v1/individuals/${ada.id}/offboard`)
  const erase = () => owner.post(`/api/v1/individuals/${ada.id}/anonymise`)
  const plans = await plansOf('credentials', /credentials_history (g|as t)/, erase)
  expect(plans.length).toBeGreaterThan(1)
  for (const plan of plans) expect(plan).toMatch(/\((org=\? AND id=\?|individual_id=\? AND org=\?)\)$/)
  expect((await owner.get(`/api/v1/credentials/${plate.id}`)).body.data.number).toBeNull()
})
