import type { CommandAction } from '../../connect/connector.ts'
import { connectedKinds } from '../../connect/kinds.ts'
import { AppError } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import { createRow, getRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import type { AccessPoint } from '../access-points/schema.ts'
import { spaces } from '../spaces/schema.ts'
import { type Command, commands } from './schema.ts'

/** What is asked of a door, whichever it is. */
export interface Order {
  readonly action: CommandAction
  readonly seconds?: number
  readonly until_released?: boolean
  readonly reason?: string | null
  readonly expires_in_seconds?: number
}

/** An order that nobody could carry out by then is of no use. */
const EXPIRES_SECONDS = 30
const UNLOCK_SECONDS = 5

const refuse = (reason: string, message: string) => new AppError('INVALID_STATE', message, { reason })

/** Queues a command for a door of the caller's places. */
export async function queueCommand(tx: Tx, door: AccessPoint, order: Order, scope: Scope): Promise<Command> {
  const system = await systemOf(tx, door)
  const { action, reason = null, expires_in_seconds = EXPIRES_SECONDS } = order
  const { building_id } = await getRow(tx, spaces, door.space_id, 'all')
  const body = {
    action,
    access_point_id: door.id,
    building_id,
    access_control_system_id: system,
    seconds: action === 'unlock' ? secondsOf(order, door) : null,
    reason,
    requested_by: tx.actor.name,
    expires_at: new Date(Date.parse(tx.now) + expires_in_seconds * 1000).toISOString(),
  }
  const { id, by } = tx.actor
  const requester = id === null ? null : { id, ...(by ? { by } : {}) }
  return await createRow(tx, commands, body, scope, { prepare: () => ({ status: 'queued', requester }) })
}

const secondsOf = ({ seconds, until_released = false }: Order, door: AccessPoint): number | null =>
  until_released ? null : (seconds ?? door.unlock_seconds ?? UNLOCK_SECONDS)

/** The system that would carry it out; without one that is connected nothing could. */
async function systemOf(tx: Tx, door: AccessPoint): Promise<string> {
  const id = door.access_control_system_id
  if (id === null)
    throw refuse('command.no_system', 'No access control system drives this door: nothing can carry it out')
  const system = await tx.one<{ kind: string; status: string }>(
    sql`select t.kind, t.status from access_control_systems t where t.org = :org and t.id = ${id}`,
  )
  if (!system || !connectedKinds.includes(system.kind))
    throw refuse(
      'command.not_connected',
      'The system of this door is kept by hand: nothing is connected that can carry it out',
    )
  if (system.status === 'disabled')
    throw refuse('command.disabled', 'The system of this door is disabled: enable it first')
  return id
}
