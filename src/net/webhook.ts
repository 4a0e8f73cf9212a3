import { AppError } from '../core/errors.ts'
import { signWebhook } from '../core/secrets/webhook-signature.ts'
import type { Call } from './calls.ts'

/** What is kept of an answer. */
const FIRST_BYTES = 500
const MAX_BYTES = 64 * 1024

export interface Message {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: unknown
}

export interface Outcome {
  readonly isDelivered: boolean
  /** The receiver says that nobody is there any more. */
  readonly isGone: boolean
  readonly status_code: number | null
  readonly response: string | null
  readonly error: string | null
  readonly duration_ms: number
}

interface Sending {
  url: string
  secrets: readonly string[]
  at: string
  timeoutMs: number
  signal?: AbortSignal
}

/** One attempt; never throws. Whoever answers 2xx has it, however much they say beside that. */
export async function sendWebhook(
  call: Call,
  message: Message,
  { url, secrets, at, timeoutMs, signal }: Sending,
): Promise<Outcome> {
  const { id, ...content } = message
  const body = JSON.stringify(content)
  const started = performance.now()
  const outcome = (part: Omit<Outcome, 'duration_ms'>): Outcome => ({
    ...part,
    duration_ms: Math.round(performance.now() - started),
  })
  try {
    const { status, content: told } = await call(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signWebhook(id, at, body, secrets) },
      body: Buffer.from(body),
      timeoutMs,
      maxBytes: MAX_BYTES,
      isCut: true,
      isRepeatable: true,
      signal,
    })
    return outcome({
      isDelivered: status >= 200 && status < 300,
      isGone: status === 410,
      status_code: status,
      response: printable(told.toString().slice(0, FIRST_BYTES)),
      error: null,
    })
  } catch (error) {
    const reason = error instanceof AppError ? error.message : 'The attempt was given up'
    return outcome({
      isDelivered: false,
      isGone: false,
      status_code: null,
      response: null,
      error: reason.slice(0, 500),
    })
  }
}

/** What a database takes: no NUL, no half of a character. */
const printable = (text: string): string => text.replaceAll('\0', '').toWellFormed()
