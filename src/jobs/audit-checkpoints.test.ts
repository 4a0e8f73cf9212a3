import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { actor, startHouse } from '../../test/support/app.ts'
import { startSigning } from '../../test/support/audit.ts'
import { type AuditVerdict, verifyAudit } from '../audit/verify.ts'
import type { Session } from '../db/engine.ts'
import { createOrganization } from '../identity/organizations.ts'
import { AuditCheckpoints, startCheckpoints } from './audit-checkpoints.ts'

const house = await startHouse()
const { engine, clock } = house
const logger = pino({ level: 'silent' })
const DAY = 86_400_000

interface Point {
  number: number
  sequence: number
}
const pointsOf = (org: number) =>
  engine.reader.all<Point>('select number, sequence from audit_checkpoints where org = $1 order by sequence', [org])
const entriesOf = async (org: number) =>
  (
    await engine.reader.all<{ sequence: number }>('select sequence from audit_log where org = $1 order by sequence', [
      org,
    ])
  ).map(({ sequence }) => sequence)

let count = 0
async function organization() {
  const name = `Organization ${++count}`
  const { key, id } = await createOrganization(engine, clock.now(), actor, name)
  const owner = await house.member('Owner', {}, name)
  const add = (n: number) =>
    Promise.all(Array.from({ length: n }, (_, i) => owner.create('/api/v1/locations', { name: `L${i}` })))
  return { key, id, owner, add }
}

describe('checkpoints', () => {
  it('are made for new entries once a minute, and not without any', async () => {
    const { key, add } = await organization()
    const { config } = await startSigning(engine, clock)
    const job = new AuditCheckpoints({ engine, clock, logger, config })
    await job.sign()
    expect(await pointsOf(key)).toEqual([{ number: 1, sequence: 4 }])
    await add(1)
    clock.forward(59_999)
    await job.sign()
    expect(await pointsOf(key)).toHaveLength(1)
    clock.forward(1)
    await job.sign()
    expect(await pointsOf(key)).toEqual([
      { number: 1, sequence: 4 },
      { number: 2, sequence: 5 },
    ])
    clock.forward(3_600_000)
    expect(await job.sign()).toBe(0)
  })

  it('of two processes that share a key and a folder count on without a gap', async () => {
    const { key, id, add } = await organization()
    const signing = await startSigning(engine, clock)
    const others = [1, 2].map(() => new AuditCheckpoints({ engine, clock, logger, config: signing.config }))
    for (let i = 0; i < 4; i++) {
      await add(2)
      await Promise.all(others.map((job) => job.sign(true)))
    }
    expect((await pointsOf(key)).map(({ number }) => number)).toEqual([1, 2, 3, 4])
    expect((await signing.verify(key, id)).fault).toBeUndefined()
  })

  it('that another process makes while the log is looked through are no sign that it was altered', async () => {
    const { key, id, add } = await organization()
    const signing = await startSigning(engine, clock)
    const verdicts: AuditVerdict[] = []
    for (let i = 0; i < 2; i++) {
      await add(2)
      const all: Session['all'] = async <Row>(text: string, values: unknown[]) => {
        const rows = await engine.reader.all<Row>(text, values)
        if (text.includes('o.audit_checkpoint as checkpoint')) await signing.sign()
        return rows
      }
      verdicts.push(await verifyAudit({ reader: { ...engine.reader, all } }, key, await signing.trust(id)))
    }
    expect(verdicts.map(({ fault }) => fault)).toEqual([undefined, undefined])
    expect(await pointsOf(key)).toHaveLength(2)
  })

  it.runIf(engine.dialect.name === 'postgres')(
    'wait for nobody who writes something that belongs to the organization, and nobody waits behind them for that',
    async () => {
      const { key, add } = await organization()
      await add(1)
      const { config } = await startSigning(engine, clock)
      const job = new AuditCheckpoints({ engine, clock, logger, config })
      await engine.transaction(async (session) => {
        await session.all('select key from organizations where key = $1 for key share', [key])
        await job.sign(true)
      })
      expect(await pointsOf(key)).toHaveLength(1)
    },
  )

  it('are made every ten seconds where due, and when the service stops', async () => {
    const { key, add } = await organization()
    const { config } = await startSigning(engine, clock)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const running = startCheckpoints({ engine, clock, logger, config })
    try {
      await vi.advanceTimersByTimeAsync(10_000)
      await vi.waitFor(async () => expect(await pointsOf(key)).toHaveLength(1), { timeout: 20_000 })
      await add(1)
    } finally {
      vi.useRealTimers()
      await running.stop()
    }
    expect((await pointsOf(key)).at(-1)?.sequence).toBe(5)
  })
})

describe('retention', () => {
  it('removes from the oldest end what is older than configured and covered by a checkpoint, and the log stays whole', async () => {
    const { key, id, owner, add } = await organization()
    const signing = await startSigning(engine, clock, 30)
    const begin = clock.now()
    await add(3)
    await signing.sign()
    await add(2)
    // Never signed while it was young: it waits until it is.
    clock.forward(31 * DAY)
    expect(await signing.prune()).toBeGreaterThanOrEqual(7)
    const [first] = await entriesOf(key)
    expect(first).toBe(8)
    expect(await signing.verify(key, id)).toEqual({ rows: 3, signedUpTo: 7 })
    await signing.sign()
    clock.forward(DAY)
    await add(4)
    await signing.sign()
    expect(await signing.verify(key, id)).toEqual({ rows: 7, signedUpTo: 14 })
    expect(await signing.prune()).toBe(0)

    const [entry] = (await owner.get('/api/v1/audit-log?action=eq.audit_log.pruned')).body.data
    expect(entry).toMatchObject({
      actor_kind: 'system',
      actor_name: 'Audit log retention',
      after: { from: 1, to: 7, removed: 7 },
    })
    expect((await owner.get(`/api/v1/audit-log?occurred_at=lte.${begin}&resource=neq.locations`)).body.data).toEqual([])
    // On the record too: entry 15.
    const exported = (await owner.get('/api/v1/audit-log/export')).text.split('\n')
    expect(JSON.parse(exported[0] ?? '').sequence).toBe(8)

    clock.forward(31 * DAY)
    await add(1)
    await signing.sign()
    await signing.prune()
    const left = await entriesOf(key)
    expect(left.length).toBeLessThan(4)
    expect(await signing.verify(key, id)).toEqual({ rows: left.length, signedUpTo: 16 })
  })

  it('keeps what is young by its own date, whatever the clock said when it was signed', async () => {
    const { key, id, add } = await organization()
    const signing = await startSigning(engine, clock, 30)
    await signing.sign()
    clock.forward(20 * DAY)
    await add(2)
    clock.forward(-20 * DAY)
    await signing.sign()
    clock.forward(40 * DAY)
    await signing.prune()
    expect((await entriesOf(key))[0]).toBe(5)
    expect((await signing.verify(key, id)).fault).toBeUndefined()
  })

  it('is off unless configured', async () => {
    const { key, add } = await organization()
    const signing = await startSigning(engine, clock)
    await add(2)
    await signing.sign()
    clock.forward(4000 * DAY)
    expect(await signing.prune()).toBe(0)
    expect((await entriesOf(key))[0]).toBe(1)
  })
})
