import type { RecordType } from '../../db/engine.ts'
import type { OrgHandle } from '../../db/org.ts'
import { raw, sql } from '../../db/sql.ts'
import type { LiveTx } from '../live-transaction.ts'
import type { PreparedEvent, StoredEvent } from './new-event.ts'

/** So many rows go in with one statement: on SQLite nobody has a turn during one. */
const SLICE = 100

const columns = {
  sequence: 'bigint',
  id: 'uuid',
  source_id: 'text',
  type: 'text',
  result: 'text',
  reason: 'text',
  access_point_id: 'uuid',
  building_id: 'uuid',
  individual_id: 'uuid',
  credential_id: 'uuid',
  credential_number: 'text',
  access_control_system_id: 'uuid',
  command_id: 'uuid',
  direction: 'text',
  occurred_at: 'timestamp',
  received_at: 'timestamp',
} as const satisfies Record<keyof StoredEvent, RecordType>

const names = Object.keys(columns)

export interface Stored {
  readonly id: string
  readonly sequence: number
  readonly isNew: boolean
}

/** Stores events in their order and says where each is: its own place, or that of the one that came before with the same source_id. */
export async function store(tx: LiveTx, events: readonly PreparedEvent[]): Promise<{ places: Stored[]; fresh: StoredEvent[] }> {
  const known = await alreadyStored(tx, events)
  const fresh: StoredEvent[] = []
  const places = events.map((event): Stored => {
    const key = sourceKey(event)
    const found = key === undefined ? undefined : known.get(key)
    if (found) return { ...found, isNew: false }
    const place = { id: event.id, sequence: tx.sequence + fresh.length + 1 }
    fresh.push({ ...event, sequence: place.sequence })
    if (key !== undefined) known.set(key, place)
    return { ...place, isNew: true }
  })
  for (let at = 0; at < fresh.length; at += SLICE) await insert(tx, fresh.slice(at, at + SLICE))
  if (fresh.length > 0)
    await tx.run(
      sql`update live_heads as t set sequence = t.sequence + ${fresh.length}, stored = t.stored + ${fresh.length} where t.org = :org`,
    )
  return { places, fresh }
}

const insert = (tx: LiveTx, rows: readonly StoredEvent[]): Promise<number> =>
  tx.run(sql`insert into access_events (org, ${raw(names.join(', '))})
    select :org, ${raw(names.map((name) => `e.${name}`).join(', '))} from ${tx.dialect.records(rows, 'e', columns)}`)

interface Source {
  readonly source_id: string | null
  readonly access_control_system_id: string | null
}

const sourceKey = ({ source_id, access_control_system_id }: Source): string | undefined =>
  source_id === null ? undefined : `${access_control_system_id ?? ''} ${source_id}`

async function alreadyStored(handle: OrgHandle, events: readonly PreparedEvent[]): Promise<Map<string, { id: string; sequence: number }>> {
  const sources = new Set(events.flatMap(({ source_id }) => source_id ?? []))
  if (sources.size === 0) return new Map()
  const rows = await handle.all<Source & { id: string; sequence: number }>(sql`
    select t.id, t.sequence, t.source_id, t.access_control_system_id from access_events t
    where t.org = :org and t.source_id is not null and ${handle.dialect.inList('t.source_id', sources, 'text')}`)
  return new Map(rows.map((row) => [sourceKey(row) ?? '', { id: row.id, sequence: row.sequence }]))
}
