import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError } from '../../core/errors.ts'
import { behindAnswers } from '../connections/one-by-one.ts'
import { newRequestId } from '../request-id.ts'
import { errorBody } from './errors.ts'

const known: Record<string, AppError> = {
  ERR_HTTP_REQUEST_TIMEOUT: new AppError('REQUEST_TIMEOUT', 'The request did not arrive in time'),
  HPE_INVALID_URL: new AppError('MALFORMED_REQUEST', 'The address has a character that must be percent-encoded'),
  HPE_HEADER_OVERFLOW: new AppError('HEADERS_TOO_LARGE', 'The headers are larger than 32 KiB'),
}
const malformed = new AppError('MALFORMED_REQUEST', 'The request is not valid HTTP')

const tunnel = new AppError('METHOD_NOT_ALLOWED', 'CONNECT is not possible: this is no proxy', {
  headers: { allow: '' },
})

const reasonPhrase: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

export interface Refusals {
  docsUrl: string
  /** Told of each, under its id. */
  tell(id: string, error: AppError, ip: string | undefined): void
}

/** What Node itself refuses, before there is a request object, gets the same body as everything else. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex, refusals: Refusals): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else behindAnswers(socket, () => refuse(socket, known[error.code ?? ''] ?? malformed, refusals))
}

/** Node hands over the bare connection, and would close it without a word. */
export function answerConnect(socket: Duplex, refusals: Refusals): void {
  // Whoever does not wait for the answer is not a fault of ours.
  socket.on('error', () => socket.destroy())
  refuse(socket, tunnel, refusals)
}

function refuse(socket: Duplex, refusal: AppError, { docsUrl, tell }: Refusals): void {
  const reqId = newRequestId()
  tell(reqId, refusal, socket instanceof Socket ? socket.remoteAddress : undefined)
  const body = JSON.stringify(errorBody(refusal, docsUrl, reqId))
  const more = Object.entries(refusal.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${refusal.status} ${reasonPhrase[refusal.status]}\r\ncontent-type: application/json; ` +
      `charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `x-request-id: ${reqId}\r\nx-content-type-options: nosniff\r\ncache-control: ` +
      `no-store\r\n${more.join('')}connection: close\r\n\r\n${body}`,
  )
}
