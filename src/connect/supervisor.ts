import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { parsed } from '../db/assignments.ts'
import { metricsOf } from '../db/metrics.ts'
import { changeLive } from '../live/live-transaction.ts'
import { noteSystem } from '../live/system-states.ts'
import { confirmCommands, endLateCommands, sendCommands } from './commands.ts'
import { Unreachable } from './connector.ts'
import { checkHealth, noteContact, noteStatus } from './contact.ts'
import { inTime } from './in-time.ts'
import { connectedKinds, connectorFor } from './kinds.ts'
import { type ConnectParts, dropLease, LeaseLost, Link, takeLease } from './link.ts'
import { Sync, type SyncResult } from './sync.ts'
import { takeIn } from './take-in.ts'
import { wakersOf } from './wake.ts'

/** Whoever dies is replaced after so long. */
const LEASE_MS = 15_000
const HEALTH_MS = 30_000
/** How long to wait after each failed attempt; the last one again and again. */
const WAITS_MS = [1000, 2000, 5000, 10_000, 30_000]

/** So many systems are attended to at the same time: one that is slow is waited for by nobody else. */
const AT_ONCE = 8

export interface SupervisorParts extends ConnectParts {
  readonly logger: FastifyBaseLogger
  /** Who speaks with a system, where it is not who its kind says. */
  readonly connect?: typeof connectorFor
}

/** A round waits so long for what is slow. */
export const PATIENCE_MS = 1000

const NEVER = Number.NEGATIVE_INFINITY
const NOTHING: SyncResult = { asks: 0, refused: 0, isCut: false }

const linkStates = ['in_sync', 'asking', 'refusing', 'failing', 'offline'] as const

/** What is tried again after it has failed, later each time. */
class Attempts {
  private failures = 0
  private retryAt = Number.NEGATIVE_INFINITY

  isDue(now: number): boolean {
    return this.retryAt <= now
  }

  done(): void {
    this.failures = 0
    this.retryAt = Number.NEGATIVE_INFINITY
  }

  failed(now: number): void {
    this.retryAt = now + (WAITS_MS[Math.min(this.failures, WAITS_MS.length - 1)] as number)
    this.failures += 1
  }
}

interface Attended {
  readonly link: Link
  readonly kind: string
  readonly sync: Sync
  readonly contact: Attempts
  readonly table: Attempts
  /** How it last stood with its table. */
  result: SyncResult
  /** When that it answers is to be noted next. */
  seenAt: number
  healthAt: number
  state: (typeof linkStates)[number]
  /** What its kind and settings were when the connector was made. */
  readonly made: string
}

interface SystemRow {
  org: number
  id: string
  kind: string
  settings: string | object
}

/**
 * Attends to every system that something is connected to, each in one process at a time: events, commands, table,
 * health.
 */
export class Supervisor {
  private readonly parts: SupervisorParts
  private readonly holder = randomUUID()
  private readonly attended = new Map<string, Attended>()
  private readonly leases = new Map<string, number>()
  /** Those that are being attended to, and those that are next. */
  private readonly busy = new Map<string, Promise<void>>()
  private readonly next = new Map<string, SystemRow>()
  private readonly woken = new Set<string>()
  private readonly stopWaking: () => void
  private wake: () => void = () => undefined

  constructor(parts: SupervisorParts) {
    this.parts = parts
    this.stopWaking = wakersOf(parts.engine).add((org, system) => {
      this.woken.add(keyOf(org, system))
      this.wake()
    })
    const all = this.attended
    for (const state of linkStates)
      metricsOf(parts.engine).watch('gatehouse_systems', { state }, () =>
        all.values().reduce((n, one) => n + (one.state === state ? 1 : 0), 0),
      )
  }

  /** Calls back when something is to be done at once. */
  onWake(fn: () => void): void {
    this.wake = fn
  }

  /**
   * One round over all systems that are this process's, or nobody's. It ends without those that take longer than
   * `patience_ms`.
   */
  async run(patience_ms?: number): Promise<void> {
    const { engine } = this.parts
    const rows = await engine.reader.all<SystemRow>(
      `select s.org, s.id, s.kind, s.settings from access_control_systems s join organizations o on o.key = s.org
       where s.kind in (${connectedKinds.map((_, index) => `$${index + 1}`).join(', ')}) and s.status <> 'disabled'
       and o.status = 'active'
       order by s.org, s.id`,
      [...connectedKinds],
    )
    const found = new Set(rows.map(({ org, id }) => keyOf(org, id)))
    for (const [key, { link }] of this.attended) if (!found.has(key) && !this.busy.has(key)) await this.leave(key, link)
    for (const key of this.next.keys()) if (!found.has(key)) this.next.delete(key)
    for (const row of rows) {
      const key = keyOf(row.org, row.id)
      // What is ours stays ours, however long it takes and however long others are waited for.
      if (this.attended.has(key)) await this.hasLease(key, row, this.parts.clock.elapsed())
      if (!this.busy.has(key)) this.next.set(key, row)
    }
    this.begin()
    await this.settled(patience_ms)
  }

  async stop(): Promise<void> {
    this.stopWaking()
    this.next.clear()
    await this.settled(PATIENCE_MS)
    for (const [key, { link }] of this.attended) await this.leave(key, link)
  }

  private begin(): void {
    for (const [key, row] of this.next) {
      if (this.busy.size >= AT_ONCE) return
      this.next.delete(key)
      const failed = (err: unknown) =>
        this.parts.logger.warn({ err, system: row.id }, 'a system could not be attended to; it is tried again')
      const attending = this.attend(row)
        .catch(failed)
        .finally(() => {
          this.busy.delete(key)
          this.begin()
          if (this.woken.has(key)) this.wake()
        })
      this.busy.set(key, attending)
    }
  }

  private async settled(patience_ms: number | undefined): Promise<void> {
    let isLate = false
    const all = async () => {
      while (this.busy.size > 0 && !isLate) await Promise.all(this.busy.values())
    }
    if (patience_ms === undefined) return all()
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, patience_ms)
    await Promise.race([all(), late.promise])
    isLate = true
    clearTimeout(timer)
  }

  private async leave(key: string, { org, system }: Link): Promise<void> {
    this.attended.delete(key)
    this.leases.delete(key)
    await changeLive(this.parts.engine, org, this.parts.clock.now(), (tx) => dropLease(tx, system, this.holder))
  }

  private async attend(row: SystemRow): Promise<void> {
    const key = keyOf(row.org, row.id)
    // By what has passed: a clock that is set makes nobody wait, nor believe that they still have what is another's.
    const now = this.parts.clock.elapsed()
    const isWoken = this.woken.delete(key)
    if (!(await this.hasLease(key, row, now))) {
      this.attended.delete(key)
      return
    }
    const system = this.known(key, row)
    try {
      const isUpToDate = (await this.reach(system, now, isWoken)) && (await this.serve(system, now, isWoken))
      if (!isUpToDate) await this.prepare(system)
      // After what it had to tell: that may confirm them.
      await endLateCommands(system.link)
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error
      this.attended.delete(key)
      this.leases.delete(key)
    }
  }

  /** What it has to tell comes first. Whether it answers: one that does is not away, whatever else fails. */
  private async reach(system: Attended, now: number, isWoken: boolean): Promise<boolean> {
    const { link, sync, contact, table } = system
    if (!contact.isDue(now) && !isWoken) return false
    const failed = await this.attempt(system, () => this.take(link))
    if (failed) {
      contact.failed(now)
      sync.lookAgain()
      system.state = 'offline'
      if (failed instanceof Unreachable) await this.lost(link)
      return false
    }
    contact.done()
    if (await noteContact(this.parts, link, 'online', system.seenAt === NEVER)) {
      sync.lookAgain()
      table.done()
    }
    if (system.seenAt <= now) {
      // It answers: that is a sign of life, though nothing happens at its doors all night.
      await noteSystem(this.parts, link.org, { id: link.system, at: link.now, connectivity: 'online' })
      system.seenAt = now + HEALTH_MS
    }
    return true
  }

  /** What it is to do at once, then its table. Whether that is as it should be. */
  private async serve(system: Attended, now: number, isWoken: boolean): Promise<boolean> {
    const { link, sync, table } = system
    const left = await this.command(system)
    // What has not answered is asked for nothing more in this round.
    if (left === undefined || (!table.isDue(now) && !isWoken)) return false
    const failed = await this.attempt(system, () => this.update(system, now, left))
    if (failed) {
      table.failed(now)
      sync.lookAgain()
      system.state = 'failing'
    } else table.done()
    // Of a transfer that was cut short nobody knows yet how it ends.
    const isKnown = failed !== undefined || !system.result.isCut
    if (isKnown) await noteStatus(this.parts, link, 'online', { ...system.result, isFailing: failed !== undefined })
    return failed === undefined
  }

  private async update(system: Attended, now: number, left: number): Promise<void> {
    const { link, sync } = system
    if (system.healthAt <= now) {
      await checkHealth(link)
      system.healthAt = now + HEALTH_MS
    }
    system.result = await sync.run()
    if (left > 0) await this.command(system, true)
    const { asks, refused, isCut } = system.result
    if (!isCut) system.state = asks > 0 ? 'asking' : refused > 0 ? 'refusing' : 'in_sync'
    // A door that was given a new table may have moved.
    await this.take(link)
  }

  /**
   * Gives how many wait for their door; undefined: it did not answer. What was sent is not sent again: the door tells
   * of it, or its time runs out.
   */
  private async command(system: Attended, isTold = false): Promise<number | undefined> {
    const { link } = system
    let waiting = 0
    const failed = await this.attempt(system, async () => {
      const { sent, left } = await sendCommands(link, isTold)
      waiting = left
      if (sent > 0) await this.take(link)
    })
    return failed ? undefined : waiting
  }

  private take(link: Link): Promise<void> {
    return takeIn(this.parts, link, (events) => confirmCommands(link, events))
  }

  /** Gives what went wrong: it is tried again, by this process as long as it has the lease. */
  private async attempt({ link, kind }: Attended, work: () => Promise<void>): Promise<Error | undefined> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Error) || error instanceof LeaseLost) throw error
      metricsOf(link.engine).count('gatehouse_system_failures_total', { kind })
      if (!(error instanceof Unreachable))
        this.parts.logger.warn(
          { err: error, system: link.system },
          'a system could not be attended to; it is tried again',
        )
      return error
    }
  }

  /** Whoever asks is told what a device that is away does not know yet. */
  private async prepare({ link, sync }: Attended): Promise<void> {
    const failed = (err: unknown) => {
      if (err instanceof LeaseLost) throw err
      this.parts.logger.warn({ err, system: link.system }, 'what a system should hold could not be worked out')
    }
    await sync.prepare().catch(failed)
  }

  /** Prolonged when half of it is over. */
  private async hasLease(key: string, { org, id }: SystemRow, now: number): Promise<boolean> {
    const { engine, clock } = this.parts
    if ((this.leases.get(key) ?? 0) > now + LEASE_MS / 2 && this.attended.has(key)) return true
    const until = new Date(Date.parse(clock.now()) + LEASE_MS).toISOString()
    const isOurs = await changeLive(engine, org, clock.now(), (tx) => takeLease(tx, id, this.holder, until))
    if (isOurs) this.leases.set(key, now + LEASE_MS)
    return isOurs
  }

  private known(key: string, row: SystemRow): Attended {
    const made = JSON.stringify([row.kind, row.settings])
    const known = this.attended.get(key)
    if (known?.made === made) return known
    const { engine, clock } = this.parts
    const connector = (this.parts.connect ?? connectorFor)(row.kind, {
      engine,
      clock,
      org: row.org,
      system: row.id,
      settings: parsed(row.settings),
    })
    const link = new Link(this.parts, row.org, row.id, inTime(connector), this.holder)
    const attended: Attended = {
      link,
      kind: row.kind,
      sync: new Sync(link, () => this.command(attended)),
      contact: new Attempts(),
      table: new Attempts(),
      result: NOTHING,
      seenAt: NEVER,
      healthAt: 0,
      state: 'offline',
      made,
    }
    this.attended.set(key, attended)
    return attended
  }

  private async lost(link: Link): Promise<void> {
    await noteContact(this.parts, link, 'offline')
    await noteStatus(this.parts, link, 'offline', NOTHING)
  }
}

const keyOf = (org: number, system: string): string => `${org} ${system}`
