import type { GrantRow } from '../access/grants.ts'
import { terminating } from '../core/cards/credential-state.ts'
import type { CredentialFact } from '../core/decide/facts.ts'
import type { ScheduleFacts } from '../core/time/schedule.ts'
import type { Capabilities } from './connector.ts'
import { type Compiled, type Entry, entryOf, type Inexpressible, keyOf } from './entry.ts'
import type { DoorRule, PersonRule, Rules } from './rules.ts'

/** A door that says nothing of its own opens for so long. */
const UNLOCK_SECONDS = 5

/**
 * The rules as a device's table. Whatever the device cannot express is told in words and opens nothing there: it is
 * left out where it gives, and taken at its widest where it takes away.
 */
export function compileRules(rules: Rules, can: Capabilities): Compiled {
  const entries: Entry[] = []
  const inexpressible: Inexpressible[] = []
  const schedules = new Map<string, ScheduleFacts>()
  for (const door of rules.doors) {
    const { unlock_schedule } = door.door
    const missing = unlock_schedule && lacks(unlock_schedule, can)
    if (missing) inexpressible.push({ ...missing, key: keyOf('door', door.door.id) })
    else if (unlock_schedule) schedules.set(unlock_schedule.id, unlock_schedule)
    if (door.door.space.passback === 'hard' || door.door.space.passback === 'timed')
      if (!can.passback)
        inexpressible.push(
          noted('door', door.door.id, 'passback', 'The device does not know where people are: it lets them in twice'),
        )
    entries.push(doorEntry(door, missing ? null : (unlock_schedule?.id ?? null)))
  }
  for (const grant of rules.grants) {
    if (isOver(grant, rules.at)) continue
    const missing = missingFor(grant, can)
    if (missing) inexpressible.push({ ...missing, key: keyOf('grant', grant.id) })
    if (missing && grant.effect === 'allow') continue
    if (grant.schedule && !missing) schedules.set(grant.schedule.id, grant.schedule)
    entries.push(grantEntry(grant, missing ? null : grant.schedule_id))
  }
  for (const schedule of schedules.values()) entries.push(scheduleEntry(schedule))
  for (const person of rules.people) compileCards(person, rules, can, entries, inexpressible)
  return { entries, inexpressible }
}

const noted = (kind: 'door' | 'grant' | 'card', id: string, code: string, message: string): Inexpressible => ({
  key: keyOf(kind, id),
  code,
  message,
})

const isOver = ({ valid_until }: { valid_until: string | null }, at: string): boolean =>
  valid_until !== null && valid_until <= at

type Missing = Omit<Inexpressible, 'key'>

function lacks(schedule: ScheduleFacts, can: Capabilities): Missing | undefined {
  if (can.schedules === 0)
    return { code: 'schedules', message: `The device keeps no schedules: “${schedule.name}” cannot be given to it` }
  if (!can.holidays && schedule.holidays.size > 0 && schedule.on_holiday !== 'as_usual')
    return { code: 'holidays', message: `The device knows no holidays, and “${schedule.name}” is otherwise on them` }
}

function missingFor(grant: GrantRow, can: Capabilities): Missing | undefined {
  // Whoever is kept out is asked for nothing.
  const isAsking = grant.effect === 'allow'
  if (isAsking && grant.requires_second_person && !can.second_person)
    return {
      code: 'second_person',
      message: 'The device cannot ask for a second person: the grant opens nothing there',
    }
  if (isAsking && grant.requires_pin && !can.pins)
    return { code: 'pins', message: 'The device has no keypad to ask for a PIN: the grant opens nothing there' }
  const missing = grant.schedule && lacks(grant.schedule, can)
  if (!missing) return undefined
  const effect = isAsking ? 'the grant opens nothing there' : 'it keeps out at every hour there'
  return { ...missing, message: `${missing.message}: ${effect}` }
}

function doorEntry(
  { door, targets, emergencies, unlock_seconds, held_open_seconds }: DoorRule,
  unlock_schedule_id: string | null,
): Entry {
  const { override: _, override_until: __, last_entry_at: ___, unlock_schedule: ____, ...rest } = door
  return entryOf('door', door.id, {
    door: {
      ...rest,
      name: '',
      space: { ...door.space, name: '' },
      places: door.places.map((place) => ({ ...place, name: '' })),
      unlock_schedule_id,
    },
    targets: targets.map((target) => ({ ...target, name: '' })),
    emergencies: emergencies.map(({ id, kind, since, until }) => ({ id, kind, since, until, name: '' })),
    unlock_seconds: unlock_seconds ?? UNLOCK_SECONDS,
    held_open_seconds,
  })
}

function grantEntry(
  { schedule: _, is_assumed: __, revoked_at: ___, ...grant }: GrantRow,
  schedule_id: string | null,
): Entry {
  return entryOf('grant', grant.id, { ...grant, schedule_id }, grant.valid_until)
}

function scheduleEntry({ holiday_names: _, holidays, ...schedule }: ScheduleFacts): Entry {
  return entryOf('schedule', schedule.id, { ...schedule, name: '', holidays: [...holidays].sort() })
}

function compileCards(
  person: PersonRule,
  rules: Rules,
  can: Capabilities,
  entries: Entry[],
  inexpressible: Inexpressible[],
): void {
  const { status } = person.person
  if (status === 'offboarded' || status === 'anonymised' || isOver(person.person, rules.at)) return
  for (const credential of person.credentials) {
    if (!isForSystem(credential, rules)) continue
    const lookup = person.lookups.get(credential.id)
    if (credential.type === 'pin' && !can.pins) {
      inexpressible.push(noted('card', credential.id, 'pins', 'The device has no keypad: a PIN opens nothing there'))
      continue
    }
    const body = {
      credential: { ...credential, label: null, use_count: credential.max_uses === null ? 0 : credential.use_count },
      lookup: credential.type === 'pin' ? (lookup?.pin_key ?? null) : (lookup?.match_key ?? null),
      pin_key: lookup?.pin_key ?? null,
      person: { ...person.person, display_name: '' },
      groups: [...person.groups.values()]
        .map(({ id, valid_from, valid_until }) => ({ id, valid_from, valid_until }))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    }
    const ends = [credential.valid_until, person.person.valid_until].filter((at) => at !== null).sort()
    entries.push(entryOf('card', credential.id, body, ends[0] ?? null))
  }
}

/** What was ended, or made for another system, is not given to the device at all. */
const isForSystem = (credential: CredentialFact, { access_control_system_id, at }: Rules): boolean =>
  !terminating.some((one) => one === credential.status_reason) &&
  !isOver(credential, at) &&
  (credential.access_control_system_id === null || credential.access_control_system_id === access_control_system_id)
