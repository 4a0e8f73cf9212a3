import { type ErrorBody, errorOf, GatehouseError, UnreachableError } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>

export interface ClientOptions {
  /** Where the service is, such as `https://gatehouse.example`; in a page of its own origin, nothing. */
  server?: string
  /**
   * A personal access token or an access token of OAuth; a function is asked before every request. Without: the
   * session's cookie.
   */
  token?: string | (() => string | Promise<string>)
  /** How often a request that may have been lost is sent again; 4 unless said. */
  retries?: number
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>
  fetch?: typeof fetch
  /** Waits; for tests. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}

export interface RequestOptions {
  query?: Query | undefined
  /** Goes out as JSON; a form as it is; text and bytes as they are, with a `contentType`. */
  body?: unknown
  contentType?: string | undefined
  /** Refused with 412 when the item has changed since. */
  etag?: string | undefined
  /** A POST has one of its own unless said; null: none, where the service takes none. */
  idempotencyKey?: string | null | undefined
  headers?: Readonly<Record<string, string>> | undefined
  signal?: AbortSignal | undefined
  retries?: number | undefined
}

export interface Answer<T = unknown, M = unknown> {
  data: T
  msg: string
  meta: M
  status: number
  etag: string | undefined
  /** The path of what was made. */
  location: string | undefined
  /** The path of the next page, where there is one. */
  next: string | undefined
}

export interface Page<T, M = unknown> {
  items: T[]
  meta: M
  /** Where to go on from, also later and elsewhere: `pages` takes it as `from`. Undefined: it was the last. */
  next: string | undefined
}

interface Envelope<T, M> {
  data?: T
  msg?: string
  meta?: M
}

const LONGEST_WAIT_MS = 60_000

/** Sends requests, again where that is safe, and gives every refusal as an error of its class. */
export class Transport {
  readonly server: string
  private readonly options: ClientOptions
  /** What was written last is in what is read next, whichever process of the service answers. */
  private dataVersion: string | undefined

  constructor(options: ClientOptions) {
    this.options = options
    this.server = (options.server ?? '').replace(/\/+$/, '')
  }

  async request<T = unknown, M = unknown>(
    method: Method,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer<T, M>> {
    const response = await this.send(method, path, options)
    const body = (await response.json().catch(() => undefined)) as Envelope<T, M> | undefined
    return {
      data: body?.data as T,
      msg: body?.msg ?? '',
      meta: body?.meta as M,
      status: response.status,
      etag: response.headers.get('etag') ?? undefined,
      location: response.headers.get('location') ?? undefined,
      next: nextOf(response.headers.get('link')),
    }
  }

  /** The answer as it comes: for files and streams. A refusal is thrown. */
  async send(method: Method, path: string, options: RequestOptions = {}): Promise<Response> {
    const key =
      method === 'POST'
        ? options.idempotencyKey === undefined
          ? newKey()
          : (options.idempotencyKey ?? undefined)
        : undefined
    const canRepeat =
      method === 'GET' || method === 'PUT' || key !== undefined || (method === 'PATCH' && options.etag === undefined)
    const retries = options.retries ?? this.options.retries ?? 4
    for (let tries = 0; ; tries++) {
      try {
        return await this.once(method, path, options, key)
      } catch (error) {
        if (!(error instanceof GatehouseError) || tries >= retries || !isWorthRepeating(error, canRepeat)) throw error
        await this.wait(waitMs(error, tries), options.signal)
      }
    }
  }

  /** Any list, page after page: what `pages` does, for a path that is known at run time alone. */
  async *walk<T = unknown, M = unknown>(
    path: string,
    { from, ...options }: RequestOptions & { from?: string } = {},
  ): AsyncGenerator<Page<T, M>> {
    let answer = await (from === undefined
      ? this.firstPage<T, M>(path, options)
      : this.request<T[], M>('GET', from, { ...options, query: {} }))
    for (;;) {
      yield { items: answer.data, meta: answer.meta, next: answer.next }
      if (answer.next === undefined) return
      answer = await this.request<T[], M>('GET', answer.next, { ...options, query: {} })
    }
  }

  /** By cursor, unless a page is asked for; the two lists that have none go by pages. */
  private async firstPage<T, M>(path: string, options: RequestOptions): Promise<Answer<T[], M>> {
    const query: Query = { limit: 100, ...options.query }
    if (query.page !== undefined) return this.request('GET', path, { ...options, query })
    try {
      return await this.request('GET', path, { ...options, query: { cursor: '', ...query } })
    } catch (error) {
      const isNotOffered =
        error instanceof GatehouseError && error.reason === 'param.unknown' && error.message.includes('cursor')
      if (!isNotOffered) throw error
      return this.request('GET', path, { ...options, query })
    }
  }

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return (this.options.sleep ?? sleep)(ms, signal)
  }

  private async once(
    method: Method,
    path: string,
    options: RequestOptions,
    key: string | undefined,
  ): Promise<Response> {
    const { body, contentType = 'application/json', etag, signal } = options
    const headers: Record<string, string> = { accept: 'application/json', ...this.options.headers, ...options.headers }
    const token = typeof this.options.token === 'function' ? await this.options.token() : this.options.token
    if (token !== undefined) headers.authorization = `${token.startsWith('acs_pat_') ? 'Token' : 'Bearer'} ${token}`
    const isForm = body instanceof FormData
    if (body !== undefined && !isForm) headers['content-type'] = contentType
    if (etag !== undefined) headers['if-match'] = etag
    if (key !== undefined) headers['idempotency-key'] = key
    if (this.dataVersion !== undefined && headers['data-version'] === undefined)
      headers['data-version'] = this.dataVersion
    const ask = this.options.fetch ?? fetch
    const response = await ask(`${this.server}${path}${queryText(path, options.query)}`, {
      method,
      headers,
      ...(token === undefined ? { credentials: 'same-origin' as const } : {}),
      ...(body === undefined
        ? {}
        : {
            body:
              contentType === 'application/json' && !isForm
                ? JSON.stringify(body)
                : (body as FormData | string | Uint8Array<ArrayBuffer>),
          }),
      ...(signal ? { signal } : {}),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw new UnreachableError(error)
    })
    this.dataVersion = response.headers.get('data-version') ?? this.dataVersion
    if (response.ok || response.status === 304) return response
    throw errorOf(response, (await response.json().catch(() => undefined)) as ErrorBody | undefined)
  }
}

/** Too early is always tried again; what may have been carried out only where twice is the same as once. */
function isWorthRepeating({ status, code }: GatehouseError, canRepeat: boolean): boolean {
  if (status === 429) return true
  return (
    canRepeat &&
    (status === 0 || status === 502 || status === 503 || status === 504 || code === 'IDEMPOTENCY_IN_PROGRESS')
  )
}

/** As long as the service asks for; else twice as long each time, and not all callers at once. */
function waitMs({ retryAfterSeconds }: GatehouseError, tries: number): number {
  if (retryAfterSeconds !== undefined) return Math.min(retryAfterSeconds * 1000, LONGEST_WAIT_MS)
  return Math.min(250 * 2 ** tries, 10_000) * (0.5 + Math.random() / 2)
}

function queryText(path: string, query: Query | undefined): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [value].flat().map((one) => [name, String(one)] as [string, string]),
  )
  return pairs.length === 0 ? '' : `${path.includes('?') ? '&' : '?'}${new URLSearchParams(pairs)}`
}

/** The path that `Link` names as the next (RFC 8288). */
function nextOf(link: string | null): string | undefined {
  for (const part of link?.split(/,(?=\s*<)/) ?? []) {
    const [, target, rest] = /^\s*<([^>]*)>(.*)$/.exec(part) ?? []
    if (target !== undefined && /;\s*rel="?next"?/.test(rest ?? '')) return target
  }
  return undefined
}

/** `crypto.randomUUID` is missing in pages that are reached without TLS. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
