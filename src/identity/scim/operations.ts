import { AppError } from '../../core/errors.ts'
import { ENTERPRISE, isObject, type Json, refuseEndless, tolerant } from './messages.ts'

interface Operation {
  op: string
  path: string
  value: unknown
}

/** The operations of a PATCH, whoever sent them: Entra writes them in capitals. */
function operationsOf(body: unknown): Operation[] {
  const list = isObject(body) && Array.isArray(body.Operations) ? body.Operations : undefined
  if (!list?.every(isObject)) throw new AppError('VALIDATION_ERROR', 'Operations: a PATCH needs a list of operations')
  for (const { path, value } of list) {
    // The names of a value without a path are read as paths too.
    for (const place of [path, ...(isObject(value) ? Object.keys(value) : [])]) if (typeof place === 'string') refuseEndless('path', place)
  }
  return list.map(({ op, path, value }) => ({
    op: String(op).toLowerCase(),
    path: typeof path === 'string' ? path : '',
    value: tolerant(value, typeof path === 'string' ? path : ''),
  }))
}

const asSent = ({ op, path, value }: Operation): Json => ({
  op,
  ...(path === '' ? {} : { path }),
  ...(value === undefined || op === 'remove' ? {} : { value }),
})

const OF_TYPE = /^(\w+)\[type eq "([^"]+)"\]\.(\w+)$/i
const MANAGER = `${ENTERPRISE}:manager`.toLowerCase()

/** The operations on a user, as the core takes them. `current` is what they are applied to. */
export function userOperations(body: unknown, current: Json): Json[] {
  const added = new Set<string>()
  return operationsOf(body)
    .flatMap(apartByList)
    .flatMap((operation) => {
      const { op, path, value } = operation
      const [, list = '', type, member = ''] = OF_TYPE.exec(path) ?? []
      const there = Array.isArray(current[list]) ? (current[list] as Json[]) : []
      const isMissing = type !== undefined && !there.some((item) => item.type === type) && !added.has(`${list} ${type}`)
      // Where there is none of this type yet the core finds no target: Entra means to add one, or has nothing to remove.
      if (isMissing && op === 'remove') return []
      if (isMissing) {
        added.add(`${list} ${type}`)
        return [{ op: 'add', path: list, value: [{ type, [member]: value }] }]
      }
      // Entra names a manager by the id alone, or in a list.
      if (path.toLowerCase() === MANAGER && op !== 'remove') return managerOperation(value)
      return [asSent(operation)]
    })
}

/** What replaces a list without naming it by a path would be added to it by the core. */
function apartByList(operation: Operation): Operation[] {
  const { op, path, value } = operation
  if (op !== 'replace' || path !== '' || !isObject(value)) return [operation]
  const [lists, others] = [Object.entries(value).filter(isList), Object.entries(value).filter((entry) => !isList(entry))]
  return [
    ...(others.length === 0 ? [] : [{ op, path, value: Object.fromEntries(others) }]),
    ...lists.map(([name, list]) => ({ op, path: name, value: list })),
  ]
}

const isList = ([name, value]: [string, unknown]): boolean => Array.isArray(value) && !name.includes(':') && name !== 'schemas'

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

const ONE_MEMBER = /^members\[value eq "([^"]+)"\]$/i

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
  const others = operationsOf(body)
    .flatMap(apartFromMembers)
    .filter(({ op, path, value }) => {
      const [, one] = ONE_MEMBER.exec(path) ?? []
      if (one === undefined && path.toLowerCase() !== 'members') return true
      // Entra names in the value who leaves, Okta in the path; without either all do.
      if (op === 'remove' && one !== undefined) leave([one.toLowerCase()])
      else if (op === 'remove') value === undefined ? replace([]) : leave(idsIn(value))
      else if (op === 'replace') replace(idsIn(value))
      else join(idsIn(value))
      return false
    })
  return { members: { all, added, removed }, others: others.map(asSent) }
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
