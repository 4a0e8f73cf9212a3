import { raw, sql } from '../db/sql.ts'
import { aheadOf } from './ahead.ts'
import { momentOf, type StoredEvent } from './intake/new-event.ts'
import type { LiveTx } from './live-transaction.ts'

const TABLE = 'credential_uses'

/** Counts what was used: each time that somebody was let in with it. */
export async function countUses(tx: LiveTx, events: readonly StoredEvent[]): Promise<void> {
  const uses = new Map<string, { id: string; n: number; at: string }>()
  for (const event of events) {
    const { type, credential_id: id } = event
    if (type !== 'access.granted' || id === null) continue
    const at = momentOf(event)
    const known = uses.get(id)
    uses.set(id, { id, n: (known?.n ?? 0) + 1, at: known && known.at > at ? known.at : at })
  }
  if (uses.size === 0) return
  const from = tx.dialect.records([...uses.values()], 'e', { id: 'uuid', n: 'integer', at: 'timestamp' })
  const total = 'credential_uses.use_count + excluded.use_count'
  const used = await tx.returning<{ is_used_up: boolean | 0 | 1 }>(
    sql`insert into credential_uses (org, id, use_count, last_used_at, is_used_up)
      select :org, c.id, e.n, e.at, c.max_uses is not null and e.n >= c.max_uses from ${from} cross join credentials c
      where c.org = :org and c.id = e.id
      on conflict (org, id) do update set use_count = ${raw(total)},
        last_used_at = case when credential_uses.last_used_at > excluded.last_used_at
        and credential_uses.last_used_at <= ${aheadOf(tx)} then credential_uses.last_used_at
        else excluded.last_used_at end,
        is_used_up = coalesce((select ${raw(total)} >= m.max_uses from credentials m where m.org = :org
        and m.id = excluded.id), false)
      returning is_used_up`,
    [`${TABLE}.use_count`, `${TABLE}.last_used_at`],
  )
  // What they open changes with the last use that they may have.
  if (used.some(({ is_used_up }) => is_used_up)) tx.move([`${TABLE}.is_used_up`])
}
