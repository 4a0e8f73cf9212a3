import type { World } from './case.ts'

interface Window {
  valid_from?: string
  valid_until?: string
}

const holds = ({ valid_from, valid_until }: Window, at: string): boolean =>
  (valid_from === undefined || valid_from <= at) && (valid_until === undefined || valid_until > at)

/**
 * Whether somebody of a world has a right in force at its door then, said by the world alone: by a grant that no deny
 * takes away at all hours, or by a key.
 */
export function hasRight(
  { people = { ada: {} }, groups = {}, grants = [], keys = [], door = {} }: World,
  who: string,
  at: string,
): boolean {
  const turns = (cylinder = 'installed') => cylinder === 'installed' || cylinder === 'defective'
  if (keys.some((key) => key.holder === who && !key.action && turns(key.cylinder) && key.isInPlan !== false))
    return true
  const person = people[who]
  if (door.mechanical || !person || person.action || person.status || !holds(person, at)) return false
  const theirs = grants.filter((grant) => {
    const membership = groups[grant.to]?.[who]
    const isTheirs = grant.to === who || (membership !== undefined && holds(membership, at))
    return isTheirs && grant.on !== 'elsewhere' && !grant.revoked && holds(grant, at)
  })
  return (
    theirs.some(({ effect }) => effect !== 'deny') &&
    !theirs.some(({ effect, schedule }) => effect === 'deny' && !schedule)
  )
}
