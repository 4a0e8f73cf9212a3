import { type AlarmKind, endsWhenClosed } from '../core/doors/alarms.ts'
import { type DoorAlarm, following } from '../core/doors/door-state.ts'
import type { Tx } from '../db/change.ts'
import { sql } from '../db/sql.ts'
import { changedAt, statesOf } from './door-states.ts'

interface Closed {
  readonly id: string
  readonly kind: AlarmKind
  readonly access_point_id: string | null
}

/**
 * Before an alarm is closed: the door shows no longer what no event would ever end, unless another alarm of the door
 * still says it.
 */
export async function endAtDoor(tx: Tx, { id, kind, access_point_id: door }: Closed): Promise<void> {
  if (door === null || !endsWhenClosed.has(kind)) return
  // What happens at the doors meanwhile waits, or it would write down again what it has read before.
  await tx.aside(sql`update live_heads as t set sequence = t.sequence where t.org = :org`)
  const other = await tx.one(sql`
    select 1 as is_open from alarms t
    where t.org = :org and t.access_point_id = ${door} and t.kind = ${kind} and t.status <> 'closed' and t.id <> ${id}
    limit 1`)
  const state = (await statesOf(tx, new Set([door]))).get(door)
  if (other || !state?.alarms.includes(kind as DoorAlarm)) return
  const alarms = state.alarms.filter((alarm) => alarm !== kind)
  // When it was last heard of stays: one that is told of late, and is newer than that, is shown.
  await tx.update('access_point_states', door, {
    alarms: JSON.stringify(alarms),
    alarms_since: tx.now,
    in_alarm: following.in_alarm(alarms),
    changed_at: changedAt({ ...state, alarms_since: tx.now }),
  })
}

/**
 * Nobody attends to a system any more: that it is away is no alarm then, and no event would end it. Should somebody
 * again, it is told anew whether it answers.
 */
export async function endUnattended(tx: Tx, system: string): Promise<void> {
  await tx.aside(sql`update live_heads as t set sequence = t.sequence where t.org = :org`)
  await tx.aside(sql`update system_links as t set contact = null where t.org = :org
    and t.access_control_system_id = ${system}`)
  await tx.run(sql`update alarms as t set status = 'closed', ended_at = coalesce(t.ended_at, ${tx.now}),
    closed_at = ${tx.now}, version = t.version + 1, updated_at = ${tx.now}
    where t.org = :org and t.access_control_system_id = ${system} and t.access_point_id is null
    and t.kind = 'system_offline' and t.status <> 'closed'`)
}
