import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Engine } from '../../src/db/engine.ts'
import { createOrganization } from '../../src/identity/organizations.ts'
import { prune, startPruning } from '../../src/jobs/pruning/prune.ts'
import { actor, openEngine, TestClock } from '../support/app.ts'

let engine: Engine
let org: number
const clock = new TestClock('2027-06-15T12:00:00.000Z')
const ago = (hours: number) => new Date(Date.parse(clock.now()) - hours * 3_600_000).toISOString()

beforeAll(async () => {
  const opened = await openEngine()
  engine = opened.engine
  org = (await createOrganization(engine, ago(1), actor, 'Test')).key
  afterAll(async () => {
    await engine.close()
    await opened.drop()
  })
})

const addKey = (key: string, at: string) =>
  engine.transaction((session) =>
    session.run(
      `insert into idempotency_keys (org, principal_id, credential, key, fingerprint, held, status, body, created_at)
       values ($1, $2, '', $3, $4, '{}', 201, $5, $6)`,
      [org, randomUUID(), key, '', '{}', at],
    ),
  )
const keys = async () =>
  (await engine.reader.all<{ key: string }>('select key from idempotency_keys order by key', [])).map((row) => row.key)

it('removes idempotency keys after a day, and nothing younger', async () => {
  await addKey('old', ago(24.1))
  await addKey('young', ago(23.9))
  expect(await prune(engine, clock.now())).toEqual({ idempotencyKeys: 1, webhookDeliveries: 0 })
  expect(await keys()).toEqual(['young'])
})

it('removes many a little at a time', async () => {
  await engine.transaction(async (session) => {
    const values = Array.from(
      { length: 1500 },
      (_, i) => `(${org}, '${randomUUID()}', '', 'k${i}', '', '{}', 201, '{}', '${ago(30)}')`,
    )
    for (let i = 0; i < 4; i++) {
      const rows = values.map((row) => row.replace(/'[0-9a-f-]{36}'/, `'${randomUUID()}'`)).join(', ')
      await session.script(
        `insert into idempotency_keys (org, principal_id, credential, key, fingerprint, held, status, body, created_at)
          values ${rows}`,
      )
    }
  })
  const transactions = vi.spyOn(engine, 'transaction')
  expect((await prune(engine, clock.now())).idempotencyKeys).toBe(6000)
  // Each takes so little that nobody waits for it.
  expect(transactions.mock.calls.length).toBeGreaterThan(10)
  transactions.mockRestore()
})

it('runs a minute after the start and then every hour, by the injected clock', async () => {
  const planned: Array<{ run: () => void; ms: number }> = []
  const pruning = startPruning(engine, clock, pino({ level: 'silent' }), {
    schedule: (run, ms) => {
      planned.push({ run, ms })
      return { cancel: () => undefined }
    },
  })
  await addKey('first', ago(25))
  expect(planned.map(({ ms }) => ms)).toEqual([60_000])
  expect(await keys()).toContain('first')
  planned[0]?.run()
  await expect.poll(() => planned.map(({ ms }) => ms)).toEqual([60_000, 3_600_000])
  expect(await keys()).not.toContain('first')
  await addKey('second', ago(1))
  clock.forward(24 * 3_600_000)
  planned[1]?.run()
  await pruning.stop()
  expect(await keys()).not.toContain('second')
})
