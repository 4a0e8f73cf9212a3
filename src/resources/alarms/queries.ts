import { AppError } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { updateRow } from '../../db/rows.ts'
import { endAtDoor } from '../../live/closed-alarms.ts'
import { type Alarm, alarms } from './schema.ts'

const already = ({ status }: Alarm) =>
  new AppError('INVALID_STATE', `This alarm is ${status} already`, { reason: `alarm.${status}` })

/** What is over and was taken note of is closed. */
export function acknowledge(tx: Tx, alarm: Alarm, note: string | null): Promise<AnyRow> {
  if (alarm.status !== 'open') throw already(alarm)
  const isOver = alarm.ended_at !== null
  return updateRow(
    tx,
    alarms,
    alarm,
    {
      status: isOver ? 'closed' : 'acknowledged',
      acknowledged_at: tx.now,
      acknowledged_by: tx.actor.name,
      note: note ?? alarm.note,
      ...(isOver ? { closed_at: tx.now, closed_by: tx.actor.name } : {}),
    },
    'acknowledged',
  )
}

export async function close(tx: Tx, alarm: Alarm, note: string | null): Promise<AnyRow> {
  if (alarm.status === 'closed') throw already(alarm)
  await endAtDoor(tx, alarm)
  return updateRow(
    tx,
    alarms,
    alarm,
    {
      status: 'closed',
      closed_at: tx.now,
      closed_by: tx.actor.name,
      note: note ?? alarm.note,
      ...(alarm.acknowledged_at === null ? { acknowledged_at: tx.now, acknowledged_by: tx.actor.name } : {}),
    },
    'closed',
  )
}
