import { LRUCache } from 'lru-cache'
import { type AskedList, listKey } from './list-plan.ts'
import { metricsOf } from './metrics.ts'
import type { OrgHandle } from './org.ts'
import { perEngine } from './per-engine.ts'

interface Total {
  version: number
  /** Whoever comes while it is counted waits for the same count. */
  total: Promise<number>
}

const totalsOf = perEngine((engine) => {
  const totals = new LRUCache<string, Total>({ max: 2000 })
  return { totals, counts: metricsOf(engine).watchCache('totals', () => totals.size) }
})

/** Counted once per filter and kept until the organization's data changes. */
export async function totalOf(handle: OrgHandle, asked: AskedList): Promise<number> {
  if (asked.resource.isVolatile) return count(handle, asked)
  const { data: version } = await handle.versions()
  const key = await listKey(handle, asked, version)
  const { totals, counts } = totalsOf(handle.engine)
  const known = totals.get(key)
  if (known?.version === version) {
    counts.hits += 1
    return known.total
  }
  counts.misses += 1
  const counted = { version, total: count(handle.forOthers, asked) }
  totals.set(key, counted)
  counted.total.catch(() => {
    if (totals.peek(key) === counted) totals.delete(key)
  })
  return counted.total
}

async function count(handle: OrgHandle, { plan, values }: AskedList): Promise<number> {
  const [row] = await handle.query<{ total: number }>(`select count(*) as total from ${plan.from} where ${plan.where}`, [...values], 'all')
  return row?.total ?? 0
}
