import { Agent, request } from 'node:http'
import type { Server } from '../../test/support/processes.ts'

/** What a server says of its own work, by /metrics. */
interface Reading {
  /** Seconds spent answering calls of one route so far. */
  seconds: number
  cpuSeconds: number
  /** The longest that its loop stood still since the last reading. */
  stallSeconds: number
}

export interface Watched {
  /** Server time of the call, in milliseconds: from its first byte to its answer. */
  ms: number
  cpuMs: number
  stallMs: number
  body: unknown
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  /** The path as the server knows it. */
  route: string
  body?: object
}

/** Asks once, and how long the server had for it. */
export async function watch(server: Server, token: string, call: Call): Promise<Watched> {
  const before = await read(server, call)
  const body = await ask(server, token, call)
  const after = await read(server, call)
  return {
    ms: (after.seconds - before.seconds) * 1000,
    cpuMs: (after.cpuSeconds - before.cpuSeconds) * 1000,
    stallMs: after.stallSeconds * 1000,
    body,
  }
}

export async function ask(
  server: Server,
  token: string,
  { method, path, body }: Omit<Call, 'route'>,
): Promise<unknown> {
  const { status, text } = await call(server.url + path, method, token, body)
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`)
  return JSON.parse(text)
}

/** Each by a connection of its own: one that rests while wrk is at work may be closed by the server meanwhile. */
const agent = new Agent({ keepAlive: false })

const call = (url: string, method: string, token?: string, body?: object): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const headers = {
      ...(token ? { authorization: `Token ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    }
    const sent = request(url, { agent, method, headers }, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      resolve({ status: response.statusCode ?? 0, text })
    })
    sent.on('error', reject).end(body && JSON.stringify(body))
  })

export async function read(server: Server, { method, route }: Pick<Call, 'method' | 'route'>): Promise<Reading> {
  const lines = (await call(`${server.url}/metrics`, 'GET')).text.split('\n')
  const sum = (start: string, part = '') =>
    lines
      .filter((line) => line.startsWith(start) && line.includes(part))
      .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0)
  return {
    seconds: sum('gatehouse_http_request_duration_seconds_sum', `route="${route}",method="${method}"`),
    cpuSeconds: sum('process_cpu_seconds_total '),
    stallSeconds: sum('nodejs_eventloop_lag_max_seconds '),
  }
}
