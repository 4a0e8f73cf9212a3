import { openPostgres } from '../src/db/postgres/postgres.ts'
import { openSqlite } from '../src/db/sqlite/sqlite.ts'
import type { Estate } from './estate.ts'

/** So many go in with one statement. */
const SLICE = 50_000
/** One a second, the last one now. */
const COLUMNS = `org, sequence, id, type, result, reason, access_point_id, building_id, credential_number, direction,
  occurred_at, received_at,
  verdict, verdict_reason`
/** One in nine is refused; one in a hundred thousand for a rare reason, which the rules did not know of. */
const VALUES = `case when s.n % 9 = 0 then 'access.denied' else 'access.granted' end,
  case when s.n % 9 = 0 then 'denied' else 'granted' end, case when s.n % 100000 = 17 then 'rare' end,
  d.id, d.building_id,
  cast(cast(s.n % 5000 as integer) as text), case when s.n % 2 = 0 then 'in' else 'out' end`
const VERDICT =
  `case when s.n % 100000 = 17 then 'unexpected_denial' else 'agreed' end, case when s.n % 9 = 0 then ` +
  `'no_grant' else 'granted' end`
const DOORS = `(select a.id, b.building_id, row_number() over (order by a.id) - 1 as place from access_points a
  join spaces b on b.org = a.org and b.id = a.space_id where a.org = $1) d on d.place = s.n % 100`

const texts = {
  sqlite: `with recursive s(n) as (select $2 union all select n + 1 from s where n < $3)
    insert into access_events (${COLUMNS})
    select $1, s.n, printf('%08x-0000-7000-8000-%012x', s.n, s.n), ${VALUES},
    strftime('%Y-%m-%dT%H:%M:%fZ', $4 + s.n, 'unixepoch'),
      strftime('%Y-%m-%dT%H:%M:%fZ', $4 + s.n, 'unixepoch'), ${VERDICT} from s join ${DOORS}`,
  postgres: `insert into access_events (${COLUMNS})
    select $1::int, s.n, cast(lpad(to_hex(s.n), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(s.n), 12, '0') as uuid),
    ${VALUES},
      to_timestamp($4::bigint + s.n), to_timestamp($4::bigint + s.n), ${VERDICT}
    from generate_series($2::bigint, $3::bigint) as s(n) join ${DOORS}`,
}

/**
 * Fills up to so many events past the service, which must not run: nobody waits for ten thousand calls of a thousand.
 */
export async function fillEvents({ env }: Estate, total: number): Promise<void> {
  const engine = env.DATABASE_URL
    ? await openPostgres(env.DATABASE_URL, { poolSize: 2, onError: () => undefined, isUnhurried: true })
    : openSqlite(`${env.DATA_DIR}/gatehouse.db`)
  const [head] = await engine.reader.all<{ org: number; sequence: number; stored: number }>(
    'select org, sequence, stored from live_heads order by stored desc limit 1',
    [],
  )
  if (!head) throw new Error('there is no event to go on from')
  const { org, sequence, stored } = head
  const last = sequence + Math.max(0, total - stored)
  const since = Math.floor(Date.now() / 1000) - last
  for (let from = sequence + 1; from <= last; from += SLICE) {
    const to = Math.min(last, from + SLICE - 1)
    await engine.transaction(
      async (session) => {
        await session.run(texts[engine.dialect.name], [org, from, to, since])
        await session.run('update live_heads set sequence = $2, stored = stored + $3 where org = $1', [
          org,
          to,
          to - from + 1,
        ])
      },
      { isUnhurried: true },
    )
    process.stderr.write(`\r${to - sequence} of ${last - sequence} events…`)
  }
  process.stderr.write('\n')
  // By the time so many have come, PostgreSQL has looked after them by itself: here it would while we measure.
  if (env.DATABASE_URL) await engine.reader.all('vacuum (analyze) access_events', [])
  await engine.close()
}
