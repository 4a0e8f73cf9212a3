import { sql } from '../db/sql.ts'
import type { StoredEvent } from './intake/new-event.ts'
import type { LiveTx } from './live-transaction.ts'

const TABLE = 'credential_uses'

/** Counts what was used: each time that somebody was let in with it. */
export async function countUses(tx: LiveTx, events: readonly StoredEvent[]): Promise<void> {
  const uses = new Map<string, { id: string; n: number; at: string }>()
  for (const { type, credential_id: id, occurred_at: at } of events) {
    if (type !== 'access.granted' || id === null) continue
    const known = uses.get(id)
    uses.set(id, { id, n: (known?.n ?? 0) + 1, at: known && known.at > at ? known.at : at })
  }
  if (uses.size === 0) return
  const before = await known(tx, uses.keys())
  const rows = before.map(({ id, max_uses, use_count, last_used_at }) => {
    const { n, at } = uses.get(id) ?? { n: 0, at: last_used_at }
    const total = use_count + n
    const isLater = last_used_at === null || (at ?? '') > last_used_at
    return { id, use_count: total, last_used_at: isLater ? at : last_used_at, is_used_up: max_uses !== null && total >= max_uses }
  })
  if (rows.length === 0) return
  const moved = [`${TABLE}.use_count`, `${TABLE}.last_used_at`]
  // What they open changes with the last use that they may have.
  if (before.some(({ max_uses, use_count }, n) => max_uses !== null && use_count < max_uses && rows[n]?.is_used_up))
    moved.push(`${TABLE}.is_used_up`)
  const types = { id: 'uuid', use_count: 'integer', last_used_at: 'timestamp', is_used_up: 'boolean' } as const
  await tx.run(
    sql`insert into credential_uses (org, id, use_count, last_used_at, is_used_up)
      select :org, e.id, e.use_count, e.last_used_at, e.is_used_up from ${tx.dialect.records(rows, 'e', types)} where true
      on conflict (org, id) do update set use_count = excluded.use_count, last_used_at = excluded.last_used_at, is_used_up = excluded.is_used_up`,
    moved,
  )
}

interface Known {
  readonly id: string
  readonly max_uses: number | null
  readonly use_count: number
  readonly last_used_at: string | null
}

/** Whoever is in a live transaction is the only one that counts. */
const known = (tx: LiveTx, ids: Iterable<string>): Promise<Known[]> =>
  tx.all<Known>(sql`
    select c.id, c.max_uses, coalesce(u.use_count, 0) as use_count, u.last_used_at from credentials c
    left join credential_uses u on u.org = :org and u.id = c.id
    where c.org = :org and ${tx.dialect.inList('c.id', ids, 'uuid')}`)
