import { randomInt } from 'node:crypto'
import { pinKeysOf } from '../../access/pin-key.ts'
import { AppError, invalid } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import { checkWindow } from '../../core/time/window.ts'
import { sure } from '../../core/typed.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { resourcesOf } from '../../db/resources.ts'
import { createRow, getRow, isSeen, type Made, updateRow } from '../../db/rows.ts'
import { noSuch } from '../../db/scope.ts'
import { bindToKey } from '../../db/sealing.ts'
import { sql } from '../../db/sql.ts'
import { accessGrants } from '../access-grants/schema.ts'
import { type Credential, credentials } from '../credentials/schema.ts'
import { newCodeKey } from './code.ts'
import { type Visit, visits } from './schema.ts'

const PIN_DIGITS = 8
const TABLES: Readonly<Record<string, string>> = {
  location_id: 'locations',
  building_id: 'buildings',
  space_id: 'spaces',
  access_point_id: 'access_points',
}

/** Makes a visit with what lets the visitor in, in places that the caller may manage. */
export async function createVisit(tx: Tx, body: AnyRow, scope: Scope): Promise<Made> {
  let pin: string | undefined
  const row = await createRow(tx, visits, body, scope, {
    prepare: async (_tx, visit: Visit) => {
      checkWindow(visit)
      if (visit.valid_until <= tx.now)
        throw invalid('valid_until', 'visit.over', 'valid_until: the visit would be over already')
      checkWithin(visit, await checkPeople(tx, visit))
      visit.places = visit.places.map(lowerCased)
      await checkPlaces(tx, visit, scope)
      pin = visit.credential_type === 'pin' ? await freePin(tx) : undefined
      if (visit.credential_type !== 'none') visit.credential_id = await makeCredential(tx, visit, pin, scope)
      for (const place of visit.places) await give(tx, visit, place, scope)
      return undefined
    },
  })
  return pin === undefined ? { row } : { row, secret: { pin }, msg: 'Created visit; its PIN is shown this once' }
}

/** Whom it is to and what for may change while it goes on; when and where is another visit. */
export async function prepareVisit(tx: Tx, next: Visit, current: Visit | undefined): Promise<undefined> {
  if (!current || (next.host_id === current.host_id && next.purpose === current.purpose)) return
  if (current.status !== 'planned' && current.status !== 'arrived') throw refuse(current, 'be changed')
  if (next.host_id !== current.host_id) await checkPeople(tx, next)
}

/** Ids are shown as everywhere else, however they were typed. */
const lowerCased = (place: Visit['places'][number]): Visit['places'][number] =>
  Object.fromEntries(Object.entries(place).map(([name, id]) => [name, id.toLowerCase()]))

interface Person {
  id: string
  kind: string
  status: string
  valid_from: string | null
  valid_until: string | null
}

/** Gives the visitor. */
async function checkPeople(tx: Tx, { visitor_id, host_id }: Visit): Promise<Person> {
  const rows = await tx.all<Person>(
    sql`select t.id, t.kind, t.status, t.valid_from, t.valid_until from individuals t where t.org = :org
      and ${tx.dialect.inList('t.id', [visitor_id, host_id], 'uuid')}`,
  )
  const visitor = rows.find(({ id }) => id === visitor_id)
  if (visitor?.kind !== 'visitor')
    throw invalid('visitor_id', 'visit.visitor', 'visitor_id: only an individual of kind visitor comes to visit')
  for (const [path, id] of [
    ['visitor_id', visitor_id],
    ['host_id', host_id],
  ] as const)
    if (rows.find((row) => row.id === id)?.status !== 'active')
      throw invalid(path, 'visit.not_active', `${path}: this individual is not active`)
  return visitor
}

/**
 * Outside the visitor's own validity the code would open nothing, and nobody would know before they stand at the door.
 */
function checkWithin(visit: Visit, visitor: Person): void {
  if (visitor.valid_from !== null && visit.valid_from < visitor.valid_from)
    throw invalid(
      'valid_from',
      'visit.visitor_not_yet_valid',
      `valid_from: the visitor is valid from ${visitor.valid_from} on; begin then, or change their own ` +
        'valid_from first',
    )
  if (visitor.valid_until !== null && visit.valid_until > visitor.valid_until)
    throw invalid(
      'valid_until',
      'visit.visitor_expired',
      `valid_until: the visitor is valid until ${visitor.valid_until}; end by then, or change their own ` +
        'valid_until first',
    )
}

async function checkPlaces(tx: Tx, { places }: Visit, scope: Scope): Promise<void> {
  for (const [index, place] of places.entries()) {
    for (const [name, id] of Object.entries(place)) {
      const resource = sure(resourcesOf(tx.engine).of(TABLES[name] ?? ''))
      if (await isSeen(tx, resource, id, scope)) continue
      const path = `places[${index}].${name}`
      throw noSuch(path, resource, id, scope)
    }
    if (Object.keys(place).length !== 1)
      throw invalid(
        `places[${index}]`,
        'visit.place',
        `places[${index}]: give exactly one of ${Object.keys(TABLES).join(', ')}`,
      )
  }
}

/** One that nobody has: a PIN by itself says whose it is. */
async function freePin(tx: Tx): Promise<string> {
  for (;;) {
    const pin = String(randomInt(10 ** PIN_DIGITS)).padStart(PIN_DIGITS, '0')
    const keys = await pinKeysOf(tx.engine, tx.org, pin)
    const taken = await tx.one(
      sql`select t.id from credentials t where t.org = :org and ${tx.dialect.inList('t.pin_key', keys, 'text')}`,
    )
    if (!taken) return pin
  }
}

async function makeCredential(tx: Tx, visit: Visit, pin: string | undefined, scope: Scope): Promise<string> {
  const { visitor_id, valid_from, valid_until } = visit
  const body = {
    type: pin === undefined ? 'qr' : 'pin',
    individual_id: visitor_id,
    label: 'Visit',
    valid_from,
    valid_until,
  }
  const row = await createRow(tx, credentials, body, scope, {
    prepare: async (_tx, next: Credential & AnyRow) => {
      await bindToKey(tx)
      if (pin !== undefined) return { pin_key: (await pinKeysOf(tx.engine, tx.org, pin))[0] }
      next.match_key = await newCodeKey(tx.engine, tx.org, next.id)
      return undefined
    },
  })
  return row.id
}

async function give(tx: Tx, visit: Visit, place: object, scope: Scope): Promise<void> {
  const { id, visitor_id, valid_from, valid_until } = visit
  const body = { individual_id: visitor_id, ...place, valid_from, valid_until, reason: 'Visit' }
  const grant = await createRow(tx, accessGrants, body, scope, {})
  await tx.run(sql`insert into visit_places (org, visit_id, access_grant_id) values (:org, ${id}, ${grant.id})`)
}

const refuse = (visit: Visit, verb: string) =>
  new AppError('INVALID_STATE', `This visit is ${visit.status}: it cannot ${verb}`, { reason: `visit.${visit.status}` })

/** Who is let in by nothing, whatever became of them since they were invited: whoever stands at the desk is told. */
export async function arrive(tx: Tx, visit: Visit): Promise<AnyRow> {
  if (visit.status !== 'planned') throw refuse(visit, 'arrive')
  const why = await whyNotLetIn(tx, visit)
  if (why !== undefined)
    throw new AppError('INVALID_STATE', `The visitor is ${why}: nothing lets them in`, {
      reason: 'visit.visitor_not_active',
    })
  return updateRow(tx, visits, visit, { arrived_at: tx.now }, 'arrived')
}

/** Whoever comes early is let in when the visit begins. */
async function whyNotLetIn(tx: Tx, { visitor_id, valid_from }: Visit): Promise<string | undefined> {
  const visitor = await tx.one<Person>(
    sql`select t.id, t.kind, t.status, t.valid_from, t.valid_until from individuals t where t.org = :org
      and t.id = ${visitor_id}`,
  )
  const at = valid_from > tx.now ? valid_from : tx.now
  if (visitor?.status !== 'active') return visitor?.status ?? 'not known'
  if (visitor.valid_from !== null && visitor.valid_from > at) return `valid from ${visitor.valid_from} on`
  if (visitor.valid_until !== null && visitor.valid_until <= at) return `valid until ${visitor.valid_until}`
  return undefined
}

/** They have left, or it is called off: what let them in ends at once. */
export async function endVisit(tx: Tx, visit: Visit, how: 'left_at' | 'cancelled_at'): Promise<AnyRow> {
  const isRight = how === 'left_at' ? await mayLeave(tx, visit) : visit.status === 'planned'
  if (!isRight) throw refuse(visit, how === 'left_at' ? 'leave' : 'be called off')
  await endCredential(tx, visit)
  const given = await tx.all<{ id: string }>(
    sql`select t.access_grant_id as id from visit_places t where t.org = :org and t.visit_id = ${visit.id}
      order by t.access_grant_id`,
  )
  for (const { id } of given) {
    const grant = await getRow(tx, accessGrants, id, 'all')
    if (grant.status === 'active' || grant.status === 'scheduled')
      await updateRow(tx, accessGrants, grant, { revoked_at: tx.now }, 'revoked')
  }
  if (how === 'left_at') await noteLeft(tx, visit)
  return updateRow(tx, visits, visit, { [how]: tx.now }, how === 'left_at' ? 'left' : 'cancelled')
}

/** Whoever came, by the desk or by a door that let them in, can leave, however late it has become. */
async function mayLeave(tx: Tx, { status, arrived_at, visitor_id, valid_from }: Visit): Promise<boolean> {
  if (status === 'left' || status === 'cancelled') return false
  if (arrived_at !== null) return true
  const inside = await tx.one(sql`select t.individual_id from presence t where t.org = :org
    and t.individual_id = ${visitor_id} and t.space_id is not null and t.since >= ${valid_from}`)
  return inside !== undefined
}

/**
 * Whoever has left is nowhere inside, though no door saw them go: nobody is searched for who handed in their badge.
 * They are still there for another visit, but not for one that is over and that nobody has ended.
 */
async function noteLeft(tx: Tx, { id, visitor_id }: Visit): Promise<void> {
  await tx.run(sql`update presence as t set space_id = null, since = ${tx.now}
    where t.org = :org and t.individual_id = ${visitor_id} and t.space_id is not null and not exists (
      select 1 from visits o where o.org = :org and o.visitor_id = ${visitor_id} and o.id <> ${id}
        and o.arrived_at is not null and o.left_at is null and o.valid_until > :now)`)
}

async function endCredential(tx: Tx, { credential_id, visitor_id }: Visit): Promise<void> {
  if (credential_id === null) return
  const credential = await getRow(tx, credentials, credential_id, 'all')
  // Somebody else may have been given it since: it is theirs.
  const isTheirs = credential.individual_id === null || credential.individual_id === visitor_id
  if (isTheirs && credential.status_reason === 'none')
    await updateRow(tx, credentials, credential, { status_reason: 'returned' }, 'updated')
}
