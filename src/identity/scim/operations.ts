import { AppError } from '../../core/errors.ts'
import { ENTERPRISE, isObject, type Json, refuseEndless, tolerant } from './messages.ts'
import { conditionsIn, namesIn, pathIn, refusedPath } from './paths.ts'

interface Operation {
  op: string
  path: string
  value: unknown
}

const OPS = new Set(['add', 'remove', 'replace'])

/**
 * The operations of a PATCH, whoever sent them: Entra writes them in capitals. What is of others' extensions is passed
 * over, as in a POST.
 */
function operationsOf(kind: 'User' | 'Group', body: unknown): Operation[] {
  const list = isObject(body) && Array.isArray(body.Operations) ? body.Operations : undefined
  if (!list?.every(isObject)) throw new AppError('VALIDATION_ERROR', 'Operations: a PATCH needs a list of operations')
  return list.flatMap((given, index) => {
    const op = String(given.op).toLowerCase()
    const path = typeof given.path === 'string' ? given.path : ''
    if (!OPS.has(op))
      throw new AppError(
        'MALFORMED_REQUEST',
        `Operations: op of operation ${index + 1} must be add, remove or replace; got "${op.slice(0, 60)}"`,
      )
    // The names of a value without a path are read as paths too.
    for (const place of [path, ...(isObject(given.value) ? Object.keys(given.value) : [])]) refuseEndless('path', place)
    const known = pathIn(kind, path)
    if (known === undefined) return []
    const value = tolerant(given.value, known)
    if (known !== '' || !isObject(value)) return [{ op, path: known, value }]
    const named = Object.entries(namesIn(kind, value))
    // The core knows no filters in names; Entra sends some.
    const [filtered, plain] = [
      named.filter(([name]) => name.includes('[')),
      named.filter(([name]) => !name.includes('[')),
    ]
    return [
      ...(plain.length > 0 || Object.keys(value).length === 0
        ? [{ op, path: '', value: Object.fromEntries(plain) }]
        : []),
      ...filtered.map(([name, inner]) => ({ op, path: name, value: inner })),
    ]
  })
}

const asSent = ({ op, path, value }: Operation): Json => ({
  op,
  ...(path === '' ? {} : { path }),
  ...(value === undefined || op === 'remove' ? {} : { value }),
})

const FILTERED = /^(\w+)\[(.+)\]\.(\w+)$/s
/** The lists of which one item is kept; the others are taken and passed over. */
const KEPT = new Set(['emails', 'phoneNumbers'])
const MANAGER = `${ENTERPRISE}:manager`.toLowerCase()

/** The operations on a user, as the core takes them. `current` is what they are applied to. */
export function userOperations(body: unknown, current: Json): Json[] {
  const added = new Set<string>()
  return operationsOf('User', body)
    .flatMap(apartByList)
    .flatMap((operation) => {
      const { op, path, value } = operation
      const [, list, filter = '', member = ''] = FILTERED.exec(path) ?? []
      if (list !== undefined) {
        if (!KEPT.has(list)) return []
        const [item, another] = conditionsIn(filter) ?? []
        const wanted = item && !another ? (tolerant(item) as Json) : undefined
        const named = `${list} ${filter}`
        // Where there is none like it yet the core finds no target: Entra means to add one, or has nothing to remove.
        if (wanted && !isAmong(current[list], wanted) && !added.has(named)) {
          if (op === 'remove') return []
          added.add(named)
          return [{ op: 'add', path: list, value: [{ ...wanted, [member]: value }] }]
        }
        if (wanted) return [asSent({ ...operation, path: `${list}[${worded(wanted)}].${member}` })]
      }
      // Entra names a manager by the id alone, or in a list.
      if (path.toLowerCase() === MANAGER && op !== 'remove') return managerOperation(value)
      return [asSent(operation)]
    })
}

const isAmong = (items: unknown, wanted: Json): boolean =>
  Array.isArray(items) && items.some((item) => Object.entries(wanted).every(([name, value]) => item[name] === value))

/** As a filter: Entra writes `primary eq "True"`. */
const worded = (wanted: Json): string =>
  Object.entries(wanted)
    .map(([name, value]) => `${name} eq ${JSON.stringify(value)}`)
    .join(' and ')

/** What replaces a list without naming it by a path would be added to it by the core. */
function apartByList(operation: Operation): Operation[] {
  const { op, path, value } = operation
  if (op !== 'replace' || path !== '' || !isObject(value)) return [operation]
  const [lists, others] = [
    Object.entries(value).filter(isList),
    Object.entries(value).filter((entry) => !isList(entry)),
  ]
  return [
    ...(others.length === 0 ? [] : [{ op, path, value: Object.fromEntries(others) }]),
    ...lists.map(([name, list]) => ({ op, path: name, value: list })),
  ]
}

const isList = ([name, value]: [string, unknown]): boolean =>
  Array.isArray(value) && !name.includes(':') && name !== 'schemas'

function managerOperation(value: unknown): Json[] {
  const given = Array.isArray(value) ? value[0] : value
  const id = isObject(given) ? given.value : given
  if (id === null || id === undefined || id === '') return [{ op: 'remove', path: `${ENTERPRISE}:manager` }]
  return [{ op: 'replace', path: `${ENTERPRISE}:manager`, value: { value: String(id) } }]
}

/** What becomes of a group's members: `all` are the only ones before the others come and go. */
export interface MemberSteps {
  all: ReadonlySet<string> | undefined
  added: ReadonlySet<string>
  removed: ReadonlySet<string>
}

const SOME_MEMBERS = /^members\[(.+)\]$/s

/** The operations on a group: those on its members apart, since these may be thousands. */
export function groupOperations(body: unknown): { members: MemberSteps; others: Json[] } {
  let all: Set<string> | undefined
  const added = new Set<string>()
  const removed = new Set<string>()
  const leave = (ids: string[]) => {
    for (const id of ids) {
      added.delete(id)
      removed.add(id)
    }
  }
  const join = (ids: string[]) => {
    for (const id of ids) {
      removed.delete(id)
      added.add(id)
    }
  }
  const replace = (ids: string[]) => {
    all = new Set(ids)
    added.clear()
    removed.clear()
  }
  const others = operationsOf('Group', body)
    .flatMap(apartFromMembers)
    .filter(({ op, path, value }) => {
      if (!/^members(?:[[.]|$)/.test(path)) return true
      // Entra names in the value who leaves, Okta in the path; without either all do.
      if (path !== 'members') leave(membersNamed(op, path))
      else if (op === 'remove') value === undefined ? replace([]) : leave(idsIn(value))
      else if (op === 'replace') replace(idsIn(value))
      else join(idsIn(value))
      return false
    })
  return { members: { all, added, removed }, others: others.map(asSent) }
}

/** Who leaves by a path. One that is not understood is refused: whoever was meant would stay. */
function membersNamed(op: string, path: string): string[] {
  const [, filter] = SOME_MEMBERS.exec(path) ?? []
  const ids =
    filter === undefined || op !== 'remove'
      ? undefined
      : conditionsIn(filter)?.map(({ value, ...more }) => [value, ...Object.keys(more)])
  if (!ids?.every(([id, ...more]) => typeof id === 'string' && more.length === 0))
    throw refusedPath(path, 'is not offered: members leave by members[value eq "…"], and come by the path members')
  return ids.map(([id]) => String(id).toLowerCase())
}

/** A value without a path may hold the members beside other attributes. */
function apartFromMembers(operation: Operation): Operation[] {
  const { op, path, value } = operation
  if (path !== '' || !isObject(value)) return [operation]
  // Okta repeats the id, which nobody can change.
  const entries = Object.entries(value).filter(([name]) => !/^(id|schemas|meta)$/i.test(name))
  const members = entries.find(([name]) => name.toLowerCase() === 'members')
  const rest = entries.filter((entry) => entry !== members)
  return [
    ...(rest.length === 0 ? [] : [{ op, path, value: Object.fromEntries(rest) }]),
    ...(members ? [{ op, path: 'members', value: members[1] }] : []),
  ]
}

/** Ids of members, as they are listed. */
export function idsIn(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value]
  return list.map((item) => {
    const id = isObject(item) ? item.value : item
    if (typeof id === 'string') return id.toLowerCase()
    throw new AppError('VALIDATION_ERROR', 'members: each needs the value, the id of a user')
  })
}
