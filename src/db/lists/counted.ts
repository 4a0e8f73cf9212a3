/** How many rows of a list have some values. */
export interface Counted {
  readonly values: Readonly<Record<string, string | null>>
  count: number
}

/** Rows counted by the values of some fields, in all by none, where somebody knows without looking at them. */
export type CountedBy = (fields: readonly string[]) => Promise<readonly Counted[] | undefined>

/** Where only how many there are in all is known. */
export const inAll =
  (count: () => Promise<number | undefined>): CountedBy =>
  async (fields) => {
    const known = fields.length === 0 ? await count() : undefined
    return known === undefined ? undefined : [{ values: {}, count: known }]
  }

export const sumOf = (counted: readonly Counted[]): number => counted.reduce((sum, { count }) => sum + count, 0)

/** The largest first; those of one size by their values, those without one last. */
export const ranked = (counted: readonly Counted[], fields: readonly string[]): Counted[] =>
  counted.toSorted((one, other) => {
    if (one.count !== other.count) return other.count - one.count
    for (const field of fields) {
      const [a, b] = [one.values[field] ?? null, other.values[field] ?? null]
      if (a !== b) return b === null || (a !== null && a < b) ? -1 : 1
    }
    return 0
  })
