import type { LockingPlan } from '../../api/generated/types.ts'

export type PlanCylinder = LockingPlan['cylinders'][number]
export type PlanKeyType = LockingPlan['key_types'][number] & { depth: number }

export interface Plan {
  cylinders: PlanCylinder[]
  keyTypes: PlanKeyType[]
  /** Where a key opens: names of cells. */
  cells: ReadonlySet<string>
}

export const cellName = (keyTypeId: string, cylinderId: string): string => `${keyTypeId} ${cylinderId}`

const { compare } = new Intl.Collator(undefined, { numeric: true })

/** As people read a plan: cylinders by number (9 before 10), master keys before those below them. */
export function inOrder({ cylinders, key_types, cells }: LockingPlan): Plan {
  const known = new Set(key_types.map(({ id }) => id))
  const below = Map.groupBy(key_types, ({ parent_id }) => (parent_id !== null && known.has(parent_id) ? parent_id : ''))
  const keyTypes: PlanKeyType[] = []
  const add = (parent: string, depth: number): void => {
    for (const type of (below.get(parent) ?? []).sort((a, b) => compare(a.code, b.code))) {
      keyTypes.push({ ...type, depth })
      add(type.id, depth + 1)
    }
  }
  add('', 0)
  return {
    cylinders: cylinders.toSorted((a, b) => compare(a.number, b.number)),
    keyTypes,
    cells: new Set(cells.map(({ key_type_id, cylinder_id }) => cellName(key_type_id, cylinder_id))),
  }
}
