import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, vi } from 'vitest'
import { commandLine, withDatabase } from '../../src/cli/database.ts'
import { readConfig } from '../../src/config.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { createOrganization } from '../../src/identity/organizations.ts'
import { createToken } from '../../src/identity/tokens/issue.ts'
import { atEnd } from '../support/at-end.ts'
import { createDatabase } from '../support/postgres.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export type Env = Record<string, string>

/**
 * Nothing that the developer or the test runner has set configures the service, and none of many starts builds the
 * portal.
 */
export const surroundings: Env = {
  PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
  HOME: process.env.HOME ?? '/',
  PORTAL: 'off',
  // As src/launch.sh has it.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/gatehouse'),
}

/** A folder of its own, and on PostgreSQL a database of its own, as environment variables: nothing is in them. */
export async function freshHouse(template?: string): Promise<Env> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-cli-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  if (process.env.ENGINE !== 'postgres') return { DATA_DIR: folder }
  const { url, drop } = await createDatabase(inject('postgresUrl'), template)
  atEnd(drop)
  return { DATA_DIR: folder, DATABASE_URL: url }
}

/** The same with today's schema, for what is not about the first start. */
export async function migratedHouse(): Promise<Env> {
  if (process.env.ENGINE === 'postgres') return freshHouse(inject('migratedDatabase'))
  const env = await freshHouse()
  await copyFile(inject('migratedFile'), join(env.DATA_DIR as string, 'gatehouse.db'))
  return env
}

/** A copy of one that nothing runs on. */
export async function copyOf(env: Env): Promise<Env> {
  const copy = await freshHouse(env.DATABASE_URL && new URL(env.DATABASE_URL).pathname.slice(1))
  await cp(env.DATA_DIR as string, copy.DATA_DIR as string, { recursive: true })
  return copy
}

export interface Ended {
  code: number | null
  out: string
  err: string
}

interface Child {
  process: ChildProcess
  out(): string
  err(): string
  ended: Promise<Ended>
}

/** `input`: what it finds on standard input; nothing unless given. */
export function start(args: readonly string[], env: Env, input?: string): Child {
  const child = spawn(process.execPath, [join(root, 'src/main.ts'), ...args], {
    cwd: root,
    env: { ...surroundings, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(input)
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, out, err })))
  return { process: child, out: () => out, err: () => err, ended }
}

/** Runs a command to its end. */
export const gatehouse = (args: readonly string[], env: Env = {}, input?: string): Promise<Ended> =>
  start(args, env, input).ended

export interface Serving extends Child {
  address: string
  signal(name: NodeJS.Signals): void
}

/** A serving process that has said it is ready, on a port of its own. */
export async function serve(args: readonly string[], env: Env): Promise<Serving> {
  const child = start(['serve', ...args], { PORT: '0', ...env })
  atEnd(async () => {
    child.process.kill('SIGKILL')
    await child.ended
  })
  let isOver = false
  void child.ended.then(() => {
    isOver = true
  })
  await vi.waitUntil(() => isOver || /is ready at \S+\n/.test(child.err()), { timeout: 20_000, interval: 10 })
  const [, address] = /is ready at (\S+)\n/.exec(child.err()) ?? []
  if (!address) throw new Error(`it ended: ${child.err()}`)
  return { ...child, address, signal: (name) => void child.process.kill(name) }
}

/**
 * Makes an organization and gives a token with the role, as `organization create` and `token create` do, without a
 * process for each.
 */
export const tokenFor = (env: Env, role = 'Owner', organization = 'Test'): Promise<string> =>
  withDatabase(readConfig(env), async (engine) => {
    await createOrganization(engine, systemClock.now(), commandLine, organization)
    return (await createToken(engine, systemClock.now(), commandLine, { organization, role })).value
  })
