import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { Caller, NoAnswer } from './caller.ts'
import { createSite } from './site.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 2)
/** Longer than a process that died holds a system. */
const EXPIRES_SECONDS = 25

interface Command {
  id: string
  status: string
  error_message: string | null
}

async function makeDoor(caller: Caller): Promise<string> {
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await caller.call('POST', `/api/v1/${path}`, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data.id
  }
  const location_id = await make('locations', { name: 'Campus' })
  const building_id = await make('buildings', { name: 'Main', location_id })
  const space_id = await make('spaces', { name: 'Hall', building_id })
  const access_control_system_id = await make('access-control-systems', {
    name: 'Controllers',
    kind: 'simulator',
    location_id,
  })
  return make('access-points', { name: 'Door', space_id, access_control_system_id, unlock_seconds: 5 })
}

describe.each(['sqlite', 'postgres'])('kill -9 with commands under way, on %s', (engine) => {
  let postgres: PostgresServer | undefined
  beforeAll(async () => {
    if (engine === 'postgres') postgres = await startPostgres({ durable: true })
  })
  afterAll(() => postgres?.stop())

  it('none is sent twice, and each ends: confirmed by the door, or timed out', { timeout: 1_200_000 }, async () => {
    const site = await createSite(postgres)
    let server = await site.serve()
    const door = await makeDoor(new Caller(server.url, site.token))
    const commands = () =>
      site.look(({ reader }) =>
        reader.all<Command>('select id, status, error_message from commands order by created_at, id', []),
      )
    const underWay = async () => (await commands()).filter(({ status }) => status === 'queued' || status === 'sent')
    // A device that knows nothing of its doors yet says so.
    const isKnown = async () => {
      const caller = new Caller(server.url, site.token)
      const { body } = await caller.call(
        'POST',
        `/api/v1/access-points/${door}/unlock`,
        { seconds: 1 },
        { prefer: 'wait=5' },
      )
      caller.close()
      return body.data.status
    }
    await expect.poll(isKnown, { timeout: 60_000 }).toBe('confirmed')
    await expect.poll(underWay, { timeout: 60_000 }).toEqual([])
    const earlier = (await commands()).length
    const ordered: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const caller = new Caller(server.url, site.token)
      const order = async () => {
        while (server.isRunning()) {
          const body = { seconds: 1, expires_in_seconds: EXPIRES_SECONDS }
          const answer = await caller.call('POST', `/api/v1/access-points/${door}/unlock`, body).catch((error) => {
            if (!(error instanceof NoAnswer)) throw error
          })
          if (answer?.status === 201) ordered.push(answer.body.data.id)
          await delay(20)
        }
      }
      const ordering = order()
      const before = ordered.length
      await expect.poll(() => ordered.length, { timeout: 60_000 }).toBeGreaterThan(before)
      // In the midst of sending, as often as not.
      await delay(Math.random() * 3000)
      await server.kill()
      await ordering
      caller.close()
      server = await site.serve({ port: server.port })
    }
    // Those that nobody was told of, too.
    await expect.poll(underWay, { timeout: (EXPIRES_SECONDS + 60) * 1000, interval: 1000 }).toEqual([])
    const all = (await commands()).slice(earlier)
    expect(ordered.filter((id) => !all.some((command) => command.id === id))).toEqual([])
    expect(all.filter(({ status }) => status !== 'confirmed' && status !== 'timed_out')).toEqual([])
    expect(all.some(({ status }) => status === 'confirmed')).toBe(true)
    const done = await site.look(({ reader }) =>
      reader.all<{ command_id: string; n: number }>(
        `select command_id, count(*) as n from access_events where type = 'lock.unlocked' and command_id is not null
          group by command_id`,
        [],
      ),
    )
    expect(done.filter(({ n }) => n > 1)).toEqual([])
    // What the door says it did was sent, and is confirmed.
    const confirmed = new Set((await commands()).filter(({ status }) => status === 'confirmed').map(({ id }) => id))
    expect(new Set(done.map(({ command_id }) => command_id))).toEqual(confirmed)
  })
})
