import type { Session } from '../engine.ts'
import type { Change } from '../kept/versions.ts'
import type { OrgHead } from './org-head.ts'

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

/** Which change was the last to move what. */
const movedBy = (changes: readonly Change[]): Map<string, number> =>
  new Map(changes.flatMap(({ data, moved }) => moved.map((name) => [name, data] as const)))

export async function numberChanges(
  session: Session,
  { key, data, sequence, hash }: OrgHead,
  changes: readonly Change[],
): Promise<void> {
  await session.run('update organizations set data_version = $2, audit_sequence = $3, audit_hash = $4 where key = $1', [
    key,
    data,
    sequence,
    hash,
  ])
  const rows = [...movedBy(changes)].map(([name, version]) => [key, name, version])
  const places = rows.map((_, index) => `($${3 * index + 1}, $${3 * index + 2}, $${3 * index + 3})`)
  await session.run(
    `insert into table_versions (org, name, version) values ${places.join(', ')}
     on conflict (org, name) do update set version = excluded.version`,
    rows.flat(),
  )
}

/** The same and the notices to others as one statement: with PostgreSQL it is the way there and back that costs. */
export function numberAndTell(
  session: Session,
  { key, data, sequence, hash }: OrgHead,
  changes: readonly Change[],
  notices: ReadonlyArray<readonly [channel: string, notice: string]>,
): Promise<unknown> {
  const moved = movedBy(changes)
  return session.send(
    `with numbered as (
       update organizations set data_version = $2::bigint, audit_sequence = $3::bigint, audit_hash = $4::text
       where key = $1::bigint),
     versions as (
       insert into table_versions (org, name, version) select $1::bigint, m.name, m.version
       from unnest($5::text[], $6::bigint[]) as m(name, version)
       on conflict (org, name) do update set version = excluded.version)
     select pg_notify(n.channel, n.notice) from unnest($7::text[], $8::text[]) as n(channel, notice)`,
    [
      key,
      data,
      sequence,
      hash,
      [...moved.keys()],
      [...moved.values()],
      notices.map(([channel]) => channel),
      notices.map(([, notice]) => notice),
    ],
  )
}
