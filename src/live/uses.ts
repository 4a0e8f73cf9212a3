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
  const rows = [...uses.values()]
  const moved = [`${TABLE}.use_count`, `${TABLE}.last_used_at`]
  if (await isAnyUsedUp(tx, rows)) moved.push(`${TABLE}.is_used_up`)
  const from = tx.dialect.records(rows, 'e', { id: 'uuid', n: 'integer', at: 'timestamp' })
  const total = sql`e.n + coalesce((select k.use_count from credential_uses k where k.org = :org and k.id = e.id), 0)`
  const last = sql`(select k.last_used_at from credential_uses k where k.org = :org and k.id = e.id and k.last_used_at > e.at)`
  await tx.run(
    sql`insert into credential_uses (org, id, use_count, last_used_at, is_used_up)
      select :org, e.id, ${total}, coalesce(${last}, e.at), coalesce(${total} >= c.max_uses, false)
      from ${from} join credentials c on c.org = :org and c.id = e.id where true
      on conflict (org, id) do update set use_count = excluded.use_count, last_used_at = excluded.last_used_at, is_used_up = excluded.is_used_up`,
    moved,
  )
}

/** Whether one of those that may be used so often alone is used for the last time: what they open changes then. */
async function isAnyUsedUp(tx: LiveTx, uses: ReadonlyArray<{ id: string; n: number }>): Promise<boolean> {
  const limited = await tx.all<{ id: string; left: number }>(sql`
    select c.id, c.max_uses - coalesce(u.use_count, 0) as left from credentials c
    left join credential_uses u on u.org = :org and u.id = c.id
    where c.org = :org and c.max_uses is not null and ${tx.dialect.inList(
      'c.id',
      uses.map(({ id }) => id),
      'uuid',
    )}`)
  const used = new Map(uses.map(({ id, n }) => [id, n]))
  return limited.some(({ id, left }) => left > 0 && (used.get(id) ?? 0) >= left)
}
