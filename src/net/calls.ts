import { lookup as dnsLookup } from 'node:dns'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { codeOf } from '../core/error-code.ts'
import { AppError } from '../core/errors.ts'
import { hostOf, isPublic, Policy } from './policy.ts'

// By its name it would be looked at whole, and Node would load its own fetch with it: see http/connections/unread.ts.
const { Agent: HttpAgent, request: httpRequest } = process.getBuiltinModule('node:http')

/**
 * Everything we ask of other machines (keys of token issuers, single sign-on, webhooks) goes through here. A name is
 * resolved once, the addresses are checked, and the connection is made to a checked one: what the name means a moment
 * later does not matter. Redirects are never followed, since each would be a new target.
 */
export type Call = (url: string | URL, asked?: Asked) => Promise<Answer>

/** How far a call may go. */
export interface Bounds {
  /** From the first look-up to the last byte. */
  timeoutMs?: number | undefined
  maxBytes?: number | undefined
  /** Of a longer answer the beginning is enough: what comes after `maxBytes` is not read, and no fault. */
  isCut?: boolean | undefined
  /** Sent again where a connection that was kept turns out to be closed: only for what may arrive twice. */
  isRepeatable?: boolean | undefined
  signal?: AbortSignal | null | undefined
}

interface Asked extends Bounds {
  method?: string
  headers?: Record<string, string>
  body?: Buffer | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headersDistinct']
  readonly content: Buffer<ArrayBuffer>
}

export type Resolve = (name: string) => Promise<readonly string[]>

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024

const unreachable = (msg: string, reason: string, cause?: unknown) =>
  new AppError('SYSTEM_UNREACHABLE', msg, cause === undefined ? { reason } : { reason, cause })

/** `allow`: addresses, networks and host names that may be called although they are not public, and by plain HTTP. */
export function createCalls(allow: readonly string[] = [], resolve: Resolve = resolveAll): Call {
  const policy = new Policy(allow)
  const agents: Agents = { 'http:': new CheckedHttp(KEPT), 'https:': new CheckedHttps(KEPT) }

  const checked = async (target: URL): Promise<readonly string[]> => {
    const name = hostOf(target)
    const all = isIP(name) === 0 ? await resolve(name) : [name]
    const good = all.filter((address) => policy.permits(target, address))
    if (good.length > 0) return good
    const what = all.some(isPublic) ? 'is not reached by HTTPS' : 'has no public address'
    throw unreachable(`${name} ${what}; OUTGOING_ALLOW can permit it`, 'outgoing.refused')
  }

  return async (url, { timeoutMs = TIMEOUT_MS, signal, ...asked } = {}) => {
    const target = targetOf(url)
    const timeout = AbortSignal.timeout(timeoutMs)
    const ended = signal ? AbortSignal.any([signal, timeout]) : timeout
    try {
      const addresses = await unless(ended, checked(target))
      return await send(target, asked, { addresses, signal: ended, agents })
    } catch (error) {
      if (error instanceof AppError) throw error
      if (timeout.aborted)
        throw new AppError('SYSTEM_TIMEOUT', `${target.host} did not answer in time`, { cause: error })
      if (signal?.aborted) throw signal.reason
      throw unreachable(`${target.host} cannot be reached`, 'outgoing.failed', error)
    }
  }
}

function targetOf(url: string | URL): URL {
  const target = new URL(url)
  if (!/^https?:$/.test(target.protocol))
    throw unreachable('Only HTTPS is spoken with other machines', 'outgoing.refused')
  if (target.username || target.password)
    throw unreachable('An address with a password in it is not called', 'outgoing.refused')
  return target
}

/** So many connections are kept for a receiver, and for so long without use. */
const KEPT = { keepAlive: true, maxFreeSockets: 2, timeout: 10_000 }

interface Checked extends RequestOptions {
  /** The addresses that were checked for this very call. */
  addresses: readonly string[]
}

/**
 * A kept connection is one to the same addresses as are checked now: what a name means is looked up before every call
 * all the same.
 */
const nameWith = (name: string, options: unknown): string =>
  `${name}:${(options as Checked).addresses.toSorted().join()}`

class CheckedHttp extends HttpAgent {
  override getName(options?: object): string {
    return nameWith(super.getName(options), options)
  }
}

class CheckedHttps extends HttpsAgent {
  override getName(options?: object): string {
    return nameWith(super.getName(options), options)
  }
}

type Agents = Record<string, InstanceType<typeof HttpAgent>>

interface Way {
  addresses: readonly string[]
  signal: AbortSignal
  /** Of the connections that are kept. */
  agents: Agents
}

async function send(target: URL, asked: Omit<Asked, 'timeoutMs' | 'signal'>, way: Way): Promise<Answer> {
  const { method = 'GET', body, maxBytes = MAX_BYTES, isCut = false, isRepeatable = false } = asked
  const { addresses, signal, agents } = way
  const headers: Record<string, string> = { 'user-agent': 'Gatehouse', ...asked.headers }
  if (body) headers['content-length'] = String(body.length)
  const agent = (isRepeatable && agents[target.protocol]) || false
  const options: Checked = { method, headers, signal, agent, lookup: only(addresses), addresses }
  const make = target.protocol === 'https:' ? httpsRequest : httpRequest
  const answer = await answered(() => make(target, options), body)
  const content = await readUpTo(answer, maxBytes, isCut)
  return { status: answer.statusCode ?? 0, headers: answer.headersDistinct, content }
}

/**
 * Whoever ends a connection that rests does not know that we are about to use it (RFC 9112, 9.3.1): then by the next
 * one.
 */
async function answered(make: () => ClientRequest, body: Buffer | undefined): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const call = make()
  // Whoever is answered by another protocol than was asked for (101) is answered by nothing.
  const unanswered = () => reject(new Error('the connection ended without an answer'))
  call.on('response', resolve).on('error', reject).on('close', unanswered).end(body)
  try {
    return await promise
  } catch (error) {
    if (call.reusedSocket && CLOSED.has(codeOf(error) ?? '')) return answered(make, body)
    throw error
  }
}
const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE'])

/** Whoever stops reading ends the connection: nothing more is waited for. */
async function readUpTo(answer: IncomingMessage, maxBytes: number, isCut: boolean): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    chunks.push(chunk)
    size += chunk.length
    if (size <= maxBytes) continue
    if (isCut) break
    throw unreachable(`The answer is larger than ${maxBytes} bytes`, 'outgoing.too_large')
  }
  return Buffer.concat(chunks, Math.min(size, maxBytes))
}

/** In place of a look-up: the addresses that were checked and no others. */
const only =
  (addresses: readonly string[]): LookupFunction =>
  (_name, options, callback) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }))
    const first = all[0] as { address: string; family: number }
    if (options.all) callback(null, all)
    else callback(null, first.address, first.family)
  }

function resolveAll(name: string): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>()
  dnsLookup(name, { all: true, verbatim: true }, (error, found) =>
    error ? reject(error) : resolve(found.map(({ address }) => address)),
  )
  return promise
}

/** What a look-up has no way of being told: nobody waits for it any longer. */
function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}
