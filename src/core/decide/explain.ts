import type { Decision } from './decide.ts'
import type { Facts, Target } from './facts.ts'
import { cityBeside, grantSentence } from './grant-words.ts'
import { credentialName, type Language, timeAt } from './language.ts'

/**
 * Plain sentences, in the order in which one would say them: what it is and whose, what was given, what stands in the
 * way, until when.
 */
export function explain(decision: Decision, language: Language): string[] {
  const { case: here, grant, opener, obstacles, isGranted } = decision
  const sentences: string[] = []
  const holder = holderSentence(decision, language)
  if (holder) sentences.push(holder)
  const isOpenToAll = opener !== undefined && decision.reason !== 'granted'
  if (grant && !isOpenToAll && grant.effect === 'allow') sentences.push(grantSentence(here, grant, language))
  const { nextAllowedAt: next } = decision
  if (opener) sentences.push(opener.say(language, next))
  for (const obstacle of obstacles) sentences.push(obstacle.say(language, next))
  if (isGranted) sentences.push(grantedSentence(decision, language))
  else if (next !== null && !obstacles.some(({ reason }) => reason === 'out_of_time_range')) {
    const when = `${timeAt(language, here.zone, next, here.instant)}${cityBeside(here, grant, language)}`
    sentences.push(language === 'de' ? `Erlaubt ab ${when}.` : `Allowed from ${when}.`)
  }
  return sentences
}

function holderSentence({ case: { facts }, credential, key }: Decision, language: Language): string | undefined {
  if (!credential || !facts.individual || key) return undefined
  const name = credentialName(language, credential)
  if (credential.is_unseen)
    return language === 'de'
      ? `${name} von ${facts.individual.display_name}.`
      : `${name} of ${facts.individual.display_name}.`
  return language === 'de'
    ? `${name} gehört ${facts.individual.display_name}.`
    : `${name} belongs to ${facts.individual.display_name}.`
}

function grantedSentence({ case: here, grant, holdsUntil }: Decision, language: Language): string {
  const until =
    holdsUntil === null
      ? undefined
      : timeAt(language, here.zone, holdsUntil, here.instant) + cityBeside(here, grant, language)
  const open =
    language === 'de'
      ? until
        ? `Die Tür öffnet, bis ${until}.`
        : 'Die Tür öffnet.'
      : until
        ? `The door opens, until ${until}.`
        : 'The door opens.'
  return isNoted(here.facts, here.question.direction) ? `${open} ${notedSentence(here.facts, language)}` : open
}

function notedSentence({ individual, door, presence }: Facts, language: Language): string {
  const name = individual?.display_name ?? ''
  if (presence.space_id === door.space.id)
    return language === 'de'
      ? `${name} ist schon in ${door.space.name}: Das wird vermerkt.`
      : `${name} is in ${door.space.name} already: that is noted.`
  return language === 'de'
    ? `${name} ist nie in ${door.space.name} eingetreten: Das wird vermerkt.`
    : `${name} never came into ${door.space.name}: that is noted.`
}

/** Soft passback lets through, and says so. */
const isNoted = ({ door, presence }: Facts, direction: 'in' | 'out'): boolean =>
  door.space.passback === 'soft' &&
  presence.space_id !== null &&
  (presence.space_id === door.space.id) === (direction === 'in')

export interface Step {
  type: 'individual' | 'access_group' | 'key' | Target['kind']
  id: string
  name: string
}

/** From whom it was given to, to the door: individual, group, the place that was named, down to the door. */
export function pathOf({ case: { facts }, grant, key }: Decision): Step[] {
  const { individual, door } = facts
  const here: Step = { type: 'access_point', id: door.id, name: door.name }
  const path: Step[] = individual ? [{ type: 'individual', id: individual.id, name: individual.display_name }] : []
  if (key)
    return [
      ...path,
      ...(key.is_unseen ? [] : [{ type: 'key' as const, id: key.id, name: `${key.code} · ${key.number}` }]),
      here,
    ]
  if (!grant) return []
  if (grant.group) path.push({ type: 'access_group', id: grant.group.id, name: grant.group.name })
  const from = door.places.findIndex((place) => place.id === grant.target.id)
  if (from !== -1) for (const { kind, id, name } of door.places.slice(from)) path.push({ type: kind, id, name })
  return [...path, here]
}
