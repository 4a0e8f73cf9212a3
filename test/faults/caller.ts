import { Agent, request as httpRequest } from 'node:http'

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
type Json = any

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Json
}

/** A request that got no answer; the cause says why. */
export class NoAnswer extends Error {
  /** It went over a connection that had served another request before. */
  readonly isReused: boolean

  constructor(message: string, cause: Error, isReused: boolean) {
    super(message, { cause })
    this.isReused = isReused
  }
}

/** Nothing of ours may take longer than this, whatever goes wrong. */
const PATIENCE_MS = 20_000

/**
 * One caller with connections of its own that are kept alive, as integrations do it. Nothing is retried behind its
 * back.
 */
export class Caller {
  /** The local end of the connection that was used last: the same port, the same connection. */
  localPort: number | undefined
  private readonly agent: Agent
  private readonly url: string
  private readonly token: string

  constructor(url: string, token: string, connections = 64) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections })
    this.url = url
    this.token = token
  }

  call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const content: Record<string, string> = payload === undefined ? {} : { 'content-type': 'application/json' }
    return new Promise((resolve, reject) => {
      const request = httpRequest(this.url + path, {
        method,
        agent: this.agent,
        headers: { authorization: `Token ${this.token}`, ...content, ...headers },
      })
      const timer = setTimeout(() => request.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS)
      const fail = (error: Error) => {
        clearTimeout(timer)
        reject(new NoAnswer(`${method} ${path}: ${error.message}`, error, request.reusedSocket))
      }
      request.on('error', fail)
      request.on('response', (response) => {
        this.localPort = response.socket.localPort
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('error', fail)
        response.on('end', () => {
          clearTimeout(timer)
          const text = Buffer.concat(chunks).toString()
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text.startsWith('{') ? JSON.parse(text) : text,
          })
        })
      })
      request.end(payload)
    })
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.call('GET', path, undefined, headers)
  }

  /** A creation that may be repeated: the key makes it the same one. */
  create(path: string, body: unknown, key: string): Promise<Answer> {
    return this.call('POST', path, body, { 'idempotency-key': key })
  }

  close(): void {
    this.agent.destroy()
  }
}
