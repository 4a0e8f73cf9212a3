import { hash } from 'node:crypto'
import pg from 'pg'
import { holdRow, numberAndTell } from '../along/numbering.ts'
import type { Dialect, Engine, RecordType, Ride, Session } from '../engine.ts'
import { Hearers } from '../kept/hearers.ts'
import type { Known } from '../kept/reads.ts'
import { catchUp, isBehind, OrgVersions, VERSIONS_SINCE, type VersionRow } from '../kept/versions.ts'
import { type Metrics, metricsOf } from '../metrics.ts'
import { raw, sql } from '../sql.ts'
import { OwnThreads } from '../threads/own-threads.ts'
import { tryWriting } from '../try-writing.ts'
import { Turns } from '../turns/turns.ts'
import { type Budget, hurried, unhurried } from './budgets.ts'
import type { Cancel } from './connection.ts'
import { isUnwritable, translate } from './errors.ts'
import { Heads } from './heads.ts'
import { type Ask, createRespite, Lane, type Send } from './lane.ts'
import { announcement, newsOfFeed, VersionListener } from './listener.ts'

// Rows are the same on both engines: timestamps as RFC 3339 text, dates as text, 64-bit counts as numbers.
const types = new pg.TypeOverrides()
types.setTypeParser(1184, instantOf)
types.setTypeParser(1082, (text) => text)
types.setTypeParser(20, Number)
types.setTypeParser(1700, Number)

/**
 * The server speaks in UTC (budgets.ts): `2026-05-04 08:30:00.25+00`. Written anew it takes a tenth of the time of
 * reading it as a date.
 */
function instantOf(text: string): string {
  if (text.length < 22 || text[10] !== ' ' || !text.endsWith('+00')) return new Date(text).toISOString()
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`
}

/**
 * Statement names, so that a text is parsed and planned once per connection. A connection keeps what it was given a
 * name for as long as it lives, and callers can ask in more shapes than anybody could keep: only a text that comes
 * again gets one, and only so many do.
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

function session(ask: Ask, send?: Send): Session {
  const query = async (text: string, values: unknown[], signal?: AbortSignal) => {
    try {
      return await ask({ ...named(text), values, types }, signal)
    } catch (error) {
      throw translate(error)
    }
  }
  return {
    all: async <_Row>(text: string, values: unknown[], signal?: AbortSignal) =>
      (await query(text, values, signal)).rows,
    run: async (text, values) => (await query(text, values)).rowCount ?? 0,
    send: async (text, values) => (send ? send({ ...named(text), values, types }) : query(text, values)),
    // Without a name and values: the simple protocol, which takes several statements at once.
    script: async (text) => {
      await ask({ text }, undefined)
    },
  }
}

const recordTypes: Record<RecordType, string> = {
  uuid: 'uuid',
  text: 'text collate "C"',
  integer: 'integer',
  bigint: 'bigint',
  boolean: 'boolean',
  timestamp: 'timestamptz(3)',
}

const dialect = (lowerCollation: string): Dialect => ({
  name: 'postgres',
  rowsAtOnce: 100,
  lowerCollation,
  inList: (column, values, type) =>
    sql`${raw(column)} = any(${Array.isArray(values) ? values : [...values]}::${raw(type)}[])`,
  ids: (values, alias) => {
    const each = [...new Set(values)]
    const [only] = each
    // Of a list PostgreSQL does not know how long it will be: it would plan anew each time rather than trust to it.
    return each.length === 1
      ? sql`(select ${only}::uuid as id) ${raw(alias)}`
      : sql`unnest(${each}::uuid[]) as ${raw(`${alias}(id)`)}`
  },
  records: (rows, alias, columns) => {
    const list = Object.entries(columns).map(([name, type]) => `${name} ${recordTypes[type]}`)
    return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ${raw(`${alias}(${list.join(', ')})`)}`
  },
  checkLate: async (session) => {
    await session.send('set constraints all immediate', [])
    await session.run('set constraints all deferred', [])
  },
  tryLock: async (session, key) => {
    const [row] = await session.all<{ locked: boolean }>(
      'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked',
      [key],
    )
    return row?.locked ?? false
  },
})

interface PostgresOptions {
  poolSize: number
  onError: (error: Error) => void
  /** Nobody waits for an answer: a command. */
  isUnhurried?: boolean
}

/** What may take its time has connections of its own, and so has what must get through at any time. */
const UNHURRIED_SIZE = 3
const STEERING_SIZE = 1

/**
 * Changes take at most half of the connections: the others are kept for reading and for logins. One writes and, where
 * there is room, the next of its organization stands ready: then nothing is lost between two.
 */
function writersOf(poolSize: number): Turns<Ride> {
  const atOnce = Math.max(1, Math.floor(poolSize / 2))
  return new Turns(atOnce, atOnce < 4 ? 1 : 2)
}

export async function openPostgres(
  url: string,
  { poolSize, onError, isUnhurried = false }: PostgresOptions,
): Promise<Engine> {
  const unlessRefused = createRespite()
  const onCommitted = (started: number) => metricsOf(engine).observe('gatehouse_db_commit_seconds', started)
  const open = (max: number, budget: Budget, cancel: Cancel) =>
    new Lane({ url, max, budget, onError, cancel, unlessRefused, onCommitted })
  const steering = open(STEERING_SIZE, hurried, async () => false)
  const steer = session((query, signal) => steering.ask(query, signal))
  const cancel: Cancel = (backend) =>
    steer.all('select pg_cancel_backend($1)', [backend]).then(
      () => true,
      () => false,
    )
  const slow = open(UNHURRIED_SIZE, unhurried, cancel)
  const quick = isUnhurried ? slow : open(poolSize, hurried, cancel)
  const reader = session((query, signal) => quick.ask(query, signal))
  const lowerCollation = await chooseLowerCollation(reader)
  const hearers = new Hearers()
  const listener = new VersionListener(url, onError, hearers.tell)

  const askVersions = async (org: number): Promise<OrgVersions> => {
    const { era } = listener
    const versions = catchUp(new OrgVersions(), await reader.all<VersionRow>(VERSIONS_SINCE, [org, 0, 0]))
    listener.learn(org, versions, era)
    return versions
  }

  /** What is told says which rows were written, too. */
  const hearOrAsk = async (org: number, atLeast: Known): Promise<OrgVersions> =>
    (await listener.reach(org, atLeast)) ?? askVersions(org)

  const heads = new Heads(reader)
  const own = new OwnThreads({ kind: 'postgres', url })

  /** A write has failed for the server's own sake; only one that succeeds says otherwise. */
  let isDoubted = false

  const engine: Engine = {
    dialect: dialect(lowerCollation),
    reader,
    unhurried: session((query, signal) => slow.ask(query, signal)),
    writers: writersOf(poolSize),
    async transaction(work, { signal, isUnhurried = false } = {}) {
      try {
        return await (isUnhurried ? slow : quick).transaction((ask, send) => work(session(ask, send)), signal)
      } catch (error) {
        if (isUnwritable(error)) isDoubted = true
        throw error
      }
    },
    // Without a promise where none is needed: most of them have been heard.
    versions(org, atLeast) {
      const heard = listener.get(org)
      if (heard && !isBehind(heard, atLeast)) return heard
      const asked = heard && atLeast ? hearOrAsk(org, atLeast) : askVersions(org)
      // Whoever wants what is known at once, and nothing else, does not wait for it: a failure would end the process.
      asked.catch(() => undefined)
      return asked
    },
    latest: (org) => (listener.get(org) ? heads.of(org).then((head) => engine.versions(org, head)) : askVersions(org)),
    told: (org, atLeast) => listener.reach(org, atLeast),
    hold: holdRow,
    number: async (active, head, changes) => {
      const notices = changes.map((change) => announcement(head.key, change))
      await numberAndTell(active, head, changes, notices)
    },
    announce: async (active, org, change) => {
      await active.send('select pg_notify($1, $2)', announcement(org, change))
    },
    committed: (org, change) => listener.hear(org, change),
    hearers,
    tell: async (org, feed) => {
      await reader.all('select pg_notify($1, $2)', newsOfFeed(org, feed))
    },
    startThread: (module) => own.start(module),
    ping: async () => {
      await steer.all('select 1 as one', [])
      if (!isDoubted) return
      await steering.transaction((ask) => tryWriting(session(ask)), undefined)
      isDoubted = false
    },
    close: async () => {
      await own.end()
      await listener.close()
      for (const lane of new Set([quick, slow, steering])) await lane.close()
    },
  }
  watch(metricsOf(engine), { requests: quick, unhurried: slow, steering }, listener)
  return engine
}

function watch(metrics: Metrics, lanes: Record<string, Lane>, listener: VersionListener): void {
  for (const [lane, pool] of Object.entries(lanes)) {
    metrics.watch('gatehouse_db_connections_limit', { lane }, () => pool.counts.limit)
    for (const state of ['used', 'idle', 'waiting'] as const)
      metrics.watch('gatehouse_db_connections', { lane, state }, () => pool.counts[state])
  }
  metrics.watch('gatehouse_db_listener_connected', {}, () => (listener.isHeard ? 1 : 0))
}

/** Lower case by Unicode's rules whatever the database's own locale is. */
async function chooseLowerCollation(reader: Session): Promise<string> {
  const rows = await reader.all<{ collname: string }>(
    `select collname from pg_collation where collname in ('pg_c_utf8', 'und-x-icu', 'C.utf8')
      and collencoding in (-1, 6)
     order by case collname when 'pg_c_utf8' then 1 when 'und-x-icu' then 2 else 3 end`,
    [],
  )
  return `"${rows[0]?.collname ?? 'default'}"`
}
