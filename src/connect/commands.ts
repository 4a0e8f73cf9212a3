import { type DoorFacts, loadModes } from '../access/doors.ts'
import { Settings } from '../access/settings.ts'
import { doorMode } from '../core/decide/mode.ts'
import { type Absent, parsed, rightsInAbsence } from '../db/assignments.ts'
import { metricsOf } from '../db/metrics.ts'
import type { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'
import { endOverrides } from '../live/door-overrides.ts'
import { momentOf } from '../live/intake/new-event.ts'
import type { LiveTx } from '../live/live-transaction.ts'
import {
  type CommandAction,
  type DeviceCommand,
  notAllowed,
  notDriven,
  Refused,
  staysBlocked,
  staysIn,
} from './connector.ts'
import type { Link } from './link.ts'
import type { TakenEvent } from './take-in.ts'

/** So many are sent in one go; the others follow. */
const AT_ONCE = 100

interface Waiting extends Asked {
  readonly is_held: unknown
}

interface Asked extends DeviceCommand {
  /** Null: whoever runs the service, or an earlier version did not write it down. */
  readonly requester: Absent | string | null
}

/** How many were sent, and how many wait until the device has been told of their door. */
interface Sent {
  readonly sent: number
  readonly left: number
}

/**
 * Sends what waits for this system, oldest first. Each is marked as sent before it is: whoever dies in between has not
 * sent it, and nobody sends it again. What is too late is never sent. A device knows nothing of a door before it has
 * its table: what is for one that it has not been given waits for that, unless it has just been given all that it takes
 * (`isTold`).
 */
export async function sendCommands(link: Link, isTold = false): Promise<Sent> {
  const all = await link.reading().all<Waiting>(sql`
    select t.id, t.action, t.access_point_id, t.seconds, t.expires_at, t.requester, case when d.held is null then 0
    else 1 end as is_held
    from commands t left join device_entries d on d.org = :org
    and d.access_control_system_id = t.access_control_system_id
      and d.entry_key = 'door:' || t.access_point_id
    where t.org = :org and t.access_control_system_id = ${link.system} and t.status = 'queued'
    order by t.created_at, t.id limit ${AT_ONCE}`)
  const waiting = all.flatMap(({ is_held, ...command }) => (isTold || is_held ? [command] : []))
  for (const command of waiting) {
    if (!(await link.live((tx) => claim(tx, command.id)))) continue
    try {
      await checkMayMove(link, command)
      await link.connector.command(command)
    } catch (error) {
      // Unreachable: it may have arrived. The door's own event says so, or its time runs out.
      if (!(error instanceof Refused)) throw error
      const { code, message } = error
      await link.live((tx) => fail(tx, command.id, code, message))
      metricsOf(link.engine).count('gatehouse_commands_total', { result: 'failed' })
    }
  }
  return { sent: waiting.length, left: all.length - waiting.length }
}

/**
 * What comes before a command, as we know it: not every device knows of blocks, and what it is told of an emergency, or
 * of a door that is gone from it, comes with its table, behind the commands.
 */
async function checkMayMove(link: Link, { action, access_point_id: id, requester }: Asked): Promise<void> {
  const handle = link.reading()
  const facts = (await loadModes(new Settings(handle), [id], handle.instant)).get(id)
  if (facts?.door.access_control_system_id !== link.system) throw notDriven()
  if (requester !== null && !(await mayStillAsk(handle, parsed(requester), facts))) throw notAllowed()
  if (action === 'release') return
  if (action === 'unlock' && facts.door.override === 'blocked') throw staysBlocked()
  const { mode } = doorMode(facts, handle.instant)
  if (mode === (action === 'unlock' ? 'locked_down' : 'evacuation')) throw staysIn(mode)
}

/** Minutes may have passed while the device was away. */
async function mayStillAsk(handle: OrgHandle, requester: Absent, { door }: DoorFacts): Promise<boolean> {
  const scope = (await rightsInAbsence(handle, requester))?.scopeOf('access-points:unlock')
  if (scope === undefined || scope === 'all') return scope === 'all'
  return door.places.some(({ kind, id }) => kind === 'building' && scope.buildings.has(id))
}

const claim = async (tx: LiveTx, id: string): Promise<boolean> =>
  (await tx.run(sql`update commands as t set status = 'sent', sent_at = ${tx.instant}, version = t.version + 1,
    updated_at = ${tx.instant}
    where t.org = :org and t.id = ${id} and t.status = 'queued' and t.expires_at > ${tx.instant}`)) === 1

const fail = (tx: LiveTx, id: string, code: string, message: string): Promise<number> =>
  tx.run(sql`update commands as t set status = 'failed', ended_at = ${tx.instant}, error_code = ${code},
    error_message = ${message},
      version = t.version + 1, updated_at = ${tx.instant}
    where t.org = :org and t.id = ${id} and t.status = 'sent'`)

/** Ends what nobody confirmed in time, or nobody could send: whether or not the system can be reached. */
export async function endLateCommands(link: Link): Promise<void> {
  const found = await link.reading().one(sql`
    select 1 as is_late from commands t
    where t.org = :org and t.access_control_system_id = ${link.system} and t.status in ('queued', 'sent')
    and t.expires_at <= :now limit 1`)
  if (!found) return
  const late = await link.live((tx) => endLate(tx, link.system))
  for (let n = 0; n < late; n++) metricsOf(link.engine).count('gatehouse_commands_total', { result: 'timed_out' })
}

const endLate = (tx: LiveTx, system: string): Promise<number> =>
  tx.run(sql`update commands as t set status = 'timed_out', ended_at = t.expires_at, version = t.version + 1,
    updated_at = ${tx.instant}
    where t.org = :org and t.access_control_system_id = ${system} and t.status in ('queued', 'sent')
    and t.expires_at <= ${tx.instant}`)

interface Confirmed {
  readonly id: string
  readonly created_at: string
  readonly action: CommandAction
  readonly access_point_id: string
  readonly seconds: number | null
  readonly sent_at: string | null
}

/**
 * The doors themselves have told that they did what they were asked to. Gives the doors of which something else holds
 * now.
 */
export async function confirmCommands(link: Link, events: readonly TakenEvent[]): Promise<readonly string[]> {
  const told = new Map<string, TakenEvent>()
  for (const event of events) if (event.command_id && !told.has(event.command_id)) told.set(event.command_id, event)
  if (told.size === 0) return []
  return link.live(async (tx) => {
    const confirmed = await tx.all<Confirmed>(sql`
      select t.id, t.created_at, t.action, t.access_point_id, t.seconds, t.sent_at
      from ${tx.dialect.ids(told.keys(), 'l')} cross join commands t where t.org = :org and t.id = l.id
      and t.access_control_system_id = ${link.system} and t.status in ('queued', 'sent', 'timed_out')
      order by t.created_at, t.id`)
    for (const command of confirmed) {
      await tx.run(sql`update commands as t set status = 'confirmed', ended_at = ${tx.instant}, version = t.version + 1,
        updated_at = ${tx.instant} where t.org = :org and t.id = ${command.id}`)
      if (!(await isOutdone(tx, command))) await override(tx, link.system, command, doneAt(tx, command, told))
      metricsOf(link.engine).count('gatehouse_commands_total', { result: 'confirmed' })
    }
    return confirmed.map(({ access_point_id }) => access_point_id)
  })
}

/** By our clock, and not before it was sent, however the device's clock goes. */
function doneAt(tx: LiveTx, { id, sent_at }: Confirmed, told: ReadonlyMap<string, TakenEvent>): string {
  const event = told.get(id)
  const at = event ? momentOf({ ...event, received_at: tx.instant }) : tx.instant
  return sent_at !== null && sent_at > at ? sent_at : at
}

/**
 * Whether the door was asked for something else since, and has told of that before: a device tells of some things late.
 * A lock comes after an unlocking alone: it ends no block.
 */
async function isOutdone(tx: LiveTx, { id, created_at, action, access_point_id }: Confirmed): Promise<boolean> {
  const others = action === 'unlock' || action === 'lock' ? sql`true` : sql`t.action <> 'lock'`
  // Of this door, whatever else was confirmed since.
  const later = await tx.one(sql`
    select 1 as is_later from commands t where t.org = :org and t.access_point_id = ${access_point_id}
    and t.created_at >= ${created_at} and (t.created_at > ${created_at} or t.id > ${id})
    and coalesce(t.status, '') = 'confirmed' and ${others} limit 1`)
  return later !== undefined
}

/** The door's mode follows from it (live/modes.ts). `at`: when it was done, which may be a while ago. */
async function override(
  tx: LiveTx,
  system: string,
  { id, action, access_point_id, seconds }: Confirmed,
  at: string,
): Promise<void> {
  if (action === 'lock' || action === 'release') {
    // A lock ends no block.
    const isEnded = action === 'lock' ? sql`t.override <> 'blocked'` : sql`true`
    await endOverrides(tx, sql`t.access_point_id = ${access_point_id} and ${isEnded}`)
    return
  }
  const value = action === 'block' ? 'blocked' : seconds === null ? 'unlocked' : 'unlocked_timed'
  const until = action === 'unlock' && seconds !== null ? new Date(Date.parse(at) + seconds * 1000).toISOString() : null
  // The door may be gone by now or another system's, or blocked since: an unlocking that is told of late ends no block.
  // Nor does one for some seconds end one that lasts longer.
  await tx.run(sql`insert into door_overrides (org, access_point_id, override, since, until, command_id)
    select p.org, p.id, e.override, e.since, e.until, e.command_id
    from ${tx.dialect.records([{ override: value, since: tx.instant, until, command_id: id }], 'e', {
      override: 'text',
      since: 'timestamp',
      until: 'timestamp',
      command_id: 'uuid',
    })} join access_points p on p.org = :org and p.id = ${access_point_id} and p.access_control_system_id = ${system}
    where true
    on conflict (org, access_point_id) do update
    set override = excluded.override, since = excluded.since, until = excluded.until, command_id = excluded.command_id
    where excluded.override = 'blocked' or door_overrides.until <= excluded.since
    or (door_overrides.override <> 'blocked'
      and (excluded.until is null or door_overrides.until <= excluded.until))`)
}
