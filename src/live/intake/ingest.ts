import { unavailable } from '../../core/errors.ts'
import type { Clock } from '../../core/time/clock.ts'
import { keyReused } from '../../db/along/kept-answers.ts'
import type { Engine } from '../../db/engine.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import { metricsOf } from '../../db/metrics.ts'
import { newsOf } from '../news.ts'
import { besideOf } from './beside.ts'
import { type Gathered, Gathering, TOGETHER } from './gathering.ts'
import type { IngestResult, NewEvent } from './new-event.ts'
import type { Told } from './prepare.ts'

export interface IngestParts {
  readonly engine: Engine
  readonly clock: Clock
}

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
  readonly gathering: Gathering
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
    const queue = this.queues.get(org) ?? { waiting: [], isBusy: false, gathering: new Gathering() }
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
      queue.gathering.done(performance.now(), countOf(group))
    }
    queue.isBusy = false
  }

  /** One that fails fails all that share it: none of them is stored. */
  private async commit(org: number, group: readonly Waiting[], clock: Clock): Promise<void> {
    this.count -= countOf(group).events
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

const countOf = (waiting: readonly Waiting[]): Gathered => ({
  senders: waiting.length,
  events: waiting.reduce((n, { told }) => n + told.events.length, 0),
  last: waiting.at(-1)?.since ?? 0,
})

async function gathered({ waiting, gathering }: Queue): Promise<void> {
  let hasWaited = false
  for (;;) {
    const count = countOf(waiting)
    const patience = gathering.patience(performance.now(), count)
    if (patience === 0) {
      if (hasWaited) gathering.waited(count)
      return
    }
    await new Promise((resolve) => setTimeout(resolve, patience))
    hasWaited = true
  }
}

const tooMany = () => unavailable('too_many_events', 'More events come in than are stored; send them again shortly')
