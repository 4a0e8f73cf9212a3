import { statSync } from 'node:fs'
import { LoopTurn, whichTurn } from '../../core/loop-turn.ts'
import { unlessAborted } from '../../core/unless-aborted.ts'
import { numberChanges, readHead } from '../along/numbering.ts'
import type { Dialect, Engine, Session, TransactionOptions } from '../engine.ts'
import { CHANGES, Hearers } from '../kept/hearers.ts'
import { type Change, catchUp, isBehind, OrgVersions, VERSIONS_SINCE, type VersionRow } from '../kept/versions.ts'
import { metricsOf } from '../metrics.ts'
import { makePrivate } from '../private-files.ts'
import { raw, sql } from '../sql.ts'
import { OwnThreads } from '../threads/own-threads.ts'
import { tryWriting } from '../try-writing.ts'
import { Turns } from '../turns/turns.ts'
import { CommitWatch, dataVersion } from './commit-watch.ts'
import { SqliteConnection } from './connection.ts'
import { Gaps } from './gaps.ts'
import { SqliteRoutes } from './route.ts'
import { isBusy, patiently, SqliteReader, SqliteWriter } from './sessions.ts'
import { SqliteStorage } from './storage.ts'
import { SqliteThreads, type ThreadLimits } from './threads.ts'
import { SqliteWal } from './wal.ts'

/** What a request, and what runs beside requests, may take in a thread. */
const HURRIED = { withinMs: 10_000 }
const UNHURRIED = { withinMs: 300_000, isUnhurried: true }

/** One writes at a time, and the next one of its organization stands ready. */
const WRITERS = 24
const WRITERS_OF_ONE = 2

const dialect: Dialect = {
  name: 'sqlite',
  rowsAtOnce: 10,
  inList: (column, values) => sql`${raw(column)} in (select value from json_each(${JSON.stringify([...values])}))`,
  ids: (values, alias) =>
    sql`(select value as id from json_each(${JSON.stringify([...new Set(values)])})) ${raw(alias)}`,
  records: (rows, alias, columns) => {
    const list = Object.keys(columns).map((name) => `value ->> '${name}' as ${name}`)
    return sql`(select ${raw(list.join(', '))} from json_each(${JSON.stringify(rows)})) ${raw(alias)}`
  },
  // What refers to a row that is not there is refused with the commit, and with it all that are made together.
  checkLate: async () => undefined,
  // One writer at a time: whoever is inside the transaction has every lock there is.
  tryLock: async () => true,
}

export interface SqliteOptions {
  threads?: Partial<ThreadLimits>
  /** Tables of up to so many rows are read on the main thread, whatever is asked. */
  smallRows?: number
  /** Others write to it too: they get their turn. */
  isShared?: boolean
}

/** No file: for what needs a database that holds nothing. */
export const IN_MEMORY = ':memory:'

export function openSqlite(path: string, options: SqliteOptions = {}): Engine {
  if (path !== IN_MEMORY) makePrivate(path)
  const storage = new SqliteStorage(path)
  const writing = new SqliteConnection(path, { cacheKiB: 4_000 })
  const reading = new SqliteConnection(path, { cacheKiB: 6_000 })
  const turn = new LoopTurn()
  const threads = new SqliteThreads(path, options.threads)
  const routes = new SqliteRoutes(reading, options)
  const parts = { routes, threads, turn, storage }
  const writer = new SqliteWriter(writing, turn, storage)
  const reader = new SqliteReader(parts, HURRIED)
  const wal = new SqliteWal(path, storage)
  const own = new OwnThreads({ kind: 'sqlite', path })
  const gaps = new Gaps()
  let queue: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }
  let stamp = -1
  // Asked once per turn of the event loop: within a turn nobody can tell the order of two requests.
  let askedIn = -1
  const known = new Map<number, OrgVersions>()
  /** What the transaction under way is about to commit: more than the database keeps of it, the rows by name. */
  let announced: Array<readonly [org: number, change: Change]> = []
  /** Those that nothing was committed after. */
  const current = new Set<number>()

  const begin = async <T>(
    work: (session: Session) => Promise<T>,
    { signal, ...waiting }: Pick<TransactionOptions, 'signal' | 'patienceMs'> & { since: number },
  ): Promise<T> => {
    if (options.isShared || own.size > 0) await gaps.leave()
    signal?.throwIfAborted()
    await patiently(storage, () => writing.run('begin immediate', []), waiting)
    announced = []
    try {
      const result = await work(writer.until(signal))
      signal?.throwIfAborted()
      storage.assertSound()
      await writer.run('commit', [])
      askedIn = -1
      // What nobody announced may have moved anything.
      if (announced.length === 0) current.clear()
      for (const [org, change] of announced) {
        if (!known.get(org)?.follow(change)) current.delete(org)
        // Now, not once it is on the disk: the next one may begin before that.
        change.onCommit?.()
      }
      return result
    } catch (error) {
      // A commit that failed may have been one all the same: what is there is read.
      current.clear()
      // A full disk may have rolled back already. Should this fail too, what went wrong first is what counts.
      if (writing.db.isTransaction) await writer.run('rollback', []).catch(() => undefined)
      throw error
    } finally {
      gaps.end()
    }
  }

  const versionsOf = (org: number): OrgVersions => {
    const now = whichTurn()
    if (now !== askedIn) {
      // By our own writer: it does not move with what that commits, which is announced and need not be read.
      const moved = dataVersion(writing)
      if (moved !== stamp) {
        stamp = moved
        current.clear()
      }
      askedIn = now
    }
    const versions = known.get(org) ?? new OrgVersions()
    if (current.has(org)) return versions
    catchUp(versions, reading.all<VersionRow>(VERSIONS_SINCE, [org, versions.data, versions.live]))
    known.set(org, versions)
    current.add(org)
    return versions
  }

  const watch: CommitWatch = new CommitWatch(reading, () => hearers.tell())
  const hearers = new Hearers(watch)

  const engine: Engine = {
    dialect,
    reader,
    unhurried: new SqliteReader(parts, UNHURRIED),
    writers: new Turns(WRITERS, WRITERS_OF_ONE),
    async transaction(work, options = {}) {
      const since = performance.now()
      options.signal?.throwIfAborted()
      const before = queue
      const begun = inTurn(() => begin(work, { ...options, since }))
      // Whoever's time is over while others write is told so then, not when it would be their turn: that begins nothing
      // any more.
      await unlessAborted(before, options.signal, () => undefined)
      const result = await begun
      // The next one writes while the disk takes this one in.
      options.onWritten?.()
      const started = performance.now()
      await wal.durable()
      metrics.observe('gatehouse_db_commit_seconds', started)
      wal.tidy(inTurn)
      return result
    },
    versions(org, atLeast) {
      try {
        const versions = versionsOf(org)
        if (!isBehind(versions, atLeast)) return versions
        askedIn = -1
        return versionsOf(org)
      } catch (error) {
        if (isBusy(error)) {
          const asked = patiently(storage, () => versionsOf(org))
          // As on PostgreSQL: not everybody waits for it.
          asked.catch(() => undefined)
          return asked
        }
        throw storage.translate(error)
      }
    },
    latest(org) {
      askedIn = -1
      return engine.versions(org)
    },
    async told(org, atLeast) {
      const versions = await engine.versions(org, atLeast)
      return isBehind(versions, atLeast) ? undefined : versions
    },
    hold: readHead,
    number: async (session, head, changes) => {
      await numberChanges(session, head, changes)
      for (const change of changes) announced.push([head.key, change])
    },
    announce: async (_, org, change) => {
      announced.push([org, change])
    },
    committed: (org, { isLive }) => isLive || hearers.tell(org, CHANGES),
    hearers,
    // Others see by themselves that something was committed.
    tell: async () => undefined,
    startThread: (module) => own.start(module),
    assertSound: () => storage.assertSound(),
    ping: async () => {
      await reader.all('select 1 as one', [])
      await storage.probe(() => engine.transaction(tryWriting))
    },
    giveBack: () => {
      threads.rest()
      wal.rest()
    },
    close: async () => {
      await queue
      watch.stop()
      await own.end()
      await threads.close()
      await wal.close()
      reading.db.close()
      writing.db.close()
    },
  }
  const metrics = metricsOf(engine)
  const sizeOf = (file: string) => () => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  metrics.watch('gatehouse_sqlite_bytes', { file: 'database' }, sizeOf(path))
  metrics.watch('gatehouse_sqlite_bytes', { file: 'wal' }, sizeOf(`${path}-wal`))
  for (const state of ['reading', 'waiting'] as const)
    metrics.watch('gatehouse_sqlite_readings', { state }, () => threads.counts[state])
  return engine
}
