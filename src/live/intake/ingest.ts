import { unavailable } from '../../core/errors.ts'
import type { Clock } from '../../core/time/clock.ts'
import { keyReused } from '../../db/along/kept-answers.ts'
import type { Engine } from '../../db/engine.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import { metricsOf } from '../../db/metrics.ts'
import { newsOf } from '../news.ts'
import { besideOf } from './beside.ts'
import type { IngestResult, NewEvent } from './new-event.ts'
import type { Told } from './prepare.ts'

export interface IngestParts {
  readonly engine: Engine
  readonly clock: Clock
}

/** So many events are committed together at most. */
const TOGETHER = 1000
/**
 * After a commit those that come one by one are gathered for so long, since a commit costs the same for one as for
 * twenty: where one sender waits for each answer, and where several came together.
 */
const GATHER_MS = { one: 10, several: 50 }
/** So many are worth a commit of their own. */
const MANY = 100
/** So many wait in one process; beyond that the sender is to come again. */
const WAITING_LIMIT = 20_000

/**
 * Takes in what happened at the doors: validated, stored in the order of commit, and durable once it answers. Events
 * that come at the same time share a transaction.
 */
export async function ingest(
  { engine, clock }: IngestParts,
  org: number,
  events: readonly NewEvent[],
  { scope = 'all', ...how }: Partial<Pick<Told, 'scope' | 'isShown' | 'once'>> = {},
): Promise<IngestResult[]> {
  if (events.length === 0) return []
  return queuesOf(engine).add(org, { events, scope, received_at: clock.now(), ...how }, clock)
}

interface Waiting {
  readonly told: Told
  readonly taken: PromiseWithResolvers<IngestResult[]>
  readonly since: number
}

interface Queue {
  waiting: Waiting[]
  isBusy: boolean
  /** When the last commit ended, by the monotonic clock, and how many senders shared it. */
  committed: number
  senders: number
}

class Queues {
  private readonly engine: Engine
  private readonly queues = new Map<number, Queue>()
  private count = 0

  constructor(engine: Engine) {
    this.engine = engine
    metricsOf(engine).watch('gatehouse_events_waiting', {}, () => this.count)
  }

  async add(org: number, told: Told, clock: Clock): Promise<IngestResult[]> {
    const { length } = told.events
    if (this.count + length > WAITING_LIMIT) throw tooMany()
    const queue = this.queues.get(org) ?? {
      waiting: [],
      isBusy: false,
      committed: Number.NEGATIVE_INFINITY,
      senders: 0,
    }
    this.queues.set(org, queue)
    const taken = Promise.withResolvers<IngestResult[]>()
    queue.waiting.push({ told, taken, since: performance.now() })
    this.count += length
    if (!queue.isBusy) void this.work(org, queue, clock)
    return taken.promise
  }

  private async work(org: number, queue: Queue, clock: Clock): Promise<void> {
    queue.isBusy = true
    while (queue.waiting.length > 0) {
      await gathered(queue)
      const group = takeGroup(queue.waiting)
      await this.commit(org, group, clock)
      queue.senders = group.length
      queue.committed = performance.now()
    }
    queue.isBusy = false
  }

  /** One that fails fails all that share it: none of them is stored. */
  private async commit(org: number, group: readonly Waiting[], clock: Clock): Promise<void> {
    this.count -= group.reduce((n, { told }) => n + told.events.length, 0)
    try {
      const { results, reused, isJudged } = await besideOf(this.engine).take(
        org,
        clock.now(),
        group.map(({ told }) => told),
      )
      newsOf(this.engine).told(org, 'access-events')
      if (!isJudged) for (const tell of unjudgedOf(this.engine)) tell(org)
      for (const [index, { taken, since }] of group.entries()) {
        if (reused.includes(index)) taken.reject(keyReused())
        else taken.resolve(results[index] ?? [])
        metricsOf(this.engine).observe('gatehouse_ingest_seconds', since)
      }
    } catch (error) {
      for (const { taken } of group) taken.reject(error)
    }
  }
}

/** Who is told, in this process, that events of an organization were stored without their verdict. */
export const unjudgedOf = perEngine(() => new Set<(org: number) => void>())

const queuesOf = perEngine((engine) => new Queues(engine))

function takeGroup(waiting: Waiting[]): Waiting[] {
  let events = 0
  let n = 0
  for (const { told } of waiting) {
    if (n > 0 && events + told.events.length > TOGETHER) break
    events += told.events.length
    n += 1
  }
  return waiting.splice(0, n)
}

/** Waits until it is worth a commit: whoever comes first after a while waits for nobody. */
async function gathered({ waiting, committed, senders }: Queue): Promise<void> {
  const rest = GATHER_MS[senders > 1 || waiting.length > 1 ? 'several' : 'one'] - (performance.now() - committed)
  const isMany = waiting.reduce((n, { told }) => n + told.events.length, 0) >= MANY
  if (rest > 0 && !isMany) await new Promise((resolve) => setTimeout(resolve, rest))
}

const tooMany = () => unavailable('too_many_events', 'More events come in than are stored; send them again shortly')
