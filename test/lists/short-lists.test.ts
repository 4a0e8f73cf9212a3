import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { startHouse } from '../support/app.ts'
import { Chance } from '../support/hostile.ts'

const WORDS = ['lab', 'office', 'kitchen', 'hall', 'étage']
const LISTS = [
  '/api/v1/spaces/records?limit=5&order=name&search=lab',
  '/api/v1/spaces/records?limit=5&order=name&search=lab&page=2',
  '/api/v1/spaces/records?limit=5&search=hall+lab',
  '/api/v1/spaces/records?limit=5&department=eq.office&order=name.desc',
  '/api/v1/spaces/records?limit=3&search=etage&order=updated_at',
  '/api/v1/spaces/records?limit=50&or=(department.eq.hall,slug.eq.lab)&order=department,name.desc',
  '/api/v1/spaces/records?limit=5&order=name&search=north',
  '/api/v1/buildings?limit=5&search=north',
]

async function startWorld(size: number) {
  const house = await startHouse()
  const { owner } = house
  const location = await owner.create('/api/v1/locations', { name: 'Harbour' })
  const buildings: string[] = []
  for (const name of ['North', 'South'])
    buildings.push((await owner.create('/api/v1/buildings', { name, location_id: location.id })).id)
  const chance = new Chance(11)
  const some = () => ({
    name: `${chance.pick(WORDS)} ${chance.below(30)}`,
    department: chance.pick(WORDS),
    slug: chance.pick(WORDS),
  })
  const make = async () =>
    (await owner.create('/api/v1/spaces', { ...some(), building_id: chance.pick(buildings) })).id as string
  const spaces: string[] = []
  for (let n = 0; n < size; n++) spaces.push(await make())
  return { ...house, buildings, spaces, chance, some, make }
}

it('whatever is written, a list that is corrected is what it would be if it were read anew', async () => {
  const { owner, clock, buildings, spaces, chance, some, make } = await startWorld(30)
  const change = async () => {
    const space = chance.pick(spaces)
    const at = chance.below(10)
    if (at === 0) spaces.push(await make())
    else if (at === 1) {
      await owner.delete(`/api/v1/spaces/${space}`)
      spaces.splice(spaces.indexOf(space), 1)
    } else if (at === 2)
      await owner.patch(`/api/v1/buildings/${chance.pick(buildings)}`, {
        name: chance.pick(['North', 'South', 'West']),
      })
    else if (at === 3) await owner.patch(`/api/v1/spaces/${space}`, { building_id: chance.pick(buildings) })
    else if (at < 7) await owner.patch(`/api/v1/spaces/${space}`, some())
    else await owner.patch(`/api/v1/spaces/${space}`, { area: `${chance.below(99)} m2` })
  }
  for (let step = 0; step < 50; step++) {
    clock.forward(1000)
    await change()
    const asked = LISTS.filter(() => chance.below(3) > 0)
    const answers = await Promise.all(asked.map((list) => owner.get(list)))
    for (const [at, list] of asked.entries()) {
      const answer = answers[at] as (typeof answers)[number]
      // Never asked before: nothing of it is known.
      const fresh = await owner.get(`${list}&id=neq.${randomUUID()}`)
      expect(answer.body.data, `${list} after ${step} changes`).toEqual(fresh.body.data)
      expect(answer.body.meta.pagination).toEqual(fresh.body.meta.pagination)
    }
  }
}, 60_000)

it('the same search has the order of each list that it is asked of, whichever was asked before', async () => {
  const { owner, clock, buildings } = await startWorld(0)
  for (const name of ['lab c', 'lab a', 'lab b']) {
    clock.forward(1000)
    await owner.create('/api/v1/spaces', { name, building_id: buildings[0] })
  }
  const namesOf = async (path: string) =>
    (await owner.get(path)).body.data.map(({ name }: { name: string }) => name.slice(-1)).join('')
  for (const [n, paths] of [
    ['/api/v1/spaces', '/api/v1/spaces/records'],
    ['/api/v1/spaces/records', '/api/v1/spaces'],
  ].entries()) {
    // Nobody has asked for that word yet.
    const search = ['lab', 'la'][n]
    for (const path of paths)
      for (let time = 0; time < 3; time++)
        expect(await namesOf(`${path}?search=${search}&limit=${5 + time}`), path).toBe(
          path.endsWith('records') ? 'cab' : 'abc',
        )
  }
})

it('what happens at the doors is in a list at once, however often it was asked before: an alarm that is open', async () => {
  const { owner, spaces } = await startWorld(1)
  const door = await owner.create('/api/v1/access-points', { name: 'Door', space_id: spaces[0] })
  const open = async () => (await owner.get('/api/v1/alarms?status=in.(open,acknowledged)&limit=50')).body.data
  for (let time = 0; time < 4; time++) {
    for (let again = 0; again < 3; again++) expect(await open()).toEqual([])
    await owner.create('/api/v1/access-events', { type: 'door.forced', access_point_id: door.id })
    const [alarm, ...others] = await open()
    expect([alarm?.kind, others]).toEqual(['forced_open', []])
    expect((await owner.post(`/api/v1/alarms/${alarm.id}/close`, {})).status).toBe(200)
  }
})

it('doors that are found or sorted by their state are listed as if nobody had asked before, whatever is written', async () => {
  const { owner, clock, chance, spaces } = await startWorld(1)
  const doors: string[] = []
  const make = async () =>
    doors.push((await owner.create('/api/v1/access-points', { name: `${doors.length}`, space_id: spaces[0] })).id)
  while (doors.length < 6) await make()
  const lists = [
    'kind=eq.door&order=position,name.desc',
    'position=eq.open&order=state_changed_at.desc',
    'mode=eq.locked&order=label',
    'or=(position.eq.open,in_alarm.eq.true,label.eq.a)',
    'search=a&order=position',
  ]
  for (let step = 0; step < 30; step++) {
    clock.forward(1000)
    const door = chance.pick(doors)
    const type = chance.pick(['door.opened', 'door.closed', 'door.forced'])
    const at = chance.below(10)
    if (at === 0) await make()
    else if (at < 7) await owner.patch(`/api/v1/access-points/${door}`, { label: chance.pick(['a', 'b']) })
    else await owner.post('/api/v1/access-events', { type, access_point_id: door, occurred_at: clock.now() })
    for (const list of lists) {
      const answer = await owner.get(`/api/v1/access-points?${list}`)
      // Never asked before: nothing of it is known.
      const fresh = await owner.get(`/api/v1/access-points?${list}&id=neq.${randomUUID()}`)
      expect(answer.body.data, `${list} after ${step} changes`).toEqual(fresh.body.data)
    }
  }
})

it('after a change of another row, only that row is looked at, and the answer is the one that was made', async () => {
  const { owner, engine, spaces, buildings } = await startWorld(12)
  const other = (await owner.create('/api/v1/spaces', { name: 'Cellar', building_id: buildings[0] as string })).id
  const list = '/api/v1/spaces?search=lab'
  const touch = (n: number) => owner.patch(`/api/v1/spaces/${other}`, { department: `Department ${n}` })
  for (let n = 0; n < 3; n++) {
    await touch(n)
    expect((await owner.get(list)).status).toBe(200)
  }
  const read = vi.spyOn(engine.reader, 'all')
  await touch(4)
  read.mockClear()
  await owner.get(list)
  expect(read.mock.calls.map(([text]) => text)).toEqual([expect.stringMatching(/^select t\.id, .* cross join/s)])
  const { data } = (await owner.get(list)).body
  expect(data.length).toBeGreaterThan(0)
  // One of its own is shown as it is now, and one that no longer fits is gone.
  const [first] = data as Array<{ id: string }>
  await owner.patch(`/api/v1/spaces/${first?.id}`, { area: '12 m2' })
  expect((await owner.get(list)).body.data[0]).toMatchObject({ id: first?.id, area: '12 m2' })
  await owner.patch(`/api/v1/spaces/${first?.id}`, { name: 'Store', slug: 'store', department: null })
  expect((await owner.get(list)).body.data.map(({ id }: { id: string }) => id)).not.toContain(first?.id)
  expect(spaces).toContain(first?.id)
})

it('lists that are asked for at once after a change look at what it wrote by one statement, where there is a way to go', async () => {
  const { owner, engine, spaces } = await startWorld(20)
  const lists = [...WORDS, 'lab office', 'hall lab'].map(
    (word) => `/api/v1/spaces/records?search=${encodeURIComponent(word)}`,
  )
  const askAll = () => Promise.all(lists.map((list) => owner.get(list)))
  const touch = (n: number) => owner.patch(`/api/v1/spaces/${spaces[0]}`, { name: `Cellar ${n}` })
  const looking = /^select t\.id, case when .* cross join spaces/s
  for (let n = 0; n < 3; n++) {
    await touch(n)
    await askAll()
  }
  const read = vi.spyOn(engine.reader, 'all')
  await owner.patch(`/api/v1/spaces/${spaces[0]}`, { department: 'Quiet kitchen' })
  read.mockClear()
  const answers = await askAll()
  // Those of one word, and those of two.
  const looks = engine.dialect.name === 'postgres' ? 2 : lists.length
  expect(read.mock.calls.filter(([text]) => looking.test(text))).toHaveLength(looks)
  for (const [at, { body }] of answers.entries()) {
    const fresh = await owner.get(`${lists[at]}&id=neq.${randomUUID()}`)
    expect(body.data, lists[at]).toEqual(fresh.body.data)
  }
})

it('where there is a way to go, lists that were asked for lately are looked at with the first that is asked for again', async () => {
  const { owner, engine, spaces } = await startWorld(20)
  const isFar = engine.dialect.name === 'postgres'
  const lists = WORDS.map((word) => `/api/v1/spaces/records?search=${encodeURIComponent(word)}`)
  const askInTurn = async (some: readonly string[]) => {
    for (const list of some) await owner.get(list)
  }
  const touch = (n: number) => owner.patch(`/api/v1/spaces/${spaces[0]}`, { name: `Cellar ${n}` })
  for (let n = 0; n < 3; n++) {
    await touch(n)
    await askInTurn(lists)
  }
  const read = vi.spyOn(engine.reader, 'all')
  const looksOf = async (some: readonly string[]) => {
    read.mockClear()
    await askInTurn(some)
    return read.mock.calls.map(([text]) => text).filter((text) => /^select t\.id, case when .* cross join/s.test(text))
  }
  await touch(3)
  expect(await looksOf(lists)).toHaveLength(isFar ? 1 : lists.length)
  await touch(4)
  const [, ...others] = lists
  expect(await looksOf(lists.slice(0, 1))).toHaveLength(1)
  await touch(5)
  const [alone = ''] = await looksOf(lists.slice(0, 1))
  // Nobody has asked for the others since.
  expect(alone).not.toMatch(/ as in_1\b/)
  await askInTurn(others)
  for (const list of lists) {
    const fresh = await owner.get(`${list}&id=neq.${randomUUID()}`)
    expect((await owner.get(list)).body.data, list).toEqual(fresh.body.data)
  }
})
