/** A locking plan as far as a re-keying is concerned: what is in doors, which key types open it, and who has copies. */
export interface RekeyingFacts {
  /** The type whose copies are unaccounted for. */
  keyType: string
  /** Copies of it that are lost or stolen. */
  unaccounted: number
  /** Cylinders that are in a door, with the key types that open each. */
  cylinders: ReadonlyArray<{ id: string; number: string; door: string; keyTypes: readonly string[] }>
  /** Of each key type, who holds how many copies. */
  holders: ReadonlyMap<string, ReadonlyMap<string, number>>
}

export interface RekeyingStep {
  cylinderId: string
  door: string
  /** Doors that the missing copies still open once this one is changed, and all before it. */
  stillOpen: string[]
  /** Other key types that open this cylinder: their copies must be replaced, or no longer open it. */
  keyTypes: string[]
  /** Of those, and of the lost type itself: how many people, with how many copies. */
  holders: number
  copies: number
}

export interface RekeyingPlan {
  steps: RekeyingStep[]
  /** Of all changes together, each person and each copy counted once. */
  keyTypes: string[]
  holders: number
  copies: number
}

/**
 * The smallest set of cylinders to change so that no unaccounted copy opens a door any more. A copy opens every
 * cylinder that its type opens, and a door stays open by any one of its cylinders: so each of them must be changed, and
 * no other. What is left to choose is the order: the cylinders whose doors the fewest other people need first, so that
 * most doors are closed to the finder before anybody waits for a new key; two cylinders of one door follow each other,
 * since the first alone closes nothing.
 */
export function rekeyingPlan({ keyType, unaccounted, cylinders, holders }: RekeyingFacts): RekeyingPlan {
  const open = unaccounted === 0 ? [] : cylinders.filter(({ keyTypes }) => keyTypes.includes(keyType))
  const affected = (keyTypes: Iterable<string>) => countHolders(holders, keyTypes)
  const weights = new Map<string, number>()
  for (const { door } of open) {
    const types = open.filter((other) => other.door === door).flatMap((other) => other.keyTypes)
    weights.set(door, affected(types).copies)
  }
  const ordered = open.toSorted(
    (a, b) =>
      (weights.get(a.door) ?? 0) - (weights.get(b.door) ?? 0) ||
      compare(a.door, b.door) ||
      compare(a.number, b.number) ||
      compare(a.id, b.id),
  )
  const steps = ordered.map(({ id, door, keyTypes }, index) => ({
    cylinderId: id,
    door,
    stillOpen: [...new Set(ordered.slice(index + 1).map((later) => later.door))],
    keyTypes: keyTypes.filter((type) => type !== keyType),
    ...affected(keyTypes),
  }))
  const types = new Set(open.flatMap(({ keyTypes }) => keyTypes))
  return { steps, keyTypes: [...types].filter((type) => type !== keyType).toSorted(), ...affected(types) }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function countHolders(
  holders: RekeyingFacts['holders'],
  keyTypes: Iterable<string>,
): { holders: number; copies: number } {
  const people = new Set<string>()
  let copies = 0
  for (const type of new Set(keyTypes)) {
    for (const [person, count] of holders.get(type) ?? []) {
      people.add(person)
      copies += count
    }
  }
  return { holders: people.size, copies }
}
