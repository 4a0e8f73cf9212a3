import type { Counted } from '../../db/lists/counted.ts'
import { FIELDS, type Kind, type KindCounts } from './kinds.ts'

type Field = (typeof FIELDS)[number]

/** How many events there are of each value of some fields. */
export class Groups {
  private readonly by: readonly Field[]
  private readonly groups = new Map<string, Counted>()

  /** Undefined where something else than an event's kind is told apart. */
  static by(names: readonly string[]): Groups | undefined {
    const by = names.flatMap((name) => FIELDS.find((field) => field === name) ?? [])
    return by.length === names.length ? new Groups(by) : undefined
  }

  private constructor(by: readonly Field[]) {
    this.by = by
    // All of them are one group, and be it empty.
    if (by.length === 0) this.of({})
  }

  of(kind: Partial<Kind>): Counted {
    const values = this.by.map((field): string | null => kind[field] || null)
    const key = values.join(' ')
    const group = this.groups.get(key) ?? {
      values: Object.fromEntries(this.by.map((field, index) => [field, values[index] ?? null])),
      count: 0,
    }
    this.groups.set(key, group)
    return group
  }

  get list(): Counted[] {
    return [...this.groups.values()].filter(({ count }) => count > 0 || this.by.length === 0)
  }
}

/** Adds each kind to its group; one without a group is not asked for. */
export function addTo(groups: ReadonlyArray<Counted | undefined>, counts: KindCounts): void {
  for (let at = 0; at < counts.length; at += 2) {
    const group = groups[counts[at] as number]
    if (group) group.count += counts[at + 1] as number
  }
}
