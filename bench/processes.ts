import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'

const main = new URL('../src/main.ts', import.meta.url).pathname

/** Runs a command of ours to its end and gives what it printed. */
export async function gatehouse(args: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  const code = await ended(child)
  if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${code}`)
  return printed.trim()
}

export const ended = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.once('exit', resolve))

export interface Server {
  url: string
  readyMs: number
  rss(): Promise<number>
  stop(): Promise<void>
}

/** Starts a real server process and waits until it answers. */
export async function startServer(script: string[], env: Record<string, string>, probe: string): Promise<Server> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, script, {
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(url + probe))) {
    if (child.exitCode !== null) throw new Error(`${script.join(' ')} ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return {
    url,
    readyMs: performance.now() - started,
    rss: async () => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024,
    stop: async () => {
      const exit = ended(child)
      child.kill('SIGTERM')
      await exit
    },
  }
}

export const serveGatehouse = (env: Record<string, string>): Promise<Server> => startServer([main, 'serve'], env, '/readyz')

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  )

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
