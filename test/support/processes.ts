import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { startGuard } from './guard.ts'

const main = new URL('../../src/main.ts', import.meta.url).pathname
/** What everybody starts Node by: with all that it sets for Node and the C library. */
const launch = new URL('../../src/launch.sh', import.meta.url).pathname
const START_MS = 60_000
const KEPT_OUTPUT = 200_000

/**
 * Nothing that would configure the service: what a test runner or a developer has set does not reach it. None of many
 * starts builds the portal.
 */
const surroundings = {
  ...Object.fromEntries(['PATH', 'HOME', 'TMPDIR', 'TZ'].map((name) => [name, process.env[name]])),
  PORTAL: 'off',
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

const ended = (child: ChildProcess): Promise<Exit> =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))

/** Runs a command of ours to its end and gives what it printed. `entry`: that of another checkout. */
export async function gatehouse(args: string[], env: Record<string, string>, entry = main): Promise<string> {
  const child = spawn('sh', [launch, entry, ...args], {
    env: { ...surroundings, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const guard = startGuard()
  guard.watch(child.pid)
  const output = keepOutput(child)
  const { code, signal } = await ended(child)
  guard.watch(undefined)
  await guard.release()
  if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${code ?? signal}:\n${output.all()}`)
  return output.out().trim()
}

export interface Server {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** From the start of the process to its first good answer. */
  readonly readyMs: number
  /** Resolves when the process has ended, however it ended. */
  readonly exit: Promise<Exit>
  isRunning(): boolean
  /** The end of what it printed. */
  output(): string
  rss(): Promise<number>
  signal(name: NodeJS.Signals): void
  /** kill -9, unless it has ended already. */
  kill(): Promise<Exit>
  stop(): Promise<Exit>
}

interface Start {
  /** Arguments for node. */
  script: readonly string[]
  env?: Record<string, string>
  /** The path that answers with success once it is ready. */
  probe: string
  port?: number
  /** What all of it is started through: `['bash', '-c', 'ulimit …; exec "$@"', '-']`. */
  through?: readonly string[]
}

/** Starts a real server process and waits until it answers. It ends with this process, however this one ends. */
export async function startServer({ script, env = {}, probe, port: wanted, through = [] }: Start): Promise<Server> {
  const port = wanted ?? (await freePort())
  const started = performance.now()
  const [command = '', ...args] = [...through, 'sh', launch, ...script]
  const child = spawn(command, args, {
    env: { ...surroundings, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const guard = startGuard()
  guard.watch(child.pid)
  const output = keepOutput(child)
  let isRunning = true
  const exit = ended(child).then(async (how) => {
    isRunning = false
    guard.watch(undefined)
    await guard.release()
    return how
  })
  const signal = (name: NodeJS.Signals) => void (isRunning && child.kill(name))
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(url + probe))) {
    const isLate = performance.now() - started > START_MS
    if (isLate) signal('SIGKILL')
    if (isLate || !isRunning) {
      const { code, signal: by } = await exit
      throw new Error(
        `${script.join(' ')} ${isLate ? 'was not ready in time' : `ended with ${code ?? by}`}:\n${output.all()}`,
      )
    }
    await delay(5)
  }
  return {
    url,
    port,
    pid: child.pid as number,
    readyMs: performance.now() - started,
    exit,
    isRunning: () => isRunning,
    output: output.all,
    rss: async () =>
      Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024,
    signal,
    kill: () => {
      signal('SIGKILL')
      return exit
    },
    stop: () => {
      signal('SIGTERM')
      return exit
    },
  }
}

type ServeOptions = Pick<Start, 'port' | 'through'> & { entry?: string }

export const serveGatehouse = (
  env: Record<string, string>,
  { entry = main, ...options }: ServeOptions = {},
): Promise<Server> => startServer({ script: [entry, 'serve'], env, probe: '/readyz', ...options })

function keepOutput(child: ChildProcess): { out: () => string; all: () => string } {
  let out = ''
  let all = ''
  child.stdout?.on('data', (chunk) => {
    out += chunk
    if (out.length > KEPT_OUTPUT) out = out.slice(-KEPT_OUTPUT)
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      all += chunk
      if (all.length > KEPT_OUTPUT) all = all.slice(-KEPT_OUTPUT)
    })
  }
  return { out: () => out, all: () => all }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (response) => {
      await response.body?.cancel()
      return response.ok
    },
    () => false,
  )
