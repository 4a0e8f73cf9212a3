import { type Answer, type Bounds, createCalls, type Resolve } from './calls.ts'

/** What other libraries call instead of `fetch`: see net/calls.ts. */
export type Outgoing = (url: string | URL, init?: Omit<RequestInit, 'signal'> & Bounds) => Promise<Response>

export function createOutgoing(allow?: readonly string[], resolve?: Resolve): Outgoing {
  const call = createCalls(allow, resolve)
  return async (url, { timeoutMs, maxBytes, isCut, isRepeatable, signal, ...init } = {}) => {
    const request = new Request(url, init)
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
    const { method } = request
    const headers = Object.fromEntries(request.headers)
    const bounds = { timeoutMs, maxBytes, isCut, isRepeatable, signal }
    return responseOf(await call(request.url, { method, headers, body, ...bounds }))
  }
}

function responseOf({ status, headers, content }: Answer): Response {
  const isEmpty = status === 204 || status === 205 || status === 304
  const told = new Headers()
  for (const [name, values = []] of Object.entries(headers)) for (const value of values) told.append(name, value)
  return new Response(isEmpty ? null : content, { status, headers: told })
}
