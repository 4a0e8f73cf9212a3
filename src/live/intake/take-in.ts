import type { Engine } from '../../db/engine.ts'
import { OrgHandle } from '../../db/org.ts'
import { raiseAll } from '../alarms.ts'
import { takeEffect } from '../effects.ts'
import { findAll, lastChange } from '../findings.ts'
import { changeLive, type LiveTx } from '../live-transaction.ts'
import type { IngestResult, JudgedEvent, PreparedEvent, StoredEvent } from './new-event.ts'
import { isFault, type Prepared, prepare, type Told } from './prepare.ts'
import { type Stored, store } from './store.ts'

/** What became of each event, by sender. */
export interface Taken {
  readonly results: IngestResult[][]
  /** All of them have their verdict. */
  readonly isJudged: boolean
}

/**
 * Stores what some senders tell, in their order and in one transaction, with what follows from it; durable once it answers. Most events
 * have their verdict then.
 */
export async function takeIn(engine: Engine, org: number, now: string, told: readonly Told[]): Promise<Taken> {
  const handle = new OrgHandle(engine, org, now)
  const { events: prepared, doors } = await prepare(handle, told)
  const good = prepared.flat().filter((event): event is PreparedEvent => !isFault(event))
  const { places, fresh } = good.length === 0 ? { places: [], fresh: [] } : await storeAll(handle, good, doors)
  const stored = new Map(fresh.map((event) => [event.id, event]))
  let next = 0
  const results = prepared.map((events, index) =>
    events.map((event): IngestResult => {
      if (isFault(event)) return { status: 'refused', fault: event }
      const { isNew, id, sequence } = places[next++] as Stored
      const result = { status: isNew ? 'stored' : 'duplicate', id, sequence } as const
      const whole = told[index]?.isShown && isNew ? stored.get(id) : undefined
      return whole?.verdict ? { ...result, event: whole } : result
    }),
  )
  return { results, isJudged: fresh.every(({ verdict }) => verdict !== null) }
}

type Doors = Prepared['doors']

async function storeAll(handle: OrgHandle, events: readonly PreparedEvent[], doors: Doors) {
  const { found, changed_at } = await findAll(handle, events)
  return changeLive(handle.engine, handle.org, handle.instant, async (tx) => {
    const isStill = (await lastChange(tx)) === changed_at
    const judged = events.map((event, index): JudgedEvent => ({ ...event, ...((isStill && found[index]) || UNJUDGED) }))
    const stored = await store(tx, judged)
    await follow(tx, stored.fresh, doors)
    return stored
  })
}

const UNJUDGED = { verdict: null, verdict_reason: null }

async function follow(tx: LiveTx, fresh: readonly StoredEvent[], doors: Doors): Promise<void> {
  await takeEffect(tx, fresh, doors)
  await raiseAll(
    tx,
    'unexpected_grant',
    fresh.filter(({ verdict }) => verdict === 'unexpected_grant'),
  )
}
