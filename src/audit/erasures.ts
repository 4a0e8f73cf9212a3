import type { AuditRow } from '../db/along/audit-row.ts'
import { ERASED } from '../db/audit.ts'
import type { AuditFault } from './position.ts'

/** An entry that says whose contents were erased, and by whom. */
export interface Erasure {
  sequence: number
  occurred_at: string
  actor_name: string
  entries: readonly number[]
}

/** Contents that are gone, until the entry that says so has been seen. */
export class Erasures {
  private readonly open = new Set<number>()
  readonly seen: Erasure[] = []

  see(row: AuditRow): void {
    if (row.content === null) this.open.add(row.sequence)
    else if (row.action === ERASED) {
      const { sequence, occurred_at, actor_name } = row
      const entries = erasedBy(row.content)
      this.seen.push({ sequence, occurred_at, actor_name, entries })
      for (const entry of entries) this.open.delete(entry)
    }
  }

  unrecorded(): AuditFault | undefined {
    const [sequence] = [...this.open].sort((a, b) => a - b)
    return sequence === undefined ? undefined : { sequence, fault: 'its content was removed, and no entry says so' }
  }
}

/** Nothing, where the content is not what this service writes. */
function erasedBy(content: string): readonly number[] {
  try {
    const { after }: { after?: { entries?: number[] } | null } = JSON.parse(content)
    return Array.isArray(after?.entries) ? after.entries : []
  } catch {
    return []
  }
}
