import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { callerLeft, tooSlow } from '../core/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    response: ServerResponse
    signalToStop: AbortSignal | undefined
  }
}

/**
 * An answer begins by then, a refusal if need be: longer than a statement may take, shorter than the socket lives
 * (server.ts).
 */
const ANSWER_MS = 10_000

/**
 * Tells whatever works for a request to stop: its caller has left, or its time is over before the answer has begun. The
 * reason is what to answer then. Made where something may take time, not for every request.
 */
export function signalOf(request: FastifyRequest): AbortSignal {
  request.signalToStop ??= watch(request.response)
  return request.signalToStop
}

function watch(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const timer = setTimeout(() => {
    if (!response.headersSent) controller.abort(tooSlow())
  }, ANSWER_MS)
  response.once('finish', () => clearTimeout(timer))
  response.once('close', () => {
    clearTimeout(timer)
    if (!response.writableFinished) controller.abort(callerLeft())
  })
  return controller.signal
}
