import { timeAt, words } from '../language.ts'
import type { Rule } from '../rule.ts'

const MINUTE = 60_000

/** Who is inside already cannot come in again with the same card, nor leave where they never came in. */
export const passback: Rule = ({ facts: { door, presence, individual }, question: { direction }, instant, zone }) => {
  const { passback: mode, passback_minutes, id, name } = door.space
  if (!individual || presence.since === null || presence.space_id === null || mode === 'none' || mode === 'soft')
    return undefined
  const since = Date.parse(presence.since)
  if (mode === 'timed' && instant >= since + (passback_minutes ?? 0) * MINUTE) return undefined
  const isInside = presence.space_id === id
  if (isInside !== (direction === 'in')) return undefined
  return {
    reason: 'passback',
    say: words(
      () =>
        isInside
          ? `${individual.display_name} is in ${name} already, since ${timeAt('en', zone, since, instant)}.`
          : `${individual.display_name} never came into ${name}, so cannot leave it here.`,
      () =>
        isInside
          ? `${individual.display_name} ist seit ${timeAt('de', zone, since, instant)} schon in ${name}.`
          : `${individual.display_name} ist nie in ${name} eingetreten und kann hier nicht hinaus.`,
    ),
  }
}
