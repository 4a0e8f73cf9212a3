/** The one way to the API: JSON, ETags, a key that makes a repeated POST harmless, and every refusal as an `ApiError`. */

export interface Fault {
  path: string
  rule: string
  message: string
}

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly reason: string | undefined
  readonly faults: readonly Fault[]
  readonly reqId: string | undefined
  /** How long to wait, where the service says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, more: Partial<Omit<ApiError, 'message' | 'name'>> = {}) {
    super(message)
    this.status = more.status ?? 0
    this.code = more.code ?? 'UNREACHABLE'
    this.reason = more.reason
    this.faults = more.faults ?? []
    this.reqId = more.reqId
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

/** Why the service refused, where it says so. */
export const reasonOf = (error: unknown): string | undefined => (error instanceof ApiError ? error.reason : undefined)

/** What is wrong with one field of what was sent. */
export const faultAt = (error: unknown, path: string): Fault | undefined =>
  error instanceof ApiError ? error.faults.find((fault) => fault.path === path) : undefined

export interface Answer<T> {
  data: T
  msg: string
  meta: unknown
  etag: string | undefined
}

interface CallOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  body?: unknown
  /** Refused with 412 when the item has changed since. */
  etag?: string | undefined
  signal?: AbortSignal
  /** Of sentences in the answer, where it has some. */
  language?: string
  /** Routes that take a password do not take an Idempotency-Key. */
  withoutKey?: boolean
  /** For the pages before login: a 401 is an answer there. */
  mayBeLoggedOut?: boolean
}

/** What the shell does when the service wants something of the person; set once when it starts. */
export const person = {
  /** The session is over. */
  logIn: (): void => {},
  /** A dangerous change wants the password again; false: the person would rather not. */
  confirm: async (): Promise<boolean> => false,
}

export async function call<T>(path: string, options: CallOptions = {}): Promise<Answer<T>> {
  const { method = 'GET' } = options
  const key = method === 'POST' && !options.withoutKey ? newKey() : undefined
  try {
    return await once<T>(path, options, key)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 401 && !options.mayBeLoggedOut) person.logIn()
    if (error.reason === 'recent_login_required' && (await person.confirm())) return once<T>(path, options, key)
    // The connection broke: whether the service has done it is unknown, and the key lets us ask again.
    if (error.status === 0 && key !== undefined && !options.signal?.aborted) return once<T>(path, options, key)
    throw error
  }
}

async function once<T>(
  path: string,
  { method = 'GET', body, etag, signal, language }: CallOptions,
  key: string | undefined,
): Promise<Answer<T>> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (language !== undefined) headers['accept-language'] = language
  if (etag !== undefined) headers['if-match'] = etag
  if (key !== undefined) headers['idempotency-key'] = key
  const response = await fetch(path, {
    method,
    headers,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError('The service cannot be reached')
  })
  const answer = await response.json().catch(() => undefined)
  if (!response.ok) throw errorOf(response, answer)
  return { data: answer?.data, msg: answer?.msg ?? '', meta: answer?.meta, etag: response.headers.get('etag') ?? undefined }
}

interface ErrorBody {
  msg?: string
  error?: { code?: string; reason?: string; req_id?: string; details?: Fault[] }
}

function errorOf(response: Response, body: ErrorBody | undefined): ApiError {
  const retryAfter = Number(response.headers.get('retry-after'))
  return new ApiError(body?.msg ?? response.statusText, {
    status: response.status,
    code: body?.error?.code ?? 'INTERNAL',
    reason: body?.error?.reason,
    faults: body?.error?.details ?? [],
    reqId: body?.error?.req_id ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfter > 0 ? retryAfter : undefined,
  })
}

/** `crypto.randomUUID` is missing where the service is reached without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
