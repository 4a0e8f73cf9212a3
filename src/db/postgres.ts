import { hash } from 'node:crypto'
import pg from 'pg'
import { AppError } from '../core/errors.ts'
import type { Dialect, Engine, OrgVersions, Session } from './engine.ts'
import { raw, sql } from './sql.ts'

// Rows are the same on both engines: timestamps as RFC 3339 text, dates as text, 64-bit counts as numbers.
const types = new pg.TypeOverrides()
types.setTypeParser(1184, (text) => new Date(text).toISOString())
types.setTypeParser(1082, (text) => text)
types.setTypeParser(20, Number)
types.setTypeParser(1700, Number)

const CHANNEL = 'gatehouse_versions'

interface PgError extends Error {
  code?: string
}

/** Connection lost (08, network), shutting down or starting (57P), out of connections, memory or disk (53). */
function isUnavailable(error: PgError): boolean {
  const code = error.code ?? ''
  return (
    /^(08|53|57P)/.test(code) ||
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENOENT)/.test(code) ||
    /connection|timeout exceeded/i.test(error.message)
  )
}

function translate(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError || !isUnavailable(error)) return error
  return new AppError('SERVICE_UNAVAILABLE', 'The database is not available right now; try again shortly', {
    cause: error,
    headers: { 'retry-after': '1' },
  })
}

type Runner = Pick<pg.Pool, 'query'> | Pick<pg.PoolClient, 'query'>

/** Statement names, so that a text is parsed and planned once per connection. */
const names = new Map<string, string>()
function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) {
    if (names.size > 2000) names.clear()
    name = hash('sha1', text, 'hex')
    names.set(text, name)
  }
  return name
}

function session(runner: Runner): Session {
  const query = async (text: string, values: unknown[]) => {
    try {
      return await runner.query({ name: nameOf(text), text, values, types })
    } catch (error) {
      throw translate(error)
    }
  }
  return {
    all: async <Row>(text: string, values: unknown[]) => (await query(text, values)).rows as Row[],
    run: async (text, values) => (await query(text, values)).rowCount ?? 0,
    // Without a name and values: the simple protocol, which takes several statements at once.
    script: async (text) => {
      await runner.query(text)
    },
  }
}

const dialect = (lowerCollation: string): Dialect => ({
  name: 'postgres',
  lowerCollation,
  inList: (column, values, type) => sql`${raw(column)} = any(${[...values]}::${raw(type)}[])`,
  records: (rows, alias, columns) => {
    const list = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
    return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ${raw(`${alias}(${list.join(', ')})`)}`
  },
  tryLock: async (session, key) => {
    const [row] = await session.all<{ locked: boolean }>('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked', [key])
    return row?.locked ?? false
  },
})

export async function openPostgres(url: string, options: { poolSize: number; onError: (error: Error) => void }): Promise<Engine> {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    types,
    options: '-c timezone=UTC',
  })
  // Without a listener one terminated idle backend ends the process.
  pool.on('error', options.onError)
  const reader = session(pool)
  const lowerCollation = await chooseLowerCollation(reader)
  const known = new Map<number, OrgVersions>()
  const listener = listen(url, known, options.onError)

  return {
    dialect: dialect(lowerCollation),
    reader,
    async transaction(work) {
      let client: pg.PoolClient
      try {
        client = await pool.connect()
      } catch (error) {
        throw translate(error)
      }
      let broken = false
      const onError = () => {
        broken = true
      }
      client.on('error', onError)
      try {
        await client.query('begin')
        const result = await work(session(client))
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback').catch(onError)
        throw translate(error)
      } finally {
        client.off('error', onError)
        client.release(broken)
      }
    },
    async versions(org) {
      const fresh = listener.isListening() ? known.get(org) : undefined
      if (fresh) return fresh
      const [row] = await reader.all<OrgVersions>(
        'select data_version as data, places_version as places, access_version as access from organizations where key = $1',
        [org],
      )
      const versions = row ?? { data: 0, places: 0, access: 0 }
      const current = known.get(org)
      if (!current || current.data < versions.data) known.set(org, versions)
      return versions
    },
    announce: async (active, org, versions) => {
      await active.all('select pg_notify($1, $2)', [CHANNEL, `${org}:${versions.data}:${versions.places}:${versions.access}`])
    },
    committed: (org, versions) => {
      if ((known.get(org)?.data ?? -1) < versions.data) known.set(org, versions)
    },
    backup: undefined,
    ping: async () => {
      await reader.all('select 1 as one', [])
    },
    close: async () => {
      await listener.close()
      await pool.end()
    },
  }
}

/** Lower case by Unicode's rules whatever the database's own locale is. */
async function chooseLowerCollation(reader: Session): Promise<string> {
  const rows = await reader.all<{ collname: string }>(
    `select collname from pg_collation where collname in ('pg_c_utf8', 'und-x-icu', 'C.utf8') and collencoding in (-1, 6)
     order by case collname when 'pg_c_utf8' then 1 when 'und-x-icu' then 2 else 3 end`,
    [],
  )
  return `"${rows[0]?.collname ?? 'default'}"`
}

/** A connection of its own that hears which organization changed; while it is away nothing is served from memory. */
function listen(url: string, known: Map<number, OrgVersions>, onError: (error: Error) => void) {
  let client: pg.Client | undefined
  let listening = false
  let closed = false
  let retry: NodeJS.Timeout | undefined

  const connect = async () => {
    if (closed) return
    const next = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, keepAlive: true })
    client = next
    const lost = (error?: Error) => {
      if (client !== next || closed) return
      listening = false
      known.clear()
      client = undefined
      if (error) onError(error)
      retry = setTimeout(connect, 500)
      retry.unref()
      next.end().catch(() => undefined)
    }
    next.on('error', lost)
    next.on('end', () => lost())
    next.on('notification', (message) => {
      const [org, data, places, access] = (message.payload ?? '').split(':').map(Number)
      if (org === undefined || data === undefined || places === undefined || access === undefined) return
      if ((known.get(org)?.data ?? -1) < data) known.set(org, { data, places, access })
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      known.clear()
      listening = true
    } catch (error) {
      lost(error as Error)
    }
  }
  const ready = connect()

  return {
    isListening: () => listening,
    close: async () => {
      closed = true
      clearTimeout(retry)
      await ready
      await client?.end().catch(() => undefined)
    },
  }
}
