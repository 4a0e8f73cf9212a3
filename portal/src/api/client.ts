import { GatehouseError } from '../../../packages/client/src/errors.ts'
import { type Answer, newKey, Transport } from '../../../packages/client/src/transport.ts'
import type { ErrorDetail } from './generated/types.ts'

/**
 * The one way to the API: the client of everybody, with the session's cookie, and what a person at a screen needs
 * beyond it.
 */
const service = new Transport({ retries: 0 })

export const ApiError = GatehouseError
export type ApiError = GatehouseError
export type { Answer }
export type Fault = ErrorDetail

/** Why the service refused, where it says so. */
export const reasonOf = (error: unknown): string | undefined => (error instanceof ApiError ? error.reason : undefined)

/** What is wrong with one field of what was sent. */
export const faultAt = (error: unknown, path: string): Fault | undefined =>
  error instanceof ApiError ? error.details.find((fault) => fault.path === path) : undefined

interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  /** Of a file, which goes out as it is; everything else is JSON or a form. */
  contentType?: string
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
  /** They want to leave. */
  logOut: async (): Promise<void> => {},
  /** A second factor is demanded before anything else. */
  proveFactor: (): void => {},
  /** A dangerous change wants the password again; false: the person would rather not. */
  confirm: async (): Promise<boolean> => false,
}

export async function call<T, M = unknown>(path: string, options: CallOptions = {}): Promise<Answer<T, M>> {
  const { method = 'GET', language, withoutKey, mayBeLoggedOut, ...rest } = options
  const isKeyed = method === 'POST' && !withoutKey
  const request = {
    ...rest,
    idempotencyKey: isKeyed ? newKey() : null,
    headers: { ...(language !== undefined && { 'accept-language': language }) },
  }
  try {
    return await service.request<T, M>(method, path, request)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 401 && !mayBeLoggedOut) person.logIn()
    if (error.reason === 'second_factor_required' || error.reason === 'second_factor_set_up_required')
      person.proveFactor()
    if (error.reason === 'recent_login_required' && (await person.confirm()))
      return service.request<T, M>(method, path, request)
    // The connection broke: whether the service has done it is unknown, and the key lets us ask again. What is read is
    // asked for again by whoever shows it.
    if (error.status === 0 && isKeyed && !rest.signal?.aborted) return service.request<T, M>(method, path, request)
    throw error
  }
}
