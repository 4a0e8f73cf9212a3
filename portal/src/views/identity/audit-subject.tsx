import { Fragment } from 'react'
import type { AuditEntry } from '../../api/generated/types.ts'
import { Reference } from '../../resource/reference.tsx'
import { labelOf, type Resource, resourceByNoun, targetOf } from '../../resource/resources.ts'

/** What has no name of its own is told by what it joins. */
const joined: Partial<Record<string, readonly string[]>> = {
  'access-grants': ['individual_id', 'access_group_id', 'access_point_id', 'space_id', 'building_id', 'location_id'],
  'access-group-members': ['individual_id', 'access_group_id'],
  'access-requests': ['individual_id', 'access_point_id', 'space_id', 'building_id', 'location_id'],
  'key-handovers': ['key_id', 'individual_id'],
  'role-assignments': ['user_id', 'service_user_id', 'role_id'],
  visits: ['visitor_id', 'host_id'],
}

/** The items by which an entry tells what it is about. */
export function subjectsOf({
  resource,
  resource_id,
  after,
  before,
}: AuditEntry): ReadonlyArray<readonly [Resource, string]> {
  const known = resourceByNoun(resource)
  if (known === undefined) return []
  const item = after ?? before
  const ends = joined[resource]?.flatMap((field) => {
    const to = targetOf(field, known)
    const id = item?.[field]
    return to && typeof id === 'string' ? [[to, id] as const] : []
  })
  if (ends !== undefined && ends.length > 0) return ends
  return known.path !== undefined && resource_id !== null ? [[known, resource_id]] : []
}

/** The name that it had then, where its item is gone or has no page. */
function nameThen({ resource, after, before }: AuditEntry): string | undefined {
  const known = resourceByNoun(resource)
  const named = [after, before].find((item) => item && known?.label.some((field) => typeof item[field] === 'string'))
  return known && named ? labelOf(known, named) : undefined
}

/** Whether there is anything to name. */
export const isAboutSomething = (entry: AuditEntry): boolean =>
  subjectsOf(entry).length > 0 || nameThen(entry) !== undefined

/** What an entry is about, as names that lead there. */
export function AuditSubject({ entry, isPlain = false }: { entry: AuditEntry; isPlain?: boolean }) {
  const ends = subjectsOf(entry)
  const name = nameThen(entry)
  if (ends.length === 0) return name ?? null
  return ends.map(([to, id], index) => (
    <Fragment key={id}>
      {index > 0 && ' → '}
      <Reference to={to} id={id} isPlain={isPlain} fallback={id === entry.resource_id ? name : undefined} />
    </Fragment>
  ))
}
