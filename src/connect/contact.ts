import type { EventType } from '../core/doors/events.ts'
import type { Actor } from '../db/audit.ts'
import { change, type Tx } from '../db/change.ts'
import { sql } from '../db/sql.ts'
import { ingest } from '../live/intake/ingest.ts'
import { askClock, CLOCK_SLACK_MS } from './device-clock.ts'
import type { ConnectParts, Link, LinkRow } from './link.ts'
import type { SyncResult } from './sync.ts'

export const supervisor: Actor = { kind: 'system', id: null, name: 'Supervisor', address: null, reqId: null }

interface Notice {
  readonly code: string
  readonly message: string
  readonly since: string
}

type Status = 'connected' | 'degraded' | 'disconnected'

/**
 * The system answers, or does so no more: told once, when it turns. `isFirst`: whoever attended to it before may have
 * died between telling and noting that it was away, and it is back.
 */
export async function noteContact(
  parts: ConnectParts,
  link: Link,
  contact: 'online' | 'offline',
  isFirst = false,
): Promise<boolean> {
  const row = await link.row()
  if (row.contact === contact && !(isFirst && contact === 'online' && (await isToldAway(link, row)))) return false
  // Whoever stood still for too long has noticed nothing.
  await link.check()
  const type: EventType = contact === 'online' ? 'system.online' : 'system.offline'
  // Told before it is noted that it was: whoever dies in between tells it again, as the same. The first contact is no
  // return.
  const source_id = sourceOf(type, row)
  if (row.contact !== null || contact === 'offline')
    await ingest(parts, link.org, [{ type, access_control_system_id: link.system, source_id }])
  await link.note({ contact, contact_since: link.now })
  return true
}

const sourceOf = (type: EventType, { contact_since }: LinkRow): string => `${type} ${contact_since ?? ''}`

const isToldAway = async (link: Link, row: LinkRow): Promise<boolean> =>
  (await link.reading().one(sql`select 1 as is_told from access_events t where t.org = :org
    and t.source_id = ${sourceOf('system.offline', row)} and t.access_control_system_id = ${link.system}`)) !==
  undefined

/** Asks how it is, and sets its clock where that is off: what is shown of it afterwards is how it goes now. */
export async function checkHealth(link: Link): Promise<void> {
  if (Math.abs(await askClock(link)) <= CLOCK_SLACK_MS) return
  await link.connector.setClock()
  await askClock(link)
}

/** How it stands with its table; `isFailing`: it answers, and the table could not be brought up to date. */
export interface TableResult extends SyncResult {
  readonly isFailing?: boolean
}

const noticesOf = ({
  asks,
  refused,
  isFailing = false,
}: TableResult): { errors: Array<Omit<Notice, 'since'>>; warnings: Array<Omit<Notice, 'since'>> } => ({
  errors: [
    ...(isFailing ? [FAILING] : []),
    ...(asks === 0
      ? []
      : [
          {
            code: 'removal_asks_first',
            message: `${asks} entries of its table would be removed, which is more than a tenth: confirm it first`,
          },
        ]),
    ...(refused === 0
      ? []
      : [
          {
            code: 'entries_refused',
            message: `It refused ${refused} entries: they did not fit, or it did not let go of them`,
          },
        ]),
  ],
  warnings: [],
})

const FAILING = {
  code: 'table_not_updated',
  message: 'It answers, but its table could not be brought up to date; that is tried again',
}
const OFFLINE = { code: 'not_reached', message: 'The system does not answer; it decides by what it was last given' }

/** Puts on the record, where it turned, in what state the system is. One that somebody disabled stays so. */
export async function noteStatus(
  parts: ConnectParts,
  link: Link,
  contact: 'online' | 'offline',
  result: TableResult,
): Promise<void> {
  const { errors, warnings } = contact === 'offline' ? { errors: [OFFLINE], warnings: [] } : noticesOf(result)
  const status: Status = contact === 'offline' ? 'disconnected' : errors.length > 0 ? 'degraded' : 'connected'
  const found = await findSystem(link.reading(), link.system)
  if (!found || found.status === 'disabled' || isSame(found, status, errors, warnings)) return
  await change(parts.engine, link.org, link.now, supervisor, (tx) => turn(tx, link.system, status, errors, warnings))
}

interface SystemRow {
  readonly status: string
  readonly version: number
  readonly errors: string | Notice[]
  readonly warnings: string | Notice[]
}

const findSystem = (handle: Pick<Tx, 'one'>, id: string): Promise<SystemRow | undefined> =>
  handle.one<SystemRow>(
    sql`select t.status, t.version, t.errors, t.warnings from access_control_systems t where t.org = :org
      and t.id = ${id}`,
  )

const read = (notices: string | Notice[]): Notice[] => (typeof notices === 'string' ? JSON.parse(notices) : notices)

const words = (notices: ReadonlyArray<Omit<Notice, 'since'>>): string =>
  JSON.stringify(notices.map(({ code, message }) => [code, message]))

type Told = ReadonlyArray<Omit<Notice, 'since'>>

const isSame = (row: SystemRow, status: Status, errors: Told, warnings: Told): boolean =>
  row.status === status && words(read(row.errors)) === words(errors) && words(read(row.warnings)) === words(warnings)

async function turn(tx: Tx, id: string, status: Status, errors: Told, warnings: Told): Promise<void> {
  const row = await findSystem(tx, id)
  if (!row || row.status === 'disabled' || isSame(row, status, errors, warnings)) return
  const since = (told: Told, before: Notice[]) =>
    told.map((notice) => ({ ...notice, since: before.find(({ code }) => code === notice.code)?.since ?? tx.now }))
  const after = { status, errors: since(errors, read(row.errors)), warnings: since(warnings, read(row.warnings)) }
  await tx.update('access_control_systems', id, { ...after, updated_at: tx.now, version: row.version + 1 })
  const before = { status: row.status, errors: read(row.errors), warnings: read(row.warnings) }
  tx.record({
    action: 'access_control_system.updated',
    resource: 'access-control-systems',
    resourceId: id,
    before,
    after,
  })
}
