import type { ChangeVerb } from '../../core/change-verbs.ts'
import { AppError, invalid } from '../../core/errors.ts'
import { type KeyAction, keyAfter, refusalOf } from '../../core/keys/key-states.ts'
import type { Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import { createRow, findRow, getRow, updateRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { individuals } from '../individuals/schema.ts'
import { type KeyHandover, keyHandovers } from '../key-handovers/schema.ts'
import { keyTypes } from '../key-types/schema.ts'
import { momentOf, namedMoment } from './moment.ts'
import { type Key, keys } from './schema.ts'

export async function prepareKey(tx: Tx, next: Key, current: Key | undefined): Promise<undefined> {
  if (!current) next.status_since = tx.now
  else if (next.key_type_id !== current.key_type_id) await refuseOtherSystem(tx, next, current)
  if (next.due_back_on === (current?.due_back_on ?? null)) return
  if (next.status !== 'issued')
    throw invalid('due_back_on', 'key.not_issued', 'due_back_on: only a key that somebody holds is due back')
  const handover = await openHandover(tx, next.id)
  if (handover) await updateRow(tx, keyHandovers, handover, { due_back_on: next.due_back_on }, 'updated')
}

async function refuseOtherSystem(tx: Tx, next: Key, current: Key): Promise<void> {
  const type = await getRow(tx, keyTypes, next.key_type_id, 'all')
  if (type.locking_system_id === current.locking_system_id) return
  throw invalid(
    'key_type_id',
    'key.other_system',
    'key_type_id: a key stays in its locking system; create it anew in the other one',
  )
}

/** What an audit entry and an event call the step. */
const verbs = {
  receive: 'received',
  issue: 'issued',
  return: 'returned',
  'report-lost': 'lost',
  'report-stolen': 'stolen',
  found: 'found',
  'write-off': 'written_off',
  'mark-defective': 'defective',
  destroy: 'destroyed',
} as const satisfies Record<KeyAction, ChangeVerb>

function stateAfter(action: KeyAction, key: Key): Key['status'] {
  const to = keyAfter(action, key.status)
  if (to === undefined) throw new AppError('INVALID_STATE', refusalOf(action, key.status), { reason: 'key.transition' })
  return to
}

export type IssueBody = Pick<KeyHandover, 'individual_id'> &
  Partial<Pick<KeyHandover, 'issued_at' | 'due_back_on' | 'purpose' | 'deposit_amount' | 'condition' | 'external_id'>>

/** A key that changed hands, and its entry in the register. */
export interface HandedOver {
  key: Key
  handover: KeyHandover
}

/** Gives the key to somebody and opens an entry in the register; `receipt` is the one of those handed over with it. */
export async function issueKey(tx: Tx, key: Key, body: IssueBody, scope: Scope, receipt?: string): Promise<HandedOver> {
  const named = namedMoment('issued_at', body.issued_at)
  const status = stateAfter('issue', key)
  const issued_at = await momentOf(tx, key, 'issued_at', named)
  const entry = { ...body, key_id: key.id, issued_at, issued_by: tx.actor.name, outcome: 'held', receipt_id: receipt }
  const handover = await createRow(tx, keyHandovers, entry, scope, { prepare: prepareHandover })
  const { individual_id, due_back_on } = handover
  const change = { status, individual_id, due_back_on, status_since: issued_at, status_note: null }
  return { key: await updateRow(tx, keys, key, change, verbs.issue), handover }
}

async function prepareHandover(tx: Tx, handover: KeyHandover): Promise<undefined> {
  handover.receipt_id ??= handover.id
  const holder = await findRow(tx, individuals, handover.individual_id, 'all')
  // Whoever hands out keys without reading people learns no names by it.
  const named = tx.actor.rights?.can('individuals:read') === false ? 'This individual' : holder?.display_name
  if (holder?.status !== 'active') {
    throw new AppError('INVALID_STATE', `${named} is ${holder?.status}; keys are issued to active individuals only`, {
      reason: 'individual.not_active',
    })
  }
  if (typeof holder.valid_until === 'string' && holder.valid_until <= handover.issued_at) {
    throw new AppError('INVALID_STATE', `${named} is not valid any more; keys are issued to those who are`, {
      reason: 'individual.expired',
    })
  }
}

export interface StepBody {
  note?: string | null
  storage?: string | null
  return_condition?: string | null
  returned_at?: string
}

/** Every step but issuing: the key is in nobody's hands afterwards, and an open entry of the register ends with it. */
export async function moveKey(tx: Tx, key: Key, action: Exclude<KeyAction, 'issue'>, body: StepBody): Promise<Key> {
  return (await takeStep(tx, key, action, body)).key
}

export async function takeBack(tx: Tx, key: Key, body: StepBody): Promise<HandedOver> {
  const { key: taken, handover } = await takeStep(tx, key, 'return', body)
  if (!handover) throw new Error(`key ${key.id} came back from nobody`)
  return { key: taken, handover }
}

async function takeStep(tx: Tx, key: Key, action: Exclude<KeyAction, 'issue'>, body: StepBody) {
  const named = namedMoment('returned_at', body.returned_at)
  const status = stateAfter(action, key)
  const at = await momentOf(tx, key, 'returned_at', named)
  const handover = key.status === 'issued' ? await endHandover(tx, key, action, body, at) : undefined
  const storage = body.storage === undefined ? key.storage : body.storage
  const change = {
    status,
    individual_id: null,
    due_back_on: null,
    storage,
    status_since: at,
    status_note: body.note ?? null,
  }
  return { key: await updateRow(tx, keys, key, change, verbs[action]), handover }
}

async function endHandover(tx: Tx, key: Key, action: KeyAction, body: StepBody, at: string): Promise<KeyHandover> {
  const handover = await openHandover(tx, key.id)
  if (!handover) throw new Error(`key ${key.id} is issued without an open handover`)
  const returned = { returned_at: at, received_by: tx.actor.name, return_condition: body.return_condition ?? null }
  const change = { outcome: verbs[action], ended_at: at, ...(action === 'return' ? returned : {}) }
  return await updateRow(tx, keyHandovers, handover, change, 'ended')
}

async function openHandover(tx: Tx, keyId: string) {
  const open = await tx.one<{ id: string }>(
    sql`select t.id from key_handovers t where t.org = :org and t.key_id = ${keyId} and t.ended_at is null`,
  )
  return open && getRow(tx, keyHandovers, open.id, 'all')
}
