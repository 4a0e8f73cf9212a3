import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../core/time/clock.ts'
import type { Engine } from '../../db/engine.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'

const LOOK_MS = 40

/** The next look at the commands that somebody waits for, and what it finds. */
interface Look {
  readonly ids: Set<string>
  readonly found: Promise<ReadonlySet<string>>
}

/** By organization. */
const looks = perEngine(() => new Map<number, Look>())

/**
 * Whether any of these is still under way, a moment from now. All who wait share one look: many cost no more than one.
 */
export async function areUnderWay(
  { engine, clock }: { engine: Engine; clock: Clock },
  org: number,
  ids: readonly string[],
): Promise<boolean> {
  const waiting = looks(engine)
  const begin = (): Look => {
    const asked = new Set<string>()
    const found = pause(LOOK_MS).then(() => {
      waiting.delete(org)
      return underWay(new OrgHandle(engine, org, clock.now()), asked)
    })
    return { ids: asked, found }
  }
  const look = waiting.get(org) ?? begin()
  waiting.set(org, look)
  for (const id of ids) look.ids.add(id)
  const found = await look.found
  return ids.some((id) => found.has(id))
}

async function underWay(handle: OrgHandle, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const rows = await handle.all<{ id: string }>(sql`
    select t.id from commands t where t.org = :org and ${handle.dialect.inList('t.id', ids, 'uuid')}
      and t.status in ('queued', 'sent') and t.expires_at > :now`)
  return new Set(rows.map(({ id }) => id))
}
