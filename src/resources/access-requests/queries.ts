import { AppError } from '../../core/errors.ts'
import { exactlyOne, TARGETS } from '../../core/one-place.ts'
import type { Scope } from '../../core/rights.ts'
import { checkWindow } from '../../core/time/window.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { createRow, updateRow } from '../../db/rows.ts'
import { accessGrants } from '../access-grants/schema.ts'
import { type AccessRequest, accessRequests } from './schema.ts'

const refuse = (reason: string, message: string) => new AppError('INVALID_STATE', message, { reason })

function mustBeOpen({ status }: AccessRequest): void {
  if (status !== 'open') throw refuse(`access_request.${status}`, `This request is ${status} already; make a new one`)
}

/** What somebody asks for is theirs to put otherwise: whoever decides it would approve what they wrote themselves. */
function mustBeTheirs(tx: Tx, { requester_id, requested_by }: AccessRequest): void {
  if (requester_id === null || requester_id === tx.actor.id) return
  throw refuse(
    'access_request.others',
    `Only ${requested_by} can change or withdraw this; whoever may give access there approves or denies it`,
  )
}

export function prepareRequest(tx: Tx, next: AccessRequest, current: AccessRequest | undefined): undefined {
  checkWindow(next)
  if (current) {
    mustBeOpen(current)
    mustBeTheirs(tx, current)
    return
  }
  exactlyOne(next, TARGETS, 'target')
  next.requested_by = tx.actor.name
  next.requester_id = tx.actor.id
  next.status = 'open'
}

/** What was asked for, as a grant gives it. */
const GRANTED = [
  'individual_id',
  ...TARGETS,
  'schedule_id',
  'valid_from',
  'valid_until',
  'reason',
] as const satisfies ReadonlyArray<keyof AccessRequest & keyof (typeof accessGrants)['fields']>

/**
 * The grant is made as its giver would make it: they must be able to. Nobody approves what they asked for themselves.
 */
export async function approve(tx: Tx, request: AccessRequest, note: string | null, scope: Scope): Promise<AnyRow> {
  mustBeOpen(request)
  if (request.requester_id !== null && request.requester_id === tx.actor.id)
    throw refuse(
      'access_request.own',
      'Somebody else must approve what you asked for; who may give access there can also make the grant',
    )
  const { valid_until } = request
  if (valid_until !== null && valid_until <= tx.now)
    throw refuse('access_request.over', 'What was asked for has ended meanwhile; deny it, and let it be asked for anew')
  // One subject, one target and a window that makes sense: the request has them.
  const body = Object.fromEntries(GRANTED.map((name) => [name, request[name]]))
  const grant = await createRow(tx, accessGrants, body, scope, {})
  return decide(tx, request, 'approved', note, { access_grant_id: grant.id })
}

export function deny(tx: Tx, request: AccessRequest, note: string | null): Promise<AnyRow> {
  mustBeOpen(request)
  return decide(tx, request, 'denied', note)
}

export function withdraw(tx: Tx, request: AccessRequest): Promise<AnyRow> {
  mustBeOpen(request)
  mustBeTheirs(tx, request)
  return decide(tx, request, 'withdrawn', null)
}

const decide = (
  tx: Tx,
  request: AccessRequest,
  status: Exclude<AccessRequest['status'], 'open'>,
  note: string | null,
  more: AnyRow = {},
) =>
  updateRow(
    tx,
    accessRequests,
    request,
    { status, decided_at: tx.now, decided_by: tx.actor.name, decision_note: note, ...more },
    status,
  )
