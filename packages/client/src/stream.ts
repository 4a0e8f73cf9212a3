import { GatehouseError } from './errors.ts'
import type { Query, Transport } from './transport.ts'

export interface StreamedEvent<T> {
  /** Give the last one that you have dealt with as `after`, to go on from there. */
  id: string | undefined
  type: string
  data: T
}

/** How far the feed was read, and why its reader may see less of it than there is. */
export interface StreamCursor {
  sequence: number
  /** The places that a role is limited to; absent: none is. */
  limited_to?: Array<{ location_id: string | null; building_id: string | null; name: string }>
  /** What needs one of them is not told; absent: none is missing. */
  missing_permissions?: string[]
}

export interface StreamOptions {
  query?: Query
  /** The id of the last event that was dealt with. */
  after?: string | undefined
  signal?: AbortSignal | undefined
  /** Longer silence than this is a broken connection; the service says something every 10 seconds. */
  silenceMs?: number
  /** Told when the feed is being read, and when it is not any more until the next try. */
  onConnection?: ((isConnected: boolean) => void) | undefined
  /** Told at the beginning, where nothing in between was for you to see, and when your role changes. */
  onCursor?: ((cursor: StreamCursor) => void) | undefined
}

const SILENCE_MS = 30_000
const AGAIN_MS = 1000

/** Events one after the other, without end: a connection that breaks is taken up where it broke. A refusal ends it. */
export async function* streamEvents<T>(
  transport: Transport,
  path: string,
  options: StreamOptions,
): AsyncGenerator<StreamedEvent<T>> {
  let last = options.after
  let againMs = AGAIN_MS
  while (!options.signal?.aborted) {
    const silence = watchSilence(options)
    try {
      const response = await transport.send('GET', path, {
        query: options.query,
        headers: { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) },
        signal: silence.signal,
      })
      options.onConnection?.(true)
      for await (const { id, type, data, retry } of events(response, silence.heard)) {
        // What came in the same breath is not for somebody who has left.
        if (options.signal?.aborted) return
        againMs = retry ?? againMs
        if (id !== undefined) last = id
        if (type === 'cursor' && data !== undefined) options.onCursor?.(JSON.parse(data) as StreamCursor)
        // Where the feed is, and that it ends: for us.
        if (data === undefined || type === 'cursor' || type === 'closed') continue
        const said = JSON.parse(data) as T
        yield { id: last, type: type ?? (said as { type?: string } | null)?.type ?? 'message', data: said }
      }
    } catch (error) {
      if (options.signal?.aborted) return
      // What the service refuses it refuses again; all else is a connection that may mend.
      if (error instanceof GatehouseError && error.status >= 400 && error.status < 500) throw error
    } finally {
      silence.end()
      options.onConnection?.(false)
    }
    if (!options.signal?.aborted) await transport.wait(againMs, options.signal).catch(() => undefined)
  }
}

/** A signal that ends with the caller's, and by itself when nothing has been heard for too long. */
function watchSilence({ signal, silenceMs = SILENCE_MS }: StreamOptions) {
  const own = new AbortController()
  const stop = () => own.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  let timer = setTimeout(stop, silenceMs)
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(stop, silenceMs)
  }
  const end = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    own.abort()
  }
  return { signal: own.signal, heard, end }
}

interface Block {
  id?: string
  type?: string
  data?: string
  retry?: number
}

/** The blocks of an event stream (HTML standard, section 9.2.6). */
async function* events(response: Response, heard: () => void): AsyncGenerator<Block> {
  if (!response.body) return
  let rest = ''
  let block: Block = {}
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    heard()
    const lines = (rest + value).split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        yield block
        block = {}
      } else readLine(block, line)
    }
  }
}

function readLine(block: Block, line: string): void {
  const colon = line.indexOf(':')
  // A line that begins with one is the heartbeat.
  if (colon === 0) return
  const name = colon === -1 ? line : line.slice(0, colon)
  const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
  if (name === 'data') block.data = block.data === undefined ? value : `${block.data}\n${value}`
  else if (name === 'event') block.type = value
  else if (name === 'id' && !value.includes('\0')) block.id = value
  else if (name === 'retry' && /^\d+$/.test(value)) block.retry = Number(value)
}
