import type { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'
import type { LiveTx } from '../live-transaction.ts'
import type { JudgedEvent, PreparedEvent, StoredEvent } from './new-event.ts'
import { placeOf } from './prepare.ts'

export interface Stored {
  readonly id: string
  readonly sequence: number
  readonly isNew: boolean
}

/**
 * Stores events in their order and says where each is: its own place, or that of the one that came before with the same
 * source_id.
 */
export async function store(
  tx: LiveTx,
  events: readonly JudgedEvent[],
): Promise<{ places: Stored[]; fresh: StoredEvent[] }> {
  const known = await alreadyStored(tx, events)
  const news: JudgedEvent[] = []
  const places = events.map((event): Stored => {
    const found = known.get(event)
    if (found) return { ...found, isNew: false }
    news.push(event)
    const place = { id: event.id, sequence: tx.sequence + news.length }
    known.add(event, place)
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
  readonly source_place: string
  readonly building_id: string | null
  readonly access_control_system_id: string | null
}

interface Place {
  readonly id: string
  readonly sequence: number
}

/**
 * What was told before. Who may report of everything hears only of what others like them told: nobody uses up their
 * source ids. Who may report of some places alone hears of all that happened there.
 */
class Sources {
  private readonly places = new Map<string, Place>()

  get(source: Source): Place | undefined {
    return source.source_id === null ? undefined : this.places.get(keyOf(source, source.source_place))
  }

  add(source: Source, place: Place): void {
    if (source.source_id === null) return
    this.places.set(keyOf(source, source.source_place), place)
    if (source.source_place !== '') return
    const there = keyOf(source, placeOf(source.building_id, source.access_control_system_id))
    if (!this.places.has(there)) this.places.set(there, place)
  }
}

const keyOf = ({ source_id, access_control_system_id }: Source, place: string): string =>
  `${access_control_system_id ?? ''} ${place} ${source_id}`

async function alreadyStored(handle: OrgHandle, events: readonly PreparedEvent[]): Promise<Sources> {
  const known = new Sources()
  const sources = new Set(events.flatMap(({ source_id }) => source_id ?? []))
  if (sources.size === 0) return known
  // One by one: for a list SQLite would go through all source ids of the organization.
  const asked = handle.dialect.records(
    [...sources].map((source_id) => ({ org: handle.org, source_id })),
    'e',
    { org: 'bigint', source_id: 'text' },
  )
  const rows = await handle.all<Source & Place>(sql`
    select t.id, t.sequence, t.source_id, t.source_place, t.building_id, t.access_control_system_id
    from ${asked} cross join access_events t where t.org = e.org and t.source_id = e.source_id and +t.org = :org`)
  for (const { id, sequence, ...source } of rows) known.add(source, { id, sequence })
  return known
}
