import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import type { Engine } from '../../db/engine.ts'
import { metricsOf } from '../../db/metrics.ts'
import { Beside } from './beside.ts'

const { owner, engine, clock } = await startHouse()

const many = (n: number, from: string) => [
  {
    events: Array.from({ length: n }, (_, index) => ({ type: 'door.opened' as const, source_id: `${from} ${index}` })),
    scope: 'all' as const,
    received_at: clock.now(),
  },
]
const stored = async () => (await owner.get('/api/v1/access-events?limit=1')).body.meta.pagination.total

describe.runIf(engine.dialect.name === 'sqlite')('many events on SQLite', () => {
  const threads: Worker[] = []
  const watched: Engine = {
    ...engine,
    startThread: (module) => {
      const thread = engine.startThread?.(module) as Worker
      threads.push(thread)
      return thread
    },
  }
  const beside = new Beside(watched)
  const take = (n: number, from: string) => beside.take(1, clock.now(), many(n, from))

  it('are taken in by a thread, once there are many; what is stored is seen at once', async () => {
    await take(10, 'few')
    expect(threads).toHaveLength(0)
    await take(100, 'many')
    expect(threads).toHaveLength(1)
    const [thread] = threads as [Worker]
    await once(thread, 'message')
    const asked = once(thread, 'message')
    const observed: string[] = []
    metricsOf(watched).sink = { count: () => undefined, observe: (name) => observed.push(name) }
    const [results] = await take(100, 'beside')
    expect((await asked)[0]).toMatchObject({ results: [results] })
    expect(results?.map((result) => result.status === 'stored' && result.sequence)).toEqual(Array.from({ length: 100 }, (_, n) => 111 + n))
    expect(await stored()).toBe(210)
    expect(observed).toEqual(['gatehouse_db_commit_seconds'])
  })

  it('are refused as they would be here, and stored once where they are sent again', async () => {
    const [again] = await take(100, 'beside')
    expect(again?.every(({ status }) => status === 'duplicate')).toBe(true)
    const told = [
      { events: [{ type: 'door.opened' as const, access_point_id: 'nowhere' }], scope: 'all' as const, received_at: clock.now() },
    ]
    expect(await beside.take(1, clock.now(), told)).toMatchObject([[{ status: 'refused', fault: { rule: 'reference.not_found' } }]])
  })

  it('are taken in here again when the thread is lost, and by another one in time', async () => {
    await threads[0]?.terminate()
    const [here] = await take(60, 'after')
    expect(here?.every(({ status }) => status === 'stored')).toBe(true)
    expect(threads).toHaveLength(2)
  })

  it('tell what is wrong when they cannot be stored', async () => {
    await once(threads[1] as Worker, 'message')
    await expect(beside.take(77, clock.now(), many(1, 'nobody'))).rejects.toThrow(/FOREIGN KEY/)
    expect((await take(1, 'still'))[0]).toMatchObject([{ status: 'stored' }])
  })
})
