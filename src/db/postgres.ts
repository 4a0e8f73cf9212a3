import { hash } from 'node:crypto'
import pg from 'pg'
import { AppError, databaseAway } from '../core/errors.ts'
import type { Dialect, Engine, OrgVersions, Session } from './engine.ts'
import { announcement, VersionListener } from './postgres-listener.ts'
import { raw, sql } from './sql.ts'
import { tryWriting } from './try-writing.ts'

// Rows are the same on both engines: timestamps as RFC 3339 text, dates as text, 64-bit counts as numbers.
const types = new pg.TypeOverrides()
types.setTypeParser(1184, (text) => new Date(text).toISOString())
types.setTypeParser(1082, (text) => text)
types.setTypeParser(20, Number)
types.setTypeParser(1700, Number)

interface PgError extends Error {
  code?: string
}

/**
 * Connection lost (08, network), shutting down or starting (57P), out of connections, memory or disk (53), its disk failing (58),
 * a standby that takes no writes yet (25006), one that does not know our password just now (28), and two transactions that stood in each other's way (40).
 */
function isUnavailable(error: PgError): boolean {
  const code = error.code ?? ''
  return (
    /^(08|25006|28|40|53|57P|58)/.test(code) ||
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOENT)/.test(code) ||
    /connection|timeout exceeded/i.test(error.message)
  )
}

/** Writing does not work, whatever reads say: a standby, a full or failing disk. */
const isUnwritable = (error: unknown): boolean => /^(25006|53|58)/.test((error as PgError | undefined)?.code ?? '')

const translate = (error: unknown): unknown =>
  error instanceof Error && !(error instanceof AppError) && isUnavailable(error) ? databaseAway(error) : error

/**
 * After a refused connection none is tried for a moment: a server that is starting has better to do than to refuse hundreds
 * of them.
 */
function createRespite(): <T>(ask: () => Promise<T>) => Promise<T> {
  let refusal: PgError | undefined
  let until = 0
  return async (ask) => {
    if (refusal && performance.now() < until) throw refusal
    try {
      return await ask()
    } catch (error) {
      if (/^(ECONNREFUSED|57P03)$/.test((error as PgError).code ?? '')) {
        refusal = error as PgError
        until = performance.now() + RESPITE_MS
      }
      throw error
    }
  }
}
const RESPITE_MS = 100

type Runner = Pick<pg.Pool, 'query'> | Pick<pg.PoolClient, 'query'>

/**
 * Statement names, so that a text is parsed and planned once per connection. A connection keeps what it was given a name for
 * as long as it lives, and callers can ask in more shapes than anybody could keep: only a text that comes again gets one,
 * and only so many do.
 */
const NAMED_LIMIT = 1000
const SEEN_LIMIT = 5000
const names = new Map<string, string>()
const seen = new Set<string>()
function nameOf(text: string): string | undefined {
  const name = names.get(text)
  if (name !== undefined || names.size >= NAMED_LIMIT) return name
  if (!seen.delete(text)) {
    if (seen.size >= SEEN_LIMIT) seen.clear()
    seen.add(text)
    return undefined
  }
  const made = hash('sha1', text, 'hex')
  names.set(text, made)
  return made
}

const named = (text: string): pg.QueryConfig => {
  const name = nameOf(text)
  return name === undefined ? { text } : { name, text }
}

function session(runner: Runner, whenever: <T>(ask: () => Promise<T>) => Promise<T> = (ask) => ask()): Session {
  const query = async (text: string, values: unknown[]) => {
    try {
      return await whenever(() => runner.query({ ...named(text), values, types }))
    } catch (error) {
      throw translate(error)
    }
  }
  return {
    all: async <Row>(text: string, values: unknown[], signal?: AbortSignal) => {
      signal?.throwIfAborted()
      return (await query(text, values)).rows as Row[]
    },
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
    keepAlive: true,
    application_name: 'gatehouse',
    types,
    options: '-c timezone=UTC',
  })
  // Without a listener one terminated idle backend ends the process.
  pool.on('error', options.onError)
  const unlessRefused = createRespite()
  const reader = session(pool, unlessRefused)
  const lowerCollation = await chooseLowerCollation(reader)
  const listener = new VersionListener(url, options.onError)

  /** A write has failed for the server's own sake; only one that succeeds says otherwise. */
  let isDoubted = false

  const engine: Engine = {
    dialect: dialect(lowerCollation),
    reader,
    unhurried: reader,
    async transaction(work, { signal } = {}) {
      let client: pg.PoolClient
      try {
        client = await unlessRefused(() => pool.connect())
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
        signal?.throwIfAborted()
        // A transaction that failed earlier "commits" as a rollback, without an error.
        const { command } = await client.query('commit')
        if (command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements failed and was passed over')
        return result
      } catch (error) {
        if (isUnwritable(error instanceof AppError ? error.cause : error)) isDoubted = true
        await client.query('rollback').catch(onError)
        throw translate(error)
      } finally {
        client.off('error', onError)
        client.release(broken)
      }
    },
    async versions(org) {
      const heard = listener.get(org)
      if (heard) return heard
      const { era } = listener
      const [row] = await reader.all<OrgVersions>(
        'select data_version as data, places_version as places, access_version as access from organizations where key = $1',
        [org],
      )
      const versions = row ?? { data: 0, places: 0, access: 0 }
      listener.learn(org, versions, era)
      return versions
    },
    announce: async (active, org, versions) => {
      await active.all('select pg_notify($1, $2)', announcement(org, versions))
    },
    committed: (org, versions) => listener.move(org, versions),
    ping: async () => {
      await reader.all('select 1 as one', [])
      if (!isDoubted) return
      await engine.transaction(tryWriting)
      isDoubted = false
    },
    close: async () => {
      await listener.close()
      await pool.end()
    },
  }
  return engine
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
