import type { Session } from '../engine.ts'
import type { Change } from '../kept/versions.ts'
import type { AuditHead, OrgHead } from './org-head.ts'

const HEAD = 'key, id, data_version as data, audit_sequence as sequence, audit_hash as hash'

const dated = (rows: ReadonlyArray<Omit<OrgHead, 'isDated'>>, isDated: boolean): OrgHead => {
  const [head] = rows
  if (!head) throw new Error('the organization is gone')
  return { ...head, isDated }
}

/** SQLite has one writer: whoever is in a transaction holds every organization. */
export const readHead = async (session: Session, org: number): Promise<OrgHead> =>
  dated(await session.all(`select ${HEAD} from organizations where key = $1`, [org]), false)

/** Holds the row by writing what most changes write to it anyway. */
export const holdRow = async (session: Session, org: number, now: string): Promise<OrgHead> =>
  dated(
    await session.all(`update organizations set changed_at = $2 where key = $1 returning ${HEAD}`, [org, now]),
    true,
  )

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
