import { randomUUID } from 'node:crypto'
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

describe('many events', () => {
  const threads: Worker[] = []
  const watched: Engine = {
    ...engine,
    startThread: (module) => {
      const thread = engine.startThread(module)
      const { postMessage } = thread
      thread.postMessage = (told) => {
        asked.push(told.name)
        postMessage.call(thread, told)
      }
      threads.push(thread)
      return thread
    },
  }
  const beside = new Beside(watched)
  const take = async (n: number, from: string) => (await beside.take(1, clock.now(), many(n, from))).results.flat()
  const asked: string[] = []

  it('are taken in by a thread, which they wait for; what is stored is seen at once', async () => {
    await take(10, 'few')
    expect(threads).toHaveLength(0)
    const observed: string[] = []
    metricsOf(watched).sink = { count: () => undefined, observe: (name) => observed.push(name) }
    const results = await take(100, 'many')
    expect([threads.length, asked]).toEqual([1, ['take']])
    expect(results.map((result) => result.status === 'stored' && result.sequence)).toEqual(
      Array.from({ length: 100 }, (_, n) => 11 + n),
    )
    expect(await stored()).toBe(110)
    expect(observed).toEqual(['gatehouse_db_commit_seconds'])
  })

  it('are judged there too', async () => {
    await engine.transaction((session) =>
      session.run("update access_events set verdict = null where source_id like 'few %'", []),
    )
    expect(await beside.do('judge', 1, clock.now(), { from: 2, through: 8, limit: 5 })).toEqual({
      isMore: true,
      isAlarming: false,
    })
    expect(asked).toEqual(['take', 'judge'])
    const open = await engine.reader.all<{ sequence: number }>(
      'select sequence from access_events where verdict is null order by sequence',
      [],
    )
    expect(open.map(({ sequence }) => sequence)).toEqual([1, 7, 8, 9, 10])
  })

  it('are refused as they would be here, and stored once where they are sent again', async () => {
    const again = await take(100, 'many')
    expect(again.every(({ status }) => status === 'duplicate')).toBe(true)
    const told = [
      {
        events: [{ type: 'door.opened' as const, access_point_id: randomUUID() }],
        scope: 'all' as const,
        received_at: clock.now(),
      },
    ]
    expect(await beside.take(1, clock.now(), told)).toMatchObject({
      results: [[{ status: 'refused', fault: { rule: 'reference.not_found' } }]],
    })
  })

  it('are taken in here again when the thread is lost or does not come about, and by another one in time', async () => {
    await threads[0]?.terminate()
    const under = take(60, 'after')
    expect(threads).toHaveLength(2)
    await threads[1]?.terminate()
    expect((await under).every(({ status }) => status === 'stored')).toBe(true)
    expect(asked).toHaveLength(4)
    await take(60, 'later')
    expect([threads.length, asked.length]).toEqual([3, 5])
  })

  it('that cannot be stored keep nobody else’s from being stored at the same time', async () => {
    const [of, , wrong, after] = await Promise.allSettled([
      take(20, 'before it'),
      beside.do('judge', 1, clock.now(), { from: 0, through: 0, limit: 1 }),
      beside.take(77, clock.now(), many(1, 'nobody')),
      take(20, 'after it'),
    ])
    expect([of.status, wrong.status, after.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    // The thread that failed is gone with its last answer.
    await new Promise((resolve) => threads.at(-1)?.once('exit', resolve))
    await take(60, 'another')
    expect(threads).toHaveLength(4)
  })

  it('tell what is wrong when they cannot be stored', async () => {
    await expect(beside.take(77, clock.now(), many(1, 'nobody'))).rejects.toThrow(/foreign key/i)
    expect(await take(1, 'still')).toMatchObject([{ status: 'stored' }])
  })
})
