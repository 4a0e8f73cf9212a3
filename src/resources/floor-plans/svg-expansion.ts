import { Refused } from './refused.ts'

/** An element, as far as it makes work for whoever draws it. */
export interface Drawn {
  id?: string
  /** Ids of what is drawn with it: by use, as a pattern, a mask, a marker. */
  references: string[]
  children: Drawn[]
}

const MAX_DRAWN = 500_000
const MAX_DEPTH = 1000

/**
 * A part that is used ten times by a part that is used ten times, and so on, is a small file and an endless drawing.
 */
export function checkExpansion(root: Drawn): void {
  const byId = new Map<string, Drawn>()
  const collect = (drawn: Drawn): void => {
    if (drawn.id !== undefined && !byId.has(drawn.id)) byId.set(drawn.id, drawn)
    for (const child of drawn.children) collect(child)
  }
  collect(root)
  const costs = new Map<Drawn, number>()
  const costOf = (drawn: Drawn, depth: number): number => {
    const known = costs.get(drawn)
    if (known === Number.POSITIVE_INFINITY || depth > MAX_DEPTH)
      throw new Refused('The SVG uses its own parts inside of themselves')
    if (known !== undefined) return known
    costs.set(drawn, Number.POSITIVE_INFINITY)
    let cost = 1
    for (const child of drawn.children) cost += costOf(child, depth + 1)
    for (const id of drawn.references) {
      const part = byId.get(id)
      if (part) cost += costOf(part, depth + 1)
    }
    if (cost > MAX_DRAWN) throw new Refused(`The SVG uses its own parts so often that more than ${MAX_DRAWN} are drawn`)
    costs.set(drawn, cost)
    return cost
  }
  costOf(root, 0)
}
