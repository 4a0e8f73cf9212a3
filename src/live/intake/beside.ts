import type { Worker } from 'node:worker_threads'
import { AppError, databaseAway } from '../../core/errors.ts'
import type { Engine } from '../../db/engine.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import { metricsOf } from '../../db/metrics.ts'
import type { Told } from './prepare.ts'
import type { Taken } from './take-in.ts'
import type { Answered, Asked } from './thread.ts'
import { type AskedOf, type GivenBy, type WorkName, works } from './works.ts'

/** So many events within a second, or at once, are worth a thread; one that had nothing to do for so long ends. */
const MANY = 50
const SECOND_MS = 1000
const IDLE_MS = 60_000

/** What a thread was asked. */
interface Open {
  readonly thread: Worker
  readonly answer: PromiseWithResolvers<Answered>
}

/**
 * Takes events in and judges them where it holds nobody up: to store one costs as much as answering a request from
 * memory, and so, once there are many, it is done in a thread. Until that is there, and after it has failed, it is done
 * here.
 */
export class Beside {
  private readonly engine: Engine
  private thread: Worker | undefined
  private isReady = false
  /** Until a thread that was started can be asked, or has failed. */
  private starting: PromiseWithResolvers<void> | undefined
  private readonly asked = new Map<number, Open>()
  private next = 0
  private idle: NodeJS.Timeout | undefined
  private second = Number.NEGATIVE_INFINITY
  private count = 0

  constructor(engine: Engine) {
    this.engine = engine
  }

  /** Many at once wait until there is a thread: here they would hold up whoever reads. */
  async take(org: number, now: string, told: readonly Told[]): Promise<Taken> {
    const count = told.reduce((n, { events }) => n + events.length, 0)
    this.note(count)
    if (count > MANY) await this.starting?.promise
    return this.do('take', org, now, told)
  }

  do<Name extends WorkName>(name: Name, org: number, now: string, asked: AskedOf<Name>): Promise<GivenBy<Name>> {
    const { thread } = this
    if (thread && this.isReady) return this.ask(thread, name, org, now, asked) as Promise<GivenBy<Name>>
    return works[name](this.engine, org, now, asked as never) as Promise<GivenBy<Name>>
  }

  private note(count: number): void {
    const now = performance.now()
    if (now - this.second > SECOND_MS) {
      this.second = now
      this.count = 0
    }
    this.count += count
    if (this.count > MANY) this.thread ??= this.start()
  }

  private async ask(
    thread: Worker,
    name: WorkName,
    org: number,
    now: string,
    what: AskedOf<WorkName>,
  ): Promise<GivenBy<WorkName>> {
    this.engine.assertSound?.()
    const asked: Asked = { id: this.next++, name, org, now, asked: what }
    const answer = Promise.withResolvers<Answered>()
    this.asked.set(asked.id, { thread, answer })
    clearTimeout(this.idle)
    thread.ref()
    thread.postMessage(asked)
    const answered = await answer.promise
    // What is the matter with the file is found out here.
    if ('failure' in answered) this.leave(thread)
    this.rest(thread)
    if ('failure' in answered) throw failureOf(answered.failure)
    // Whoever looks now sees it.
    await this.engine.versions(org, { data: 0, live: answered.live })
    return answered.given
  }

  /** One that is asked no more ends when it has answered what it was asked before. */
  private rest(thread: Worker): void {
    if (this.asked.values().some((open) => open.thread === thread)) return
    if (this.thread !== thread) return void thread.terminate()
    thread.unref()
    this.idle = setTimeout(() => this.end(), IDLE_MS).unref()
  }

  private start(): Worker {
    const thread = this.engine.startThread(new URL('./thread.ts', import.meta.url))
    this.starting = Promise.withResolvers()
    thread.on('message', (told: Answered | 'ready') => {
      if (told === 'ready') this.begin(thread)
      else {
        for (const one of told.observed) metricsOf(this.engine).sink?.observe(...one)
        this.settle(told.id)?.resolve(told)
      }
    })
    thread.on('error', (error) => this.lose(thread, error))
    thread.on('exit', () => this.lose(thread, new Error('the thread that takes events in has ended')))
    thread.unref()
    return thread
  }

  private begin(thread: Worker): void {
    if (this.thread !== thread) return
    this.isReady = true
    this.starting?.resolve()
  }

  private settle(id: number): PromiseWithResolvers<Answered> | undefined {
    const open = this.asked.get(id)
    this.asked.delete(id)
    return open?.answer
  }

  /** What it had been asked may be stored or not: whoever sends it again by its `source_id` has it once. */
  private lose(thread: Worker, error: unknown): void {
    this.leave(thread)
    for (const [id, open] of this.asked) if (open.thread === thread) this.settle(id)?.reject(databaseAway(error))
  }

  private end(): void {
    const { thread } = this
    if (thread) this.leave(thread)
    void thread?.terminate()
  }

  /** It is asked no more; what it was asked before it may answer still. */
  private leave(thread: Worker): void {
    if (this.thread !== thread) return
    clearTimeout(this.idle)
    this.thread = undefined
    this.isReady = false
    this.starting?.resolve()
    this.starting = undefined
  }
}

export const besideOf = perEngine((engine) => new Beside(engine))

const failureOf = (failure: Extract<Answered, { failure: unknown }>['failure']): Error => {
  if (failure instanceof Error) return failure
  const { code, message, reason, headers, cause } = failure
  return new AppError(code, message, { cause, ...(reason ? { reason } : {}), ...(headers ? { headers } : {}) })
}
