import { expect, it } from 'vitest'
import { askedList } from '../../src/db/lists/asked-list.ts'
import { countBy } from '../../src/db/lists/counts.ts'
import { listPage } from '../../src/db/lists/list.ts'
import { OrgHandle } from '../../src/db/org.ts'
import { EVERY_PARAMETER, parseListQuery } from '../../src/query/parse.ts'
import { accessPoints } from '../../src/resources/access-points/schema.ts'
import { startHouse } from '../support/app.ts'
import { watchTexts } from '../support/watched-texts.ts'

const { engine, owner, clock } = await startHouse()
const [organization] = await engine.reader.all<{ key: number }>('select key from organizations', [])
const handle = new OrgHandle(engine, organization?.key ?? 0, clock.now())

const askedFor = async (text: string) => {
  const query = parseListQuery(text, accessPoints.fields, EVERY_PARAMETER)
  const { plan } = await askedList(handle, accessPoints, { query, scope: 'all', scopeOf: () => 'all' })
  return plan
}

it('what stands beside doors is joined once, not looked up for each of them', async () => {
  for (const query of [
    'in_alarm=eq.true',
    'position=eq.open',
    'order=state_changed_at.desc',
    'kind=eq.door&order=position',
  ]) {
    const { from, where, order } = await askedFor(query)
    expect(from, query).toContain('access_point_states beside')
    expect(`${where} ${order}`, query).not.toContain('from access_point_states')
  }
  expect((await askedFor('kind=eq.door')).from).toBe('access_points t')
})

// What a small database is asked by an index, PostgreSQL reads as a whole: there is nothing to see in its plan.
it.runIf(engine.dialect.name === 'sqlite')(
  'the doors of a building by their last change are looked up by the building',
  async () => {
    const building = '01890000-0000-7000-8000-000000000000'
    const { from, where, order } = await askedFor(`building_id=eq.${building}&order=state_changed_at.desc`)
    const text = `explain query plan select t.id from ${from} where ${where} order by ${order} limit 25`
    const [first] = await handle.query<{ detail: string }>(text, [building])
    expect(first?.detail).toContain('access_points_by_building (org=? AND building_id=?)')
  },
)

/** A handle, and the texts of what is asked through it. */
function watch(): { watched: OrgHandle; asked: string[] } {
  const { watching, asked } = watchTexts(engine)
  return { watched: new OrgHandle(engine, handle.org, clock.now(), watching), asked }
}

it.runIf(engine.dialect.name === 'sqlite')('all doors are counted by their connectivity along an index', async () => {
  const { watched, asked } = watch()
  await countBy(watched, accessPoints, 'connectivity', 'all')
  const counting = asked.find((text) => text.includes('count(*)'))
  const [first] = await engine.reader.all<{ detail: string }>(`explain query plan ${counting}`, [handle.org])
  expect(first?.detail).toContain('COVERING INDEX access_point_states_by_connectivity')
})

it('doors are found, sorted and counted by their state as they show it', async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Campus' })
  const building = await owner.create('/api/v1/buildings', { name: 'House', location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
  const doors: string[] = []
  for (let n = 0; n < 6; n++)
    doors.push((await owner.create('/api/v1/access-points', { name: `Door ${n}`, space_id: space.id })).id)
  for (const [n, type] of ['door.opened', 'door.forced', 'door.opened'].entries()) {
    clock.forward(1000)
    const sent = await owner.post('/api/v1/access-events', {
      type,
      access_point_id: doors[n],
      occurred_at: clock.now(),
    })
    expect(sent.status, sent.text).toBeLessThan(300)
  }
  // Long pieces, as files are made of: what stands beside a door is looked up once, not for each column of it.
  for (const text of ['', 'position=eq.open', 'order=state_changed_at.desc', 'order=name']) {
    const { watched, asked } = watch()
    const query = { ...parseListQuery(text, accessPoints.fields, EVERY_PARAMETER), limit: 500 }
    const request = { query, scope: 'all' as const, scopeOf: () => 'all' as const, after: null }
    const names = ['id', 'position', 'in_alarm', 'connectivity', 'state_changed_at']
    const { rows } = await listPage(watched, accessPoints, { ...request, names })
    const short = await listPage(watched, accessPoints, { ...request, names, query: { ...query, limit: 50 } })
    expect(rows, text).toEqual(short.rows)
    expect(rows, text).toHaveLength(text === 'position=eq.open' ? 3 : 6)
    const isLookedUp = engine.dialect.name === 'sqlite'
    if (text === '' || text === 'order=name') expect(/select b\.position/.test(asked[0] ?? ''), text).toBe(isLookedUp)
  }
  for (const order of ['state_changed_at.desc', 'position', 'in_alarm.desc,name']) {
    const file = await owner.get(`/api/v1/access-points?order=${order}&select=id&format=ndjson`)
    const page = await owner.get(`/api/v1/access-points?order=${order}&select=id&limit=100`)
    expect(
      file.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
      order,
    ).toEqual(page.body.data)
    const first = await owner.get(`/api/v1/access-points?order=${order}&select=id&limit=4&cursor=`)
    const next = await owner.get(first.headers.link?.toString().match(/<([^>]*)>; rel="next"/)?.[1] ?? '')
    expect([...first.body.data, ...next.body.data], order).toEqual(page.body.data)
  }
  const list = async (query: string) => (await owner.get(`/api/v1/access-points?${query}`)).body
  const { data: all } = await list('limit=100')
  for (const place of ['', `&building_id=eq.${building.id}`]) {
    const open = await list(`position=eq.open${place}`)
    expect(open.data.map(({ name }: { name: string }) => name).sort()).toEqual(
      all
        .flatMap(({ name, position }: { name: string; position: string }) => (position === 'open' ? [name] : []))
        .sort(),
    )
    const sorted = await list(`order=state_changed_at.desc${place}`)
    const moments = sorted.data.map(({ state_changed_at }: { state_changed_at: string }) => state_changed_at)
    expect(moments).toEqual([...moments].sort().reverse())
    const { data: groups } = (await owner.get(`/api/v1/access-points/summary?group_by=in_alarm${place}`)).body
    expect(groups.map(({ in_alarm, count }: { in_alarm: boolean; count: number }) => [in_alarm, count])).toEqual([
      [false, 5],
      [true, 1],
    ])
  }
  expect((await owner.get('/api/v1/overview')).body.data.access_points).toMatchObject({
    total: 6,
    in_alarm: 1,
    needs_service: 0,
  })
})
