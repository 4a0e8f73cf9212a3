import type { Clock } from '../core/time/clock.ts'
import type { Engine } from '../db/engine.ts'
import { OrgHandle } from '../db/org.ts'
import { join, raw, sql } from '../db/sql.ts'
import { changeLive, type LiveTx } from '../live/live-transaction.ts'
import type { Connector } from './connector.ts'

export interface ConnectParts {
  readonly engine: Engine
  readonly clock: Clock
}

/** How the service stands with one system. */
export interface LinkRow {
  readonly holder: string | null
  readonly held_until: string | null
  readonly cursor: string | null
  readonly contact: 'online' | 'offline' | null
  readonly contact_since: string | null
  readonly clock_offset_ms: number | null
  readonly compiled_at: string | null
  readonly synced_at: string | null
  readonly read_at: string | null
  readonly attempts: number
  readonly retry_at: string | null
  readonly error_code: string | null
  readonly error_message: string | null
  readonly error_since: string | null
  readonly removals_confirmed: number | null
}

/** Another process attends to the system by now: whatever this one was about to do is not its business any more. */
export class LeaseLost extends Error {}

type LinkChange = Partial<Record<keyof LinkRow | 'compiled_change' | 'inexpressible', string | number | null>>

/** One system that this process attends to, for as long as it has the lease. */
export class Link {
  readonly org: number
  readonly system: string
  readonly connector: Connector
  private readonly parts: ConnectParts
  private readonly holder: string | undefined

  /** `holder`: by whose lease. */
  constructor(parts: ConnectParts, org: number, system: string, connector: Connector, holder?: string) {
    this.parts = parts
    this.org = org
    this.system = system
    this.connector = connector
    this.holder = holder
  }

  get now(): string {
    return this.parts.clock.now()
  }

  /** Milliseconds by the monotonic clock. */
  get elapsed(): number {
    return this.parts.clock.elapsed()
  }

  get engine(): Engine {
    return this.parts.engine
  }

  reading(): OrgHandle {
    return new OrgHandle(this.engine, this.org, this.now)
  }

  /** Throws LeaseLost where somebody else has the lease: a process may have stood still for longer than it lasts. */
  live<T>(work: (tx: LiveTx) => Promise<T>): Promise<T> {
    return changeLive(this.engine, this.org, this.now, async (tx) => {
      if (this.holder !== undefined && !(await hasLease(tx, this.system, this.holder))) throw new LeaseLost()
      return work(tx)
    })
  }

  /** To be asked before the device is told something of which nothing is noted first. */
  check(): Promise<void> {
    return this.live(async () => undefined)
  }

  async row(): Promise<LinkRow> {
    const row = await findLink(this.reading(), this.system)
    if (!row) throw new Error('a system is attended to without a lease')
    return row
  }

  /** `also`: what is written together with it. */
  async note(change: LinkChange, also?: (tx: LiveTx) => Promise<unknown>): Promise<void> {
    const sets = Object.entries(change).map(([column, value]) => sql`${raw(column)} = ${value}`)
    await this.live(async (tx) => {
      await tx.run(
        sql`update system_links as t set ${join(sets, ', ')} where t.org = :org
          and t.access_control_system_id = ${this.system}`,
      )
      await also?.(tx)
    })
  }
}

const COLUMNS = `t.holder, t.held_until, t.cursor, t.contact, t.contact_since, t.clock_offset_ms, t.compiled_at,
  t.synced_at, t.read_at, t.attempts,
  t.retry_at, t.error_code, t.error_message, t.error_since, t.removals_confirmed`

export const findLink = (handle: OrgHandle, system: string): Promise<LinkRow | undefined> =>
  handle.one<LinkRow>(
    sql`select ${raw(COLUMNS)} from system_links t where t.org = :org and t.access_control_system_id = ${system}`,
  )

/**
 * One that lasts so much longer than ours was taken by a clock that was ahead: whoever has it takes it anew by the
 * right one, or has died.
 */
const lastLease = (until: string): string => new Date(Date.parse(until) + 60_000).toISOString()

/** Takes or prolongs the lease of a system; false: another process has it. */
export function takeLease(tx: LiveTx, system: string, holder: string, until: string): Promise<boolean> {
  return tx
    .run(
      sql`insert into system_links (org, access_control_system_id, holder, held_until)
        values (:org, ${system}, ${holder}, ${until})
        on conflict (org, access_control_system_id) do update
        set holder = excluded.holder, held_until = excluded.held_until
        where system_links.holder is null or system_links.holder = excluded.holder
        or system_links.held_until <= ${tx.instant}
          or system_links.held_until > ${lastLease(until)}`,
    )
    .then((n) => n === 1)
}

const hasLease = async (tx: LiveTx, system: string, holder: string): Promise<boolean> =>
  (await tx.one(sql`select 1 as is_held from system_links t
    where t.org = :org and t.access_control_system_id = ${system} and t.holder = ${holder}`)) !== undefined

export const dropLease = (tx: LiveTx, system: string, holder: string): Promise<number> =>
  tx.run(sql`update system_links as t set holder = null, held_until = null
    where t.org = :org and t.access_control_system_id = ${system} and t.holder = ${holder}`)
