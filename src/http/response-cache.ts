import { LRUCache } from 'lru-cache'
import type { Engine } from '../db/engine.ts'
import type { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'

export interface CachedAnswer {
  body: Buffer
  etag: string | undefined
  link: string | undefined
}

interface Entry extends CachedAnswer {
  version: number
  /** Answers depend on the clock too: a grant begins, a card expires, a day ends. */
  until: string
}

const MAX_BYTES = 16 * 1024 * 1024

/** Answers to GET, kept while the organization's data and what the clock makes of it are the same. */
export class ResponseCache {
  private readonly entries = new LRUCache<string, Entry>({ maxSize: MAX_BYTES, sizeCalculation: (entry) => entry.body.length + 300 })
  private readonly boundaries = new Map<number, { version: number; until: string }>()
  private readonly engine: Engine

  constructor(engine: Engine) {
    this.engine = engine
  }

  get(key: string, version: number, now: string): CachedAnswer | undefined {
    const entry = this.entries.get(key)
    if (!entry || entry.version !== version || entry.until <= now) return undefined
    return entry
  }

  /** `version` as it was before the answer was read: a change meanwhile leaves the entry outdated, never wrong. */
  async set(key: string, handle: OrgHandle, version: number, answer: CachedAnswer): Promise<void> {
    this.entries.set(key, { ...answer, version, until: await this.nextBoundary(handle, version) })
  }

  /** The next moment at which a validity window of this organization begins or ends, midnight UTC at the latest. */
  private async nextBoundary(handle: OrgHandle, version: number): Promise<string> {
    const known = this.boundaries.get(handle.org)
    if (known?.version === version && known.until > handle.now) return known.until
    const midnight = new Date(Date.parse(handle.now.slice(0, 10)) + 86_400_000).toISOString()
    const row = await handle.one<{ until: string | null }>(sql`select min(b.at) as until from (
      select min(t.valid_from) as at from access_grants t where t.org = :org and t.valid_from > :now
      union all select min(t.valid_until) from access_grants t where t.org = :org and t.valid_until > :now
      union all select min(t.valid_from) from credentials t where t.org = :org and t.valid_from > :now
      union all select min(t.valid_until) from credentials t where t.org = :org and t.valid_until > :now
      union all select min(t.valid_from) from individuals t where t.org = :org and t.valid_from > :now
      union all select min(t.valid_until) from individuals t where t.org = :org and t.valid_until > :now
      union all select min(t.valid_from) from access_group_members t where t.org = :org and t.valid_from > :now
      union all select min(t.valid_until) from access_group_members t where t.org = :org and t.valid_until > :now) b`)
    const until = row?.until && row.until < midnight ? row.until : midnight
    this.boundaries.set(handle.org, { version, until })
    return until
  }

  versionOf(org: number) {
    return this.engine.versions(org)
  }
}
