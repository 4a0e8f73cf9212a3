import { createConnection } from 'node:net'
import { expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { Chance } from '../../../test/support/hostile.ts'

const PATH = '/api/v1/access-decisions'
const DAY_MS = 86_400_000

/** A door that turns often: its hours, a card that ends amid a minute, a grant for a quarter of an hour. */
async function startWorld() {
  const seen = { whole: 0 }
  const house = await startHouse({
    prepare: (app) =>
      app.addHook('onRequest', (_request, _reply, done) => {
        seen.whole += 1
        done()
      }),
  })
  const { owner, clock } = house
  const inMs = (ms: number) => new Date(Date.parse(clock.now()) + ms).toISOString()
  const location = await owner.create('/api/v1/locations', { name: 'Zürich' })
  const building = await owner.create('/api/v1/buildings', { name: 'Haus Ä', location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name: 'Büro', building_id: building.id })
  const system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
  const door = await owner.create('/api/v1/access-points', {
    name: 'Tür',
    space_id: space.id,
    access_control_system_id: system.id,
  })
  const ada = await owner.create('/api/v1/individuals', { display_name: 'Ada Lövelace' })
  const card = await owner.create('/api/v1/credentials', {
    type: 'card',
    number: '4711',
    individual_id: ada.id,
    valid_until: inMs(DAY_MS * 0.8 + 12_345),
  })
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  const weekly = [['06:00', '07:30'] as const, ['14:05', '14:10'] as const, ['22:00', '23:59'] as const]
  const schedule = await owner.create('/api/v1/schedules', {
    name: 'Shifts',
    windows: weekly.map(([from, to]) => ({ days, start: from, end: to })),
  })
  await owner.create('/api/v1/access-grants', { individual_id: ada.id, space_id: space.id, schedule_id: schedule.id })
  await owner.create('/api/v1/access-grants', {
    individual_id: ada.id,
    building_id: building.id,
    valid_from: inMs(3_600_777),
    valid_until: inMs(4_500_333),
  })
  return { ...house, seen, door, ada, card }
}

const world = await startWorld()

it('a question that is asked again is answered as one that never was, at every moment of a day, to the letter', async () => {
  const { owner, clock, door, ada } = await startWorld()
  const chance = new Chance(7)
  const questions = [
    { individual_id: ada.id, access_point_id: door.id },
    { credential: { type: 'card', number: '4711' }, access_point_id: door.id },
  ]
  const told = new Set<string>()
  for (let passed = 0; passed < DAY_MS; ) {
    const headers = { 'accept-language': chance.below(2) === 0 ? 'de' : 'en' }
    const fresh = await owner.post(`${PATH}/batch`, { questions }, headers)
    expect(fresh.status, fresh.text).toBe(200)
    for (const [index, question] of questions.entries()) {
      const answer = await owner.post(PATH, question, headers)
      expect(answer.body.data).toEqual(fresh.body.data.decisions[index])
      told.add(answer.body.data.reason)
    }
    // Within a minute, or far.
    const step = chance.below(2) === 0 ? chance.below(1_800_000) : chance.below(40_000)
    clock.forward(step)
    passed += step
  }
  expect([...told].sort()).toEqual(['credential_expired', 'granted', 'no_credential', 'out_of_time_range'])
})

it('a PIN is looked at each time', async () => {
  const { owner, door, card, seen } = world
  await owner.patch(`/api/v1/credentials/${card.id}`, { pin: '2468' })
  const question = { credential: { type: 'card', number: '4711', pin: '2468' }, access_point_id: door.id }
  const before = seen.whole
  for (let time = 0; time < 4; time++) expect((await owner.post(PATH, question)).status).toBe(200)
  expect(seen.whole - before).toBe(4)
})

it('one whose body comes in pieces, or whose sender leaves, takes the usual way', async () => {
  const { app, owner, door, ada } = world
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const body = JSON.stringify({ individual_id: ada.id, access_point_id: door.id })
  const head = [
    `POST ${PATH} HTTP/1.1`,
    'Host: gatehouse',
    `Authorization: Token ${owner.token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  const socket = createConnection(Number(url.port), '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk
  })
  const answers = () => heard.split('HTTP/1.1 200').length - 1
  const send = async (pieces: readonly string[]) => {
    const before = answers()
    for (const piece of pieces) {
      socket.write(piece)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await expect.poll(answers).toBe(before + 1)
  }
  const whole = `${head.join('\r\n')}\r\n\r\n`
  for (let time = 0; time < 4; time++) await send([whole + body])
  await send([whole, body])
  await send([whole + body.slice(0, 10), body.slice(10)])
  await send([whole + body])
  // Two at once, the second one being read while the first is answered.
  socket.write(whole + body + whole + body)
  await expect.poll(answers).toBe(9)
  socket.write(whole + body.slice(0, 10))
  await new Promise((resolve) => setTimeout(resolve, 5))
  socket.destroy()
  expect((await owner.post(PATH, JSON.parse(body))).status).toBe(200)
})

it('is not looked at again within its minute, and is once anything of it has changed', async () => {
  const { owner, clock, door, ada, card, seen } = world
  const ask = () => owner.post(PATH, { credential: { type: 'card', number: '4711' }, access_point_id: door.id })
  const wholeOf = async (times: number) => {
    const before = seen.whole
    for (let time = 0; time < times; time++) expect((await ask()).status).toBe(200)
    return seen.whole - before
  }
  expect(await wholeOf(5)).toBe(1)
  clock.forward(1000)
  expect((await ask()).body.data.evaluated_at).toBe(clock.now())
  expect(await wholeOf(2)).toBe(0)
  clock.forward(60_000)
  expect(await wholeOf(3)).toBe(1)
  await owner.patch(`/api/v1/credentials/${card.id}`, { status_reason: 'forgotten' })
  expect((await ask()).body.data.reason).toBe('credential_suspended')
  await owner.patch(`/api/v1/individuals/${ada.id}`, { display_name: 'Ada Byron' })
  expect((await ask()).body.data.explanation[0]).toContain('Ada Byron')
})
