import { type Decision, decide } from '../../core/decide/decide.ts'
import { pathOf } from '../../core/decide/explain.ts'
import type { Facts, Question } from '../../core/decide/facts.ts'
import { credentialName } from '../../core/decide/language.ts'
import { unusable } from '../../core/decide/unusable.ts'
import type { AnyRow, Resource } from '../../db/resource.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { countPeople } from '../counts/audience.ts'
import { type DoorFacts, loadDoors } from '../doors.ts'
import { Bundle } from '../facts.ts'
import { loadPeople } from '../people.ts'
import type { Settings } from '../settings.ts'
import { peopleWithRight } from './candidates.ts'
import { doorsWithRight } from './doors-within-reach.ts'
import type { Listing } from './listing.ts'

const asked = (at: string, { door }: DoorFacts): Question => ({
  by: 'individual',
  at,
  direction: door.direction === 'out' ? 'out' : 'in',
  pin: 'none',
})

interface DoorRow {
  id: string
  space_id: string
  building_id: string
  access_control_system_id: string | null
}

/** The doors that are asked about: one, or those that lead into a space under the settings of a day. */
export type DoorsAsked = (settings: Settings) => Promise<readonly string[]>

/** Everybody with a right at one of these doors. */
export function peopleAt(resource: Resource, doorsAsked: DoorsAsked): Listing {
  return {
    resource,
    table: 'individuals',
    text: 'seen_text',
    columns: { individual_id: 'id', display_name: 'display_name', kind: 'kind' },
    async candidates(settings, at) {
      const doors = await loadDoors(settings, await doorsAsked(settings), at)
      return peopleWithRight(settings, [...doors.values()], at)
    },
    async count(settings) {
      const { handle } = settings
      const doors = await doorsAsked(settings)
      const rows = await handle.all<DoorRow>(sql`
        select t.id, t.space_id, s.building_id, t.access_control_system_id
        from ${handle.dialect.ids(doors, 'l')} cross join access_points t
        join spaces s on s.org = :org and s.id = t.space_id where t.org = :org and t.id = l.id`)
      const [first] = rows
      if (!first) return 0
      return countPeople(handle, { id: first.space_id, building_id: first.building_id, points: rows })
    },
    async judge(settings, at, rows) {
      const people = rows.map((row) => String(row.individual_id))
      const bundle = await Bundle.load(settings, { doors: await doorsAsked(settings), people, at })
      for (const row of rows) {
        const decision = bestOf(
          [...bundle.doors.values()].flatMap((door) => judgedAt(bundle, door, String(row.individual_id), at)),
        )
        if (decision) Object.assign(row, judgement(decision), { access_point_id: decision.case.facts.door.id })
      }
    },
  }
}

/** Every door at which somebody has a right, of those that are seen: a condition on row `t` of access_points. */
export function doorsOf(resource: Resource, individualId: string, seenUnder: (of: Settings) => Promise<Sql>): Listing {
  return {
    resource,
    table: 'access_points',
    text: 'search_text',
    columns: { access_point_id: 'id', name: 'name', label: 'label' },
    async candidates(settings, at) {
      const person = (await loadPeople(settings, [individualId])).get(individualId)
      if (!person) return { condition: sql`false`, isFew: true }
      const seen = await seenUnder(settings)
      return { condition: sql`(${seen} and ${await doorsWithRight(settings, person, at)})`, isFew: false }
    },
    async judge(settings, at, rows) {
      const ids = rows.map((row) => String(row.access_point_id))
      const bundle = await Bundle.load(settings, { doors: ids, people: [individualId], at })
      for (const row of rows) {
        const door = bundle.doors.get(String(row.access_point_id))
        const [decision] = door ? judgedAt(bundle, door, individualId, at) : []
        if (!door || !decision) continue
        const text = door.door.places.map(({ name }) => name).join(' / ')
        Object.assign(row, judgement(decision), { place: text })
      }
    },
  }
}

function judgedAt(bundle: Bundle, door: DoorFacts, individual: string, at: string): Decision[] {
  const facts = bundle.factsOf(door.door.id, individual)
  return facts ? [decide(facts, asked(at, door))] : []
}

/** One that opens; else the one that opens soonest; else the first. */
function bestOf(decisions: readonly Decision[]): Decision | undefined {
  let best: Decision | undefined
  for (const decision of decisions) {
    if (!best || rank(decision) < rank(best)) best = decision
  }
  return best
}

const rank = ({ isGranted, nextAllowedAt }: Decision): string =>
  isGranted ? '0' : nextAllowedAt === null ? '9' : `1${nextAllowedAt}`

/** What a decision adds to a row. */
const judgement = (decision: Decision): AnyRow => ({
  allowed: decision.isGranted,
  reason: decision.reason,
  next_allowed_at: decision.nextAllowedAt,
  holds_until: decision.holdsUntil,
  grant_id: decision.grant?.id ?? null,
  means: meansIn(decision.case.facts, decision.case.at),
  path: pathOf(decision),
})

/** All that would open it or be held to its reader: the credentials that work, and the keys. */
function meansIn({ credentials, keys, door }: Facts, at: string) {
  const system = door.access_control_system_id
  const isOfSystem = (made: string | null) => system !== null && (made === null || made === system)
  const usable = credentials.filter(
    (credential) => isOfSystem(credential.access_control_system_id) && !unusable(credential, at),
  )
  return [
    ...usable.map((credential) => ({
      type: credential.type,
      id: credential.id,
      name: credentialName('en', credential),
      ignores_rules: false,
    })),
    ...keys.map((key) => ({ type: 'key', id: key.id, name: `${key.code} · ${key.number}`, ignores_rules: true })),
  ]
}
