import { randomUUIDv7 } from 'node:crypto'
import { findAllHidden, findAllPresented, type Presented } from '../../access/present.ts'
import { Settings } from '../../access/settings.ts'
import { decisionOf } from '../../core/decide/reasons.ts'
import { raising } from '../../core/doors/alarms.ts'
import { type EventResult, resultOf } from '../../core/doors/events.ts'
import { AppError, type ErrorDetail, invalid } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import { instantIn } from '../../core/time/instant.ts'
import type { Once } from '../../db/along/kept-answers.ts'
import { Kept } from '../../db/kept/kept.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import type { OrgHandle } from '../../db/org.ts'
import { raw, sql } from '../../db/sql.ts'
import type { Between } from '../presence.ts'
import type { NewEvent, PreparedEvent } from './new-event.ts'

interface Door extends Between {
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

interface Command {
  readonly id: string
  readonly access_point_id: string
}

interface Credential {
  readonly id: string
  readonly individual_id: string | null
}

/** With where its holder belongs. */
interface HeldCredential extends Credential, Omit<Person, 'id'> {}

/** What events refer to, as far as it exists. */
interface Known {
  readonly doors: ReadonlyMap<string, Door>
  readonly systems: ReadonlyMap<string, System>
  /** Where the doors of systems without a place of their own are, where a sender is limited to places. */
  readonly driven: ReadonlyMap<string, readonly string[]>
  readonly individuals: ReadonlyMap<string, Person>
  readonly credentials: ReadonlyMap<string, HeldCredential>
  readonly presented: ReadonlyMap<string, Credential>
  readonly commands: ReadonlyMap<string, Command>
}

/** What one sender tells at once. */
export interface Told {
  readonly events: readonly NewEvent[]
  /** Where the sender may report of. */
  readonly scope: Scope
  /** When it arrived. */
  readonly received_at: string
  /** The sender is told what was stored, not only that it was. */
  readonly isShown?: boolean
  /** Told again, it is answered as the first time. */
  readonly once?: Once | undefined
}

export interface Prepared {
  /** Each event as it will be stored, or what is wrong with it; of each sender. */
  readonly events: ReadonlyArray<ReadonlyArray<PreparedEvent | ErrorDetail>>
  readonly doors: ReadonlyMap<string, Between>
}

export async function prepare(handle: OrgHandle, told: readonly Told[]): Promise<Prepared> {
  const known = await lookUp(handle, told)
  return {
    events: told.map((one) => one.events.map((event) => preparedOrFault(event, known, one))),
    doors: known.doors,
  }
}

function preparedOrFault(event: NewEvent, known: Known, told: Told): PreparedEvent | ErrorDetail {
  try {
    return prepared(event, known, told)
  } catch (error) {
    const [fault] = error instanceof AppError ? (error.details ?? []) : []
    if (!fault) throw error
    return fault
  }
}

export const isFault = (event: PreparedEvent | ErrorDetail): event is ErrorDetail => 'rule' in event

function prepared(event: NewEvent, known: Known, { scope, received_at: now }: Told): PreparedEvent {
  const result = resultIn(event)
  const door = getFrom(known.doors, 'access_point_id', event.access_point_id, ({ building_id }) =>
    isIn(scope, building_id, null),
  )
  const system = getFrom(known.systems, 'access_control_system_id', event.access_control_system_id)
  // Whoever may report of some places alone reports of their doors, or of the systems that stand there. What is told of
  // a system is of all that it drives, through whichever of its doors.
  const isOfSystem = event.type.startsWith('system.')
  if (system && !stands(system, scope, known) && (isOfSystem || door?.access_control_system_id !== system.id))
    throw unknown('access_control_system_id', system.id)
  const raises = raising[event.type] !== undefined
  if (raises && !system && isOfSystem) throw ofNothing('access_control_system_id', `${event.type}: say which system`)
  if (!door && !system && (raises || scope !== 'all'))
    throw ofNothing('access_point_id', `${event.type}: say at which door, or which system reports it`)
  // Somebody from elsewhere who comes by is known by what the reader reads, not by name.
  const belongs = ({ building_id, location_id }: Omit<Person, 'id'>) => isIn(scope, building_id, location_id)
  const credential =
    getFrom(known.credentials, 'credential_id', event.credential_id, belongs) ?? known.presented.get(keyOf(event) ?? '')
  const isOfDoor = (command: Command) => scope === 'all' || command.access_point_id === door?.id
  const command = getFrom(known.commands, 'command_id', event.command_id, isOfDoor)
  const individual = getFrom(known.individuals, 'individual_id', event.individual_id, belongs)?.id ?? null
  return {
    id: randomUUIDv7(),
    source_id: event.source_id ?? null,
    source_place: scope === 'all' ? '' : placeOf(door?.building_id, system?.id),
    type: event.type,
    result,
    reason: event.reason ?? null,
    access_point_id: door?.id ?? null,
    building_id: door?.building_id ?? null,
    individual_id: individual ?? credential?.individual_id ?? null,
    credential_id: credential?.id ?? null,
    ...(credential ? NOTHING_READ : readIn(event)),
    access_control_system_id: system?.id ?? null,
    command_id: command?.id ?? null,
    direction: event.direction ?? null,
    occurred_at: event.occurred_at ? instantIn('occurred_at', event.occurred_at) : now,
    happened_at: event.happened_at ?? null,
    received_at: now,
  }
}

type Read = Pick<PreparedEvent, 'credential_number' | 'credential_type' | 'facility_code'>
const NOTHING_READ: Read = { credential_number: null, credential_type: null, facility_code: null }

/** What is kept of a credential that is not known. A PIN that nobody has is somebody's but for a digit. */
function readIn({ credential_number = null, credential_type = null, facility_code = null }: NewEvent): Read {
  return credential_number === null || credential_type === 'pin'
    ? NOTHING_READ
    : { credential_number, credential_type, facility_code }
}

/**
 * What the door decided; the type may say so already, and is not to be contradicted: uses are counted by it, verdicts
 * go by the result.
 */
function resultIn({ type, result = null, reason }: NewEvent): EventResult | null {
  const said = resultOf(type)
  if (said !== null && result !== null && result !== said)
    throw invalid('result', 'event.contradiction', `result: ${type} means ${said}; give that, or leave it out`)
  const decided = result ?? said
  const meant = reason ? decisionOf(reason) : null
  if (decided !== null && meant !== null && meant !== decided)
    throw invalid(
      'reason',
      'event.contradiction',
      `reason: ${reason} is why somebody is ${meant === 'granted' ? 'let in' : 'refused'}, and this ` +
        `one was ${decided}; give the reason of that, or leave it out`,
    )
  return decided
}

/** Where an event happened: in the building of its door, or, without one, at its system. */
export const placeOf = (building: string | null | undefined, system: string | null | undefined): string =>
  building ?? system ?? ''

const isIn = (scope: Scope, building: string | null, location: string | null): boolean =>
  scope === 'all' || scope.buildings.has(building ?? '') || scope.locations.has(location ?? '')

/** As `systemStandsThere` says it of rows. */
const stands = ({ id, location_id }: System, scope: Scope, { driven }: Known): boolean =>
  isIn(scope, null, location_id) || (driven.get(id)?.every((building) => isIn(scope, building, null)) ?? false)

function getFrom<T>(
  found: ReadonlyMap<string, T>,
  path: string,
  id: string | null | undefined,
  isOwn: (item: T) => boolean = () => true,
): T | undefined {
  if (id === null || id === undefined) return undefined
  const item = found.get(id.toLowerCase())
  if (!item || !isOwn(item)) throw unknown(path, id)
  return item
}

/** An alarm of nothing could not be looked into: it would never end, nor be counted with others of its kind. */
const ofNothing = (path: string, message: string) => invalid(path, 'event.of_nothing', message)

const unknown = (path: string, id: string) => {
  const message = `${path}: ${id} does not exist, or is outside what you may report about`
  return new AppError('VALIDATION_ERROR', message, {
    reason: 'reference.not_found',
    details: [{ path, rule: 'reference.not_found', message }],
  })
}

async function lookUp(handle: OrgHandle, told: readonly Told[]): Promise<Known> {
  const eventsOf = (senders: readonly Told[]) => senders.flatMap((sender) => sender.events)
  const events = eventsOf(told)
  const ids = (
    name: 'access_point_id' | 'access_control_system_id' | 'individual_id' | 'credential_id' | 'command_id',
    among = events,
  ) => new Set(among.flatMap((event) => event[name]?.toLowerCase() ?? []))
  const limited = eventsOf(told.filter(({ scope }) => scope !== 'all'))
  return {
    doors: await found<Door>(handle, 'access_points', ids('access_point_id'), DOOR),
    systems: await found<System>(
      handle,
      'access_control_systems',
      ids('access_control_system_id'),
      't.id, t.location_id',
    ),
    driven: await drivenBy(handle, ids('access_control_system_id', limited)),
    individuals: await found<Person>(handle, 'individuals', ids('individual_id'), 't.id, t.building_id, t.location_id'),
    credentials: await found<HeldCredential>(handle, 'credentials', ids('credential_id'), HELD),
    presented: await presentedOf(handle, events),
    commands: await commandsOf(handle, ids('command_id')),
  }
}

/** Not kept: few events have one, and it was made a moment ago. */
async function commandsOf(handle: OrgHandle, ids: ReadonlySet<string>): Promise<Map<string, Command>> {
  if (ids.size === 0) return new Map()
  const rows = await handle.all<Command>(
    sql`select t.id, t.access_point_id from commands t where t.org = :org
      and ${handle.dialect.inList('t.id', [...ids], 'uuid')}`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

const ofHolder = (column: string) =>
  `(select i.${column} from individuals i where i.org = :org and i.id = t.individual_id) as ${column}`
const HELD = `t.id, t.individual_id, ${ofHolder('building_id')}, ${ofHolder('location_id')}`
/** With its direction: without it SQLite would read all doors along an index that has all the rest. */
const DOOR =
  't.id, t.access_control_system_id, t.space_id, t.from_space_id, t.direction, (select s.building_id from spaces s ' +
  'where s.org = :org and s.id = t.space_id) as building_id'

/**
 * The same doors and cards are told of again and again: so many are known, and of so many it is known that they do not
 * exist.
 */
const references = perEngine(
  (engine) => new Kept<{ item?: unknown }>(engine, { name: 'event_references', max: 10_000 }),
)

async function referred<Item>(
  handle: OrgHandle,
  kind: string,
  names: Iterable<string>,
  find: (own: OrgHandle, missing: readonly string[]) => Promise<ReadonlyMap<string, Item>>,
): Promise<Map<string, Item>> {
  const start = `${handle.org} ${kind} `
  const known = await references(handle.engine).getAll(
    handle,
    [...names].map((name) => start + name),
    async (own, missing) => {
      const items = await find(
        own,
        missing.map((key) => key.slice(start.length)),
      )
      return new Map(missing.map((key) => [key, { item: items.get(key.slice(start.length)) }]))
    },
  )
  return new Map(
    [...known].flatMap(([key, { item }]) => (item === undefined ? [] : [[key.slice(start.length), item as Item]])),
  )
}

const found = <Row extends { id: string }>(
  handle: OrgHandle,
  table: string,
  ids: ReadonlySet<string>,
  columns: string,
) =>
  referred<Row>(handle, table, ids, async (own, missing) => {
    const rows = await own.all<Row>(
      sql`select ${raw(columns)} from ${own.dialect.ids(missing, 'l')} cross join ${raw(table)} t where t.org = :org
        and t.id = l.id`,
    )
    return new Map(rows.map((row) => [row.id, row]))
  })

/** It takes a look at all their doors: for nobody who may report of everything. */
const drivenBy = (handle: OrgHandle, ids: ReadonlySet<string>) =>
  referred<readonly string[]>(handle, 'driven', ids, async (own, missing) => {
    const rows = await own.all<{ id: string; building_id: string }>(sql`
      select distinct l.id, p.building_id from ${own.dialect.ids(missing, 'l')} cross join access_control_systems t
      cross join access_points p where t.org = :org and t.id = l.id and t.location_id is null
      and p.org = :org and p.access_control_system_id = t.id`)
    const bySystem = Map.groupBy(rows, ({ id }) => id)
    return new Map([...bySystem].map(([id, doors]) => [id, doors.map(({ building_id }) => building_id)]))
  })

const keyOf = ({ credential_type, facility_code, credential_number }: NewEvent): string | undefined =>
  credential_number ? JSON.stringify([credential_type ?? 'card', facility_code ?? null, credential_number]) : undefined

/**
 * What was held to the readers, as far as it is known here. The code of a visit is known whatever the reader took it
 * for, a card most often: of what is not known the number is kept, and this one opens.
 */
async function presentedOf(handle: OrgHandle, events: readonly NewEvent[]): Promise<Map<string, Credential>> {
  const asked = new Map<string, Presented>()
  for (const event of events) {
    const key = keyOf(event)
    if (key === undefined || event.credential_id) continue
    const { credential_type: type, facility_code = null, credential_number: number = null } = event
    asked.set(key, { type: type ?? 'card', facility_code, number })
  }
  return referred(handle, 'presented', asked.keys(), async (own, missing) => {
    const some = new Map(missing.map((key) => [key, asked.get(key) as Presented]))
    const settings = new Settings(own)
    const known = await findAllPresented(settings, new Set(some.values()))
    const others = [...some.values()].filter((presented) => !known.has(presented))
    const found = new Map<Presented, Credential>([...known, ...(await findAllHidden(settings, others))])
    return new Map(
      [...some].flatMap(([key, presented]) =>
        found.has(presented) ? [[key, found.get(presented) as Credential]] : [],
      ),
    )
  })
}
