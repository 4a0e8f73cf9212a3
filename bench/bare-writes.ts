import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { allResources } from '../src/all-resources.ts'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { systemClock } from '../src/core/time/clock.ts'
import type { Engine, Session } from '../src/db/engine.ts'
import { SqliteConnection } from '../src/db/sqlite/connection.ts'
import type { Write } from './changing.ts'
import type { Statement } from './raw-driver.ts'

/** The statements of one transaction that write. */
export type Written = readonly Statement[]

/** What an engine writes for so many calls, one transaction each, as it is told to a database of its own. */
export async function transactionsOf(
  engine: Engine,
  token: string,
  writes: readonly Write[],
  count: number,
): Promise<Written[]> {
  const noted: Written[] = []
  const app = await buildApp({
    config: readConfig({}),
    engine: { ...engine, transaction: noting(engine, noted) },
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    resources: allResources,
  })
  try {
    for (let n = 0; n < count; n++) {
      const { path, method = 'PATCH', body } = writes[n % writes.length] as Write
      const headers = { authorization: `Token ${token}` }
      const { statusCode } = await app.inject({ url: path, method, headers, payload: body(n) })
      if (statusCode >= 300) throw new Error(`${method} ${path} answered ${statusCode}`)
      // What goes on beside it has its turn, and is no part of it.
      await pause()
    }
  } finally {
    await app.close()
  }
  return noted.filter((statements) => statements.some(({ text }) => text.includes('insert into audit_log')))
}

const noting =
  ({ transaction }: Engine, noted: Written[]): Engine['transaction'] =>
  async (work, options) => {
    const statements: Statement[] = []
    const result = await transaction((session) => work(notingSession(session, statements)), options)
    noted.push(statements)
    return result
  }

function notingSession(session: Session, statements: Statement[]): Session {
  const note = (text: string, values: unknown[]) => {
    if (!/^\s*(select|savepoint|release)\b/i.test(text)) statements.push({ text, values: [...values] })
  }
  return {
    all: (text, values, ...more) => {
      note(text, values)
      return session.all(text, values, ...more)
    },
    run: (text, values) => {
      note(text, values)
      return session.run(text, values)
    },
    send: (text, values) => {
      note(text, values)
      return session.send(text, values)
    },
    script: (text) => session.script(text),
  }
}

/** Transactions a second of node:sqlite alone, each on the disk before the next. */
export function bareSqlite(path: string, transactions: readonly Written[]): number {
  const connection = new SqliteConnection(path, { cacheKiB: 4000 })
  connection.db.exec('pragma synchronous = full; pragma wal_autocheckpoint = 1000')
  const started = performance.now()
  for (const statements of transactions) {
    connection.db.exec('begin immediate')
    for (const { text, values } of statements) connection.all(text, values)
    connection.db.exec('commit')
  }
  const perSecond = (transactions.length * 1000) / (performance.now() - started)
  connection.db.close()
  return perSecond
}

/** Transactions a second of node-postgres alone, by as many connections at once. */
export async function barePostgres(url: string, transactions: readonly Written[], callers: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: callers, options: '-c timezone=UTC' })
  const names = new Map<string, string>()
  const nameOf = (text: string) => names.getOrInsertComputed(text, () => `s${names.size}`)
  const left = transactions.values()
  const caller = async () => {
    const client = await pool.connect()
    for (const statements of left) {
      await client.query('begin')
      for (const { text, values } of statements) await client.query({ name: nameOf(text), text, values })
      await client.query('commit')
    }
    client.release()
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: callers }, caller))
  const perSecond = (transactions.length * 1000) / (performance.now() - started)
  await pool.end()
  return perSecond
}
