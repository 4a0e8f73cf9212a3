import { isRecord } from '../core/typed.ts'
import type { ChangeRecord } from '../db/audit.ts'

/**
 * What a change may concern: places and doors by id; people, groups, key types and cylinders, whose doors are looked
 * up.
 */
export interface Concerned {
  readonly places: Set<string>
  readonly subjects: Set<string>
  readonly keyTypes: Set<string>
  readonly cylinders: Set<string>
  /** Who may gain or lose: of a membership whoever has it, of what else concerns a group all who are in it. */
  readonly crowd: Set<string>
  /** People and groups who alone can gain or lose, where nothing but what is theirs was written; null: anybody. */
  readonly whose: Set<string> | null
}

/** What leads to doors. */
type Lead = Exclude<keyof Concerned, 'crowd' | 'whose'>

/** Members of a recorded row that lead to doors, by what they lead through. */
const members: Readonly<Record<string, Lead>> = {
  access_point_id: 'places',
  space_id: 'places',
  building_id: 'places',
  location_id: 'places',
  individual_id: 'subjects',
  access_group_id: 'subjects',
  key_type_id: 'keyTypes',
  cylinder_id: 'cylinders',
}
const own: Readonly<Record<string, Lead>> = {
  'access-points': 'places',
  spaces: 'places',
  buildings: 'places',
  locations: 'places',
  individuals: 'subjects',
  'access-groups': 'subjects',
  'key-types': 'keyTypes',
  cylinders: 'cylinders',
}

export function concernedBy(records: readonly ChangeRecord[]): Concerned {
  const concerned: Concerned = {
    places: new Set(),
    subjects: new Set(),
    keyTypes: new Set(),
    cylinders: new Set(),
    crowd: new Set(),
    whose: records.every(({ resource }) => resource in theirs) ? new Set() : null,
  }
  const take = (row: unknown, member?: string): void => {
    for (const [name, value] of Object.entries(row ?? {})) {
      const kind = members[name]
      if (kind && typeof value === 'string') concerned[kind].add(value)
      if (kind === 'subjects' && typeof value === 'string') concerned.crowd.add(member ?? value)
      if (name === 'cells' && Array.isArray(value)) for (const cell of value) take(cell)
    }
  }
  // A group that is concerned itself is so with all who are or were in it.
  const groups = new Set(records.flatMap(({ resource, resourceId }) => (resource === GROUPS ? (resourceId ?? []) : [])))
  for (const { resource, resourceId, before, after } of records) {
    if (resource === MEMBERS && [before, after].every((row) => row === null || groups.has(groupIn(row)))) continue
    const kind = own[resource]
    if (kind && resourceId) concerned[kind].add(resourceId)
    if (kind === 'subjects' && resourceId) concerned.crowd.add(resourceId)
    for (const id of [
      kind === 'subjects' ? resourceId : null,
      ...ownersIn(resource, before),
      ...ownersIn(resource, after),
    ])
      if (typeof id === 'string') concerned.whose?.add(id)
    // A person's or a group's own place says where they belong, not what they open.
    if (kind === 'subjects') continue
    const leftOut = elsewhere[resource] ?? []
    for (const row of [before, after])
      take(leftOut.length === 0 ? row : without(row, leftOut), resource === MEMBERS ? memberIn(row) : undefined)
  }
  return concerned
}

const GROUPS = 'access-groups'
const MEMBERS = 'access-group-members'

/**
 * Members whose other doors stay as they are: a grant is for its subject at its target alone, and a membership for what
 * the group opens. A lockdown takes nobody's right away, only the time to use it. Where a locking system lies says who
 * manages it, not what its keys open.
 */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'access-grants': ['individual_id', 'access_group_id'],
  [MEMBERS]: ['individual_id'],
  lockdowns: ['location_id', 'building_id', 'space_id', 'access_point_id'],
  'locking-system': ['location_id', 'building_id'],
}

/** Members of a recorded row that say whose it is. */
const theirs: Readonly<Record<string, readonly string[]>> = {
  individuals: [],
  'access-groups': [],
  credentials: ['individual_id'],
  'access-grants': ['individual_id', 'access_group_id'],
  [MEMBERS]: ['individual_id'],
}

const ownersIn = (resource: string, row: unknown): unknown[] =>
  isRecord(row) ? (theirs[resource] ?? []).map((name) => row[name]) : []

/** Whose membership a row is. */
function memberIn(row: unknown): string | undefined {
  const { individual_id } = isRecord(row) ? row : {}
  return typeof individual_id === 'string' ? individual_id : undefined
}

const groupIn = (row: unknown): string => (isRecord(row) ? String(row.access_group_id) : '')

const without = (row: unknown, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(row ?? {}).filter(([name]) => !names.includes(name)))
