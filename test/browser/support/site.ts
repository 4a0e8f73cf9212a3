import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../support/free-port.ts'
import { startServer } from '../../support/processes.ts'

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
const WAIT_MS = 60_000

export interface Site {
  /** By name, not by number: browsers make passkeys for names only. */
  readonly url: string
  /** Everything the service has printed. */
  output(): string
  /** Waits until the service has printed it, and gives what the expression's groups found. */
  printed(expression: RegExp): Promise<string[]>
  stop(): Promise<void>
}

export interface DemoSite extends Site {
  readonly email: string
  readonly password: string
  readonly token: string
}

type Settings = Record<string, string>

/**
 * The real service on an empty database, with the portal. What others must know of it first (where to send people back
 * to) is its address.
 */
export function startSite(env: Settings | ((url: string) => Promise<Settings>) = {}): Promise<Site> {
  return start([], typeof env === 'function' ? env : async () => env)
}

/**
 * The same with the demo organization, and the login and the token that were printed. It is a copy of one that is
 * filled, if there is one.
 */
export async function startDemoSite(env: Settings = {}): Promise<DemoSite> {
  const site = await start(['--demo'], async () => env, process.env.FILLED_DEMO)
  const [token = ''] = await site.printed(/^ {2}(acs_pat_\S+)$/m)
  const [email = '', password = ''] = await site.printed(/^ {2}(demo@example\.com) {2}(\S+)$/m)
  return { ...site, email, password, token }
}

async function start(args: string[], settingsFor: (url: string) => Promise<Settings>, filled?: string): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-browser-'))
  if (filled) await cp(filled, folder, { recursive: true })
  const port = await freePort()
  const url = `http://localhost:${port}`
  const server = await startServer({
    script: [main, 'serve', ...args],
    env: { DATA_DIR: folder, BASE_URL: url, PORTAL: 'on', ...(await settingsFor(url)) },
    probe: '/readyz',
    port,
  })
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  const printed = async (expression: RegExp) => {
    for (const end = Date.now() + WAIT_MS; Date.now() < end; await delay(20)) {
      const found = expression.exec(server.output())
      if (found) return found.slice(1)
    }
    throw new Error(`It did not print ${expression}:\n${server.output()}`)
  }
  return { url, output: server.output, printed, stop }
}

/** The link that an empty service prints. */
export async function setupLink(site: Site): Promise<string> {
  const [link = ''] = await site.printed(/^\s*(http:\S+\/setup#[\w-]{43})$/m)
  return link
}
