import { randomUUIDv7 } from 'node:crypto'
import { findPresented } from '../../access/present.ts'
import { Settings } from '../../access/settings.ts'
import { resultOf } from '../../core/doors/events.ts'
import { AppError, type ErrorDetail } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import { instantIn } from '../../core/time/instant.ts'
import type { OrgHandle } from '../../db/org.ts'
import { raw, sql } from '../../db/sql.ts'
import type { NewEvent, PreparedEvent } from './new-event.ts'

interface Door {
  readonly id: string
  readonly building_id: string
  readonly access_control_system_id: string | null
}

interface Person {
  readonly id: string
  readonly building_id: string | null
  readonly location_id: string | null
}

interface System {
  readonly id: string
  readonly location_id: string | null
}

interface Credential {
  readonly id: string
  readonly individual_id: string | null
}

/** With where its holder belongs. */
interface HeldCredential extends Credential, Omit<Person, 'id'> {}

/** What the events of one sender refer to, as far as it exists and the sender may report about it. */
interface Known {
  readonly doors: ReadonlyMap<string, Door>
  readonly systems: ReadonlyMap<string, System>
  readonly individuals: ReadonlyMap<string, Person>
  readonly credentials: ReadonlyMap<string, Credential>
  readonly presented: ReadonlyMap<string, Credential>
}

/** Each event as it will be stored, or what is wrong with it. */
export async function prepare(handle: OrgHandle, events: readonly NewEvent[], scope: Scope): Promise<Array<PreparedEvent | ErrorDetail>> {
  const known = await lookUp(handle, events, scope)
  return events.map((event) => {
    try {
      return prepared(event, known, handle.instant, scope)
    } catch (error) {
      const [fault] = error instanceof AppError ? (error.details ?? []) : []
      if (!fault) throw error
      return fault
    }
  })
}

export const isFault = (event: PreparedEvent | ErrorDetail): event is ErrorDetail => 'rule' in event

function prepared(event: NewEvent, known: Known, now: string, scope: Scope): PreparedEvent {
  const door = getFrom(known.doors, 'access_point_id', event.access_point_id)
  const system = getFrom(known.systems, 'access_control_system_id', event.access_control_system_id)
  // Whoever may report of some places alone reports of their doors, or of the systems that stand there.
  if (system && !stands(system, scope) && door?.access_control_system_id !== system.id) throw unknown('access_control_system_id', system.id)
  if (scope !== 'all' && !door && !system) throw unknown('access_point_id', String(event.access_point_id ?? null))
  const credential = getFrom(known.credentials, 'credential_id', event.credential_id) ?? known.presented.get(keyOf(event) ?? '')
  const individual = getFrom(known.individuals, 'individual_id', event.individual_id)?.id ?? null
  return {
    id: randomUUIDv7(),
    source_id: event.source_id ?? null,
    type: event.type,
    result: event.result ?? resultOf(event.type),
    reason: event.reason ?? null,
    access_point_id: door?.id ?? null,
    building_id: door?.building_id ?? null,
    individual_id: individual ?? credential?.individual_id ?? null,
    credential_id: credential?.id ?? null,
    credential_number: credential ? null : (event.credential_number ?? null),
    access_control_system_id: system?.id ?? null,
    command_id: event.command_id?.toLowerCase() ?? null,
    direction: event.direction ?? null,
    occurred_at: event.occurred_at ? instantIn('occurred_at', event.occurred_at) : now,
    received_at: now,
  }
}

const stands = ({ location_id }: System, scope: Scope): boolean =>
  scope === 'all' || (location_id !== null && scope.locations.has(location_id))

function getFrom<T>(found: ReadonlyMap<string, T>, path: string, id: string | null | undefined): T | undefined {
  if (id === null || id === undefined) return undefined
  const item = found.get(id.toLowerCase())
  if (!item) throw unknown(path, id)
  return item
}

const unknown = (path: string, id: string) => {
  const message = `${path}: ${id} does not exist, or is outside what you may report about`
  return new AppError('VALIDATION_ERROR', message, {
    reason: 'reference.not_found',
    details: [{ path, rule: 'reference.not_found', message }],
  })
}

async function lookUp(handle: OrgHandle, events: readonly NewEvent[], scope: Scope): Promise<Known> {
  const ids = (name: 'access_point_id' | 'access_control_system_id' | 'individual_id' | 'credential_id') =>
    new Set(events.flatMap((event) => event[name]?.toLowerCase() ?? []))
  const doors = await found<Door>(handle, 'access_points', ids('access_point_id'), DOOR)
  const systems = await found<System>(handle, 'access_control_systems', ids('access_control_system_id'), 't.id, t.location_id')
  return {
    doors: scope === 'all' ? doors : new Map([...doors].filter(([, { building_id }]) => scope.buildings.has(building_id))),
    systems,
    // Somebody from elsewhere who comes by is known by what the reader reads, not by name.
    individuals: belonging(await found<Person>(handle, 'individuals', ids('individual_id'), 't.id, t.building_id, t.location_id'), scope),
    credentials: belonging(await found<HeldCredential>(handle, 'credentials', ids('credential_id'), HELD), scope),
    presented: await presentedOf(handle, events),
  }
}

const belonging = <T extends Omit<Person, 'id'>>(people: ReadonlyMap<string, T>, scope: Scope): ReadonlyMap<string, T> =>
  scope === 'all'
    ? people
    : new Map(
        [...people].filter(
          ([, { building_id, location_id }]) => scope.buildings.has(building_id ?? '') || scope.locations.has(location_id ?? ''),
        ),
      )

const ofHolder = (column: string) => `(select i.${column} from individuals i where i.org = :org and i.id = t.individual_id) as ${column}`
const HELD = `t.id, t.individual_id, ${ofHolder('building_id')}, ${ofHolder('location_id')}`
const DOOR =
  't.id, t.access_control_system_id, (select s.building_id from spaces s where s.org = :org and s.id = t.space_id) as building_id'

async function found<Row extends { id: string }>(handle: OrgHandle, table: string, ids: ReadonlySet<string>, columns: string) {
  if (ids.size === 0) return new Map<string, Row>()
  const rows = await handle.all<Row>(
    sql`select ${raw(columns)} from ${raw(table)} t where t.org = :org and ${handle.dialect.inList('t.id', ids, 'uuid')}`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

const keyOf = ({ credential_type, facility_code, credential_number }: NewEvent): string | undefined =>
  credential_number ? JSON.stringify([credential_type ?? 'card', facility_code ?? null, credential_number]) : undefined

/** What was held to the readers, as far as it is known here. */
async function presentedOf(handle: OrgHandle, events: readonly NewEvent[]): Promise<Map<string, Credential>> {
  const settings = new Settings(handle)
  const presented = new Map<string, Credential>()
  for (const event of new Map(events.map((event) => [keyOf(event), event])).values()) {
    const key = keyOf(event)
    if (key === undefined || event.credential_id) continue
    const credential = await findPresented(settings, {
      type: event.credential_type ?? 'card',
      facility_code: event.facility_code ?? null,
      number: event.credential_number ?? null,
    })
    if (credential) presented.set(key, credential)
  }
  return presented
}
