import { unavailable } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Engine } from '../../db/engine.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import { metricsOf } from '../../db/metrics.ts'
import { OrgHandle } from '../../db/org.ts'
import { takeEffect } from '../effects.ts'
import { changeLive } from '../live-transaction.ts'
import { newsOf } from '../news.ts'
import type { IngestResult, NewEvent, PreparedEvent } from './new-event.ts'
import { isFault, prepare } from './prepare.ts'
import { type Stored, store } from './store.ts'

export interface IngestParts {
  readonly engine: Engine
  readonly clock: Clock
}

/** So many events are committed together at most. */
const TOGETHER = 1000
/** After a commit those that come one by one are gathered for so long: a commit costs the same for one as for twenty. */
const GATHER_MS = 10
/** So many are worth a commit of their own. */
const MANY = 100
/** So many wait in one process; beyond that the sender is to come again. */
const WAITING_LIMIT = 20_000

/**
 * Takes in what happened at the doors: validated, stored in the order of commit, and durable once it answers. Events that come at
 * the same time share a transaction. `scope`: where the sender may report of.
 */
export async function ingest(
  { engine, clock }: IngestParts,
  org: number,
  events: readonly NewEvent[],
  scope: Scope = 'all',
): Promise<IngestResult[]> {
  const prepared = await prepare(new OrgHandle(engine, org, clock.now()), events, scope)
  const good = prepared.filter((event): event is PreparedEvent => !isFault(event))
  const places = good.length === 0 ? [] : await queuesOf(engine).add(org, good, clock)
  let next = 0
  return prepared.map((event): IngestResult => {
    if (isFault(event)) return { status: 'refused', fault: event }
    const { isNew, id, sequence } = places[next++] as Stored
    return { status: isNew ? 'stored' : 'duplicate', id, sequence }
  })
}

interface Waiting {
  readonly events: readonly PreparedEvent[]
  readonly stored: PromiseWithResolvers<Stored[]>
  readonly since: number
}

interface Queue {
  waiting: Waiting[]
  isBusy: boolean
  /** When the last commit ended, by the monotonic clock. */
  committed: number
}

class Queues {
  private readonly engine: Engine
  private readonly queues = new Map<number, Queue>()
  private count = 0

  constructor(engine: Engine) {
    this.engine = engine
    metricsOf(engine).watch('gatehouse_events_waiting', {}, () => this.count)
  }

  add(org: number, events: readonly PreparedEvent[], clock: Clock): Promise<Stored[]> {
    if (this.count + events.length > WAITING_LIMIT) throw tooMany()
    const queue = this.queues.get(org) ?? { waiting: [], isBusy: false, committed: Number.NEGATIVE_INFINITY }
    this.queues.set(org, queue)
    const stored = Promise.withResolvers<Stored[]>()
    queue.waiting.push({ events, stored, since: performance.now() })
    this.count += events.length
    if (!queue.isBusy) void this.work(org, queue, clock)
    return stored.promise
  }

  private async work(org: number, queue: Queue, clock: Clock): Promise<void> {
    queue.isBusy = true
    while (queue.waiting.length > 0) {
      await gathered(queue)
      await this.commit(org, takeGroup(queue.waiting), clock)
      queue.committed = performance.now()
    }
    queue.isBusy = false
  }

  /** One that fails fails all that share it: none of them is stored. */
  private async commit(org: number, group: readonly Waiting[], clock: Clock): Promise<void> {
    const events = group.flatMap((waiting) => waiting.events)
    this.count -= events.length
    try {
      const { places } = await changeLive(this.engine, org, clock.now(), async (tx) => {
        const stored = await store(tx, events)
        await takeEffect(tx, stored.fresh)
        return stored
      })
      newsOf(this.engine).told(org, 'access-events')
      for (const tell of ingestedOf(this.engine)) tell(org)
      let at = 0
      for (const { events, stored, since } of group) {
        stored.resolve(places.slice(at, at + events.length))
        at += events.length
        metricsOf(this.engine).observe('gatehouse_ingest_seconds', since)
      }
    } catch (error) {
      for (const { stored } of group) stored.reject(error)
    }
  }
}

/** Who is told, in this process, that events of an organization were stored by it. */
export const ingestedOf = perEngine(() => new Set<(org: number) => void>())

const queuesOf = perEngine((engine) => new Queues(engine))

function takeGroup(waiting: Waiting[]): Waiting[] {
  let events = 0
  let n = 0
  for (const { events: own } of waiting) {
    if (n > 0 && events + own.length > TOGETHER) break
    events += own.length
    n += 1
  }
  return waiting.splice(0, n)
}

/** Waits until it is worth a commit: whoever comes first after a while waits for nobody. */
async function gathered({ waiting, committed }: Queue): Promise<void> {
  const rest = GATHER_MS - (performance.now() - committed)
  const isMany = waiting.reduce((n, { events }) => n + events.length, 0) >= MANY
  if (rest > 0 && !isMany) await new Promise((resolve) => setTimeout(resolve, rest))
}

const tooMany = () => unavailable('too_many_events', 'More events come in than are stored; send them again shortly')
