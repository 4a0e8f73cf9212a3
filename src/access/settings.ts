import { type HistoryTable, historyColumns } from '../db/along/history.ts'
import type { OrgHandle } from '../db/org.ts'
import { raw, type Sql, sql } from '../db/sql.ts'
import type { Place } from './event-moment.ts'

/** Where the facts of a question are read: the settings of now, or as they were at some moment. */
export class Settings {
  readonly handle: OrgHandle
  /** Undefined: the settings of now. */
  readonly asOf: string | undefined
  /**
   * None: left out is what follows from events, and is another after each: how often a card was used, who is where, who
   * came last. Where it is asked about an event, who came last is by those before it: it is no reason for itself.
   */
  readonly events: 'all' | 'none' | Place

  constructor(handle: OrgHandle, asOf?: string, events: Settings['events'] = 'all') {
    this.handle = handle
    this.asOf = asOf
    this.events = events
  }

  /**
   * A table in a `from`, under an alias whose organization the statement binds as always. Of a past moment it is the
   * rows as they were: those that have not changed since, and of the others the first version that ended after it.
   */
  from(table: HistoryTable, alias: string): Sql {
    if (this.asOf === undefined) return raw(`${table} ${alias}`)
    const columns = (of: string) =>
      raw(['org', 'created_at', ...historyColumns[table]].map((name) => `${of}.${name}`).join(', '))
    const identity = (a: string, b: string) =>
      raw(
        historyKeys(table)
          .map((name) => `${a}.${name} = ${b}.${name}`)
          .join(' and '),
      )
    const past = raw(`${table}_history`)
    // SQLite takes a range for narrower than what is equal, and would walk all rows in the order in which they were
    // made. Led by a sign, it is no range of an index.
    const created = raw(this.handle.dialect.name === 'sqlite' ? '+x.created_at' : 'x.created_at')
    return sql`(select ${columns('x')} from ${raw(table)} x where x.org = :org and ${created} <= ${this.asOf}
        and not exists (select 1 from ${past} e where e.org = :org and ${identity('e', 'x')}
        and e.ended_at > ${this.asOf})
      union all select ${columns('h')} from ${past} h where h.org = :org and h.created_at <= ${this.asOf}
      and h.ended_at > ${this.asOf}
        and not exists (select 1 from ${past} e where e.org = :org and ${identity('e', 'h')}
        and e.ended_at > ${this.asOf} and e.sequence < h.sequence)
    ) ${raw(alias)}`
  }

  /** Whether there was such a row then. */
  async has(table: HistoryTable, id: string): Promise<boolean> {
    return (
      (await this.handle.one(sql`select t.id from ${this.from(table, 't')} where t.org = :org and t.id = ${id}`)) !==
      undefined
    )
  }
}

/** A cell of a locking plan is known by its two ends, everything else by its id. */
const historyKeys = (table: HistoryTable): readonly string[] =>
  table === 'plan_cells' ? ['key_type_id', 'cylinder_id'] : ['id']
