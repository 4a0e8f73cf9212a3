import type { Session } from '../engine.ts'
import type { Change } from '../kept/versions.ts'
import type { AuditHead, OrgHead } from './org-head.ts'

const HEAD = 'key, id, data_version as data, audit_sequence as sequence, audit_hash as hash'

async function headOf(session: Session, org: number, hold: string): Promise<OrgHead> {
  const [head] = await session.all<OrgHead>(`select ${HEAD} from organizations where key = $1${hold}`, [org])
  if (!head) throw new Error('the organization is gone')
  return head
}

/** SQLite has one writer: whoever is in a transaction holds every organization. */
export const readHead = (session: Session, org: number): Promise<OrgHead> => headOf(session, org, '')

/** As strongly as writing it would: rows that refer to it may come meanwhile. */
export const holdRow = (session: Session, org: number): Promise<OrgHead> => headOf(session, org, ' for no key update')

export async function numberChange(
  session: Session,
  org: number,
  { sequence, hash }: AuditHead,
  { data, moved }: Change,
): Promise<void> {
  await session.run('update organizations set data_version = $2, audit_sequence = $3, audit_hash = $4 where key = $1', [
    org,
    data,
    sequence,
    hash,
  ])
  await session.run(
    `insert into table_versions (org, name, version)
      values ${moved.map((_, index) => `($1, $${index + 3}, $2)`).join(', ')}
     on conflict (org, name) do update set version = excluded.version`,
    [org, data, ...moved],
  )
}

/** The same and the notice to others as one statement: with PostgreSQL it is the way there and back that costs. */
export const numberAndTell = (
  session: Session,
  org: number,
  { sequence, hash }: AuditHead,
  { data, moved }: Change,
  [channel, notice]: readonly string[],
): Promise<unknown> =>
  session.send(
    `with numbered as (
       update organizations set data_version = $2::bigint, audit_sequence = $3::bigint, audit_hash = $4::text
       where key = $1::bigint),
     versions as (
       insert into table_versions (org, name, version) select $1::bigint, m.name, $2::bigint
       from unnest($5::text[]) as m(name)
       on conflict (org, name) do update set version = excluded.version)
     select pg_notify($6, $7)`,
    [org, data, sequence, hash, moved, channel, notice],
  )
