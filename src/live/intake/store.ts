import type { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'
import type { LiveTx } from '../live-transaction.ts'
import type { JudgedEvent, PreparedEvent, StoredEvent } from './new-event.ts'

export interface Stored {
  readonly id: string
  readonly sequence: number
  readonly isNew: boolean
}

/** Stores events in their order and says where each is: its own place, or that of the one that came before with the same source_id. */
export async function store(tx: LiveTx, events: readonly JudgedEvent[]): Promise<{ places: Stored[]; fresh: StoredEvent[] }> {
  const known = await alreadyStored(tx, events)
  const news: JudgedEvent[] = []
  const places = events.map((event): Stored => {
    const key = sourceKey(event)
    const found = key === undefined ? undefined : known.get(key)
    if (found) return { ...found, isNew: false }
    news.push(event)
    const place = { id: event.id, sequence: tx.sequence + news.length }
    if (key !== undefined) known.set(key, place)
    return { ...place, isNew: true }
  })
  return { places, fresh: await append(tx, news) }
}

/** Stores what is new, after all that was there. */
export async function append(tx: LiveTx, events: readonly JudgedEvent[]): Promise<StoredEvent[]> {
  if (events.length === 0) return []
  const stored = events.map((event, index): StoredEvent => ({ ...event, sequence: tx.sequence + index + 1 }))
  await tx.insertMany('access_events', stored)
  tx.sequence += stored.length
  return stored
}

interface Source {
  readonly source_id: string | null
  readonly access_control_system_id: string | null
}

const sourceKey = ({ source_id, access_control_system_id }: Source): string | undefined =>
  source_id === null ? undefined : `${access_control_system_id ?? ''} ${source_id}`

async function alreadyStored(handle: OrgHandle, events: readonly PreparedEvent[]): Promise<Map<string, { id: string; sequence: number }>> {
  const sources = new Set(events.flatMap(({ source_id }) => source_id ?? []))
  if (sources.size === 0) return new Map()
  // One by one: for a list SQLite would go through all source ids of the organization.
  const asked = handle.dialect.records(
    [...sources].map((source_id) => ({ org: handle.org, source_id })),
    'e',
    { org: 'bigint', source_id: 'text' },
  )
  const rows = await handle.all<Source & { id: string; sequence: number }>(sql`
    select t.id, t.sequence, t.source_id, t.access_control_system_id from ${asked} cross join access_events t
    where t.org = e.org and t.source_id = e.source_id and +t.org = :org`)
  return new Map(rows.map((row) => [sourceKey(row) ?? '', { id: row.id, sequence: row.sequence }]))
}
