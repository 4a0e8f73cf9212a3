import { eraseHistory, type Searched } from '../../audit/erase.ts'
import { AppError } from '../../core/errors.ts'
import type { Rights } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { getRow, updateRow } from '../../db/rows.ts'
import { raw, sql } from '../../db/sql.ts'
import { accessGrants } from '../access-grants/schema.ts'
import { accessGroupMembers } from '../access-groups/schema.ts'
import { accessRequests } from '../access-requests/schema.ts'
import { accessReviewLines } from '../access-reviews/schema.ts'
import { type Credential, credentials } from '../credentials/schema.ts'
import { keyHandovers } from '../key-handovers/schema.ts'
import { type Key, keys } from '../keys/schema.ts'
import { type Visit, visits } from '../visits/schema.ts'
import { belongings, keysHeldBy } from './belongings.ts'
import { type Individual, individuals } from './schema.ts'
import { statusAfter } from './transitions.ts'

const NOBODY = {
  given_name: '',
  family_name: '',
  display_name: 'Anonymised person',
  email: null,
  phone: null,
  personnel_number: null,
  company: null,
  department: null,
  manager_id: null,
  external_id: null,
} satisfies Partial<Individual>

/** Erases the person and keeps what happened. Each row is recorded as if it never had said more. */
export async function anonymise(tx: Tx, individual: Individual, rights: Rights): Promise<AnyRow> {
  const status = statusAfter('anonymise', individual)
  const stillOut = await keysHeldBy(tx, individual.id)
  if (stillOut.length > 0) {
    const scope = rights.scopeOf('keys:read')
    const seen = scope ? await keysHeldBy(tx, individual.id, scope) : []
    const list =
      seen.map((key) => `${key.key_type_code} ${key.number}`).join(', ') || 'they lie outside what you may see'
    throw new AppError('INVALID_STATE', `Keys must come back first: ${list}`, { reason: 'individual.holds_keys' })
  }
  const left = await personalLeft(tx, individual.id)
  const owned = [...(await belongings(tx, credentials, individual.id)), ...left]
  const given = await belongings(tx, accessGrants, individual.id)
  const asked = await belongings(tx, accessRequests, individual.id)
  const held = await belongings(tx, keyHandovers, individual.id)
  const reviewed = await belongings(tx, accessReviewLines, individual.id)
  const noted = await keysNotedSince(tx, individual.id)
  await eraseHistory(tx, {
    individualId: individual.id,
    individuals,
    left: new Set(left.map(({ id }) => id)),
    searched: await searchedBy(tx, individual),
    belongings: [
      credentials,
      accessGrants,
      accessGroupMembers,
      accessRequests,
      accessReviewLines,
      keyHandovers,
      keys,
      visits,
    ],
  })
  for (const credential of owned) {
    const erased = {
      label: null,
      external_id: null,
      ...(isPersonal(credential) ? { number: null, match_key: null } : {}),
    }
    await updateRow(
      tx,
      credentials,
      { ...credential, ...erased },
      { ...erased, pin_hash: null, pin_key: null },
      'anonymised',
    )
  }
  for (const grant of given)
    await updateRow(tx, accessGrants, { ...grant, reason: null }, { reason: null }, 'anonymised')
  const unasked = { reason: 'Anonymised', decision_note: null, external_id: null }
  for (const request of asked) await updateRow(tx, accessRequests, { ...request, ...unasked }, unasked, 'anonymised')
  // The salt goes too: without it a signed hash confirms no guess, and the report says that the line was erased.
  const unnamed = { display_name: NOBODY.display_name, note: null }
  for (const line of reviewed)
    await updateRow(tx, accessReviewLines, { ...line, ...unnamed }, { ...unnamed, salt: null }, 'anonymised')
  const unsaid = { purpose: null, condition: null, return_condition: null, external_id: null }
  for (const handover of held) await updateRow(tx, keyHandovers, { ...handover, ...unsaid }, unsaid, 'anonymised')
  for (const visit of await visitsOf(tx, individual.id))
    await updateRow(
      tx,
      visits,
      { ...visit, purpose: null, external_id: null },
      { purpose: null, external_id: null },
      'anonymised',
    )
  for (const key of noted) await updateRow(tx, keys, { ...key, status_note: null }, { status_note: null }, 'anonymised')
  await forgetInImports(tx, individual)
  const row = await updateRow(tx, individuals, { ...individual, ...NOBODY }, { ...NOBODY, status }, 'anonymised')
  await tx.run(sql`delete from presence as t where t.org = :org and t.individual_id = ${individual.id}`)
  for (const table of ['scim_users', 'scim_logins'])
    await tx.run(sql`delete from ${raw(table)} as t where t.org = :org and t.individual_id = ${individual.id}`)
  await forgetInHistory(tx, individual.id, left)
  return row
}

/** A given name alone is many people's. */
async function searchedBy(tx: Tx, individual: Individual): Promise<Searched> {
  const { id, created_at: since, given_name, family_name, display_name, ...more } = individual
  const before = await tx.all<{ display_name: string }>(
    sql`select distinct t.display_name from individuals_history t where t.org = :org and t.id = ${id}`,
  )
  const names = [display_name, `${given_name} ${family_name}`, `${family_name} ${given_name}`]
  const by = {
    given_name: [],
    family_name: [family_name],
    display_name: [...names, ...before.map((row) => row.display_name)],
    email: [more.email],
    phone: [more.phone],
    personnel_number: [more.personnel_number],
    external_id: [more.external_id],
  }
  return { since, by }
}

/**
 * What was kept of the settings of earlier days says who it was too. Last of all: the changes above have been kept
 * there as well.
 */
async function forgetInHistory(tx: Tx, individualId: string, left: readonly Credential[]): Promise<void> {
  await tx.run(
    sql`update individuals_history as t set display_name = ${NOBODY.display_name} where t.org = :org
      and t.id = ${individualId}`,
  )
  const whose = [
    sql`t.individual_id = ${individualId}`,
    sql`t.individual_id is null and ${tx.dialect.inList('t.id', new Set(left.map(({ id }) => id)), 'uuid')}`,
  ]
  for (const isTheirs of whose)
    await tx.run(sql`update credentials_history as t set label = null,
      number = case when t.type in (${PERSONAL}) then null else t.number end where t.org = :org and ${isTheirs}`)
}

/**
 * Rows of files with people that were refused, or not taken in yet, by the key and the name that they give: a door may
 * have the same key.
 */
async function forgetInImports(tx: Tx, { external_id, display_name }: Individual): Promise<void> {
  await tx.aside(sql`update import_rows as t set cells = null, errors = null, key = null, name = null
    where t.org = :org and (t.key = ${external_id} or t.name = ${display_name})
      and exists (select 1 from imports i where i.org = :org and i.id = t.import_id
      and i.resource = ${individuals.noun})`)
}

/** A plate or a template says who it is; a card's number says nothing once the name is gone. */
const personal: readonly string[] = ['plate', 'biometric']
const PERSONAL = raw(personal.map((type) => `'${type}'`).join(', '))
const isPersonal = ({ type }: Credential): boolean => personal.includes(type)

/** What says who it is and nobody has any more, where they had it last. */
async function personalLeft(tx: Tx, individualId: string): Promise<Credential[]> {
  // Found by what they had: cards that nobody has are very many where a house keeps them in stock.
  const ids = await tx.all<{ id: string }>(sql`select distinct t.id from credentials_history g
    cross join credentials t where g.org = :org and g.individual_id = ${individualId}
      and t.org = :org and t.id = g.id and t.individual_id is null and t.type in (${PERSONAL})
      and ${individualId} = (select h.individual_id from credentials_history h where h.org = :org and h.id = t.id
      and h.individual_id is not null order by h.sequence desc limit 1)`)
  const rows: Credential[] = []
  for (const id of inOrder(ids)) rows.push(await getRow(tx, credentials, id, 'all'))
  return rows
}

/** For their order, SQLite would walk all rows there are instead of finding these. */
const inOrder = (rows: ReadonlyArray<{ id: string }>): string[] => rows.map(({ id }) => id).sort()

/** What they came for says who they were. */
async function visitsOf(tx: Tx, individualId: string): Promise<Visit[]> {
  const ids = await tx.all<{ id: string }>(
    sql`select t.id from visits t where t.org = :org and t.visitor_id = ${individualId}`,
  )
  const rows: Visit[] = []
  for (const id of inOrder(ids)) rows.push(await getRow(tx, visits, id, 'all'))
  return rows
}

/**
 * Keys whose note may speak of them: issuing a key clears its note, so what is noted was noted after the last handover.
 */
async function keysNotedSince(tx: Tx, individualId: string): Promise<Key[]> {
  const ids = await tx.all<{ id: string }>(sql`
    select t.id from keys t where t.org = :org and t.status_note is not null
      and t.id in (select g.key_id from key_handovers g where g.org = :org and g.individual_id = ${individualId})
      and ${individualId} = (select h.individual_id from key_handovers h where h.org = :org and h.key_id = t.id
      order by h.issued_at desc, h.id desc limit 1)`)
  const rows: Key[] = []
  for (const id of inOrder(ids)) rows.push(await getRow(tx, keys, id, 'all'))
  return rows
}
