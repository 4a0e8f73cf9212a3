import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Server, startServer } from '../../test/support/processes.ts'

const bare = new URL('./bare.ts', import.meta.url).pathname
const KEPT = [
  'content-type',
  'content-length',
  'cache-control',
  'vary',
  'etag',
  'link',
  'x-request-id',
  'x-content-type-options',
]

/** A bare node:http server that sends the bytes which ours sends to the same call. */
export async function startBare(
  server: Server,
  token: string,
  path: string,
  scratch: string,
  body?: object,
): Promise<Server> {
  const headers: Record<string, string> = { authorization: `Token ${token}`, 'accept-encoding': 'identity' }
  const posted = body && {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...headers, 'content-type': 'application/json' },
  }
  const response = await fetch(server.url + path, posted ?? { headers })
  const sent = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${sent}`)
  const kept = Object.fromEntries(
    KEPT.flatMap((name) => (response.headers.has(name) ? [[name, response.headers.get(name)]] : [])),
  )
  const file = join(scratch, 'bare.json')
  await writeFile(file, JSON.stringify({ headers: kept, body: sent }))
  return startServer({ script: [bare, file], probe: '/' })
}
