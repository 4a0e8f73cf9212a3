import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { codeOf } from '../../core/error-code.ts'
import { CommandError } from '../command.ts'

/**
 * PORT=0 asks for any free port. It is chosen before the app is built, because addresses that the app gives out contain
 * it.
 */
export async function settlePort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const port = await freePort(config.host)
  const settle = (url: string) => url.replace(/:0$/, `:${port}`)
  return { ...config, port, baseUrl: settle(config.baseUrl), docsUrl: settle(config.docsUrl) }
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw cannotListen(host, 0, error)
  }
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/**
 * So many connections wait to be taken while we are busy, as far as the system lets them: after a restart all devices
 * come back at once. Whoever comes on top is not told, and tries again by itself after seconds.
 */
const BACKLOG = 4096

export async function listen(app: FastifyInstance, { host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  try {
    await app.listen({ host, port, backlog: BACKLOG, listenTextResolver: () => 'listening' })
  } catch (error) {
    throw cannotListen(host, port, error)
  }
}

/** Where this machine reaches the service, whatever address the world knows it by. */
export function localAddress({ host, port }: Config): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

function cannotListen(host: string, port: number, error: unknown): CommandError {
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (code === 'EADDRINUSE')
    return new CommandError(`Port ${port} of ${host} is in use already; set PORT to another.`, { cause: error })
  if (code === 'EACCES')
    return new CommandError(`This user may not listen on port ${port}; set PORT to one above 1023.`, { cause: error })
  return new CommandError(`Cannot listen on ${host}, port ${port} (HOST, PORT): ${message}`, { cause: error })
}
