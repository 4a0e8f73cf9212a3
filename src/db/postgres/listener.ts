import pg from 'pg'
import { CHANGES, type Hear } from '../kept/hearers.ts'
import type { Known } from '../kept/reads.ts'
import { type Change, isBehind, type OrgVersions } from '../kept/versions.ts'

const CHANNEL = 'gatehouse_versions'
const NEWS_CHANNEL = 'gatehouse_news'
const RECONNECT_MS = 500
/** A connection can be dead without anybody telling: it is asked this often, and believed this long. */
const BEAT_MS = 300
const BELIEVED_MS = 700
const GIVEN_UP_MS = 5000
/** So long news that must be on its way are waited for. */
const NEWS_MS = 20

/** What a process tells the others in the transaction of a change. */
export const announcement = (
  org: number,
  { data, moved, rows = new Map(), isLive }: Change,
): [channel: string, payload: string] => [
  CHANNEL,
  `${org}:${data}:${moved.join(',')}:` +
    `${[...rows].map(([table, ids]) => `${table}=${ids.join('+')}`).join(',')}${isLive ? ':live' : ''}`,
]

const rowsTold = (text: string): Map<string, string[]> =>
  new Map(
    text
      .split(',')
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1).split('+')]),
  )

/** That a feed has grown. */
export const newsOfFeed = (org: number, feed: string): [channel: string, payload: string] => [
  NEWS_CHANNEL,
  `${org}:${feed}`,
]

/**
 * The versions of organizations as far as a connection of its own has heard. While that connection is away or silent,
 * nothing is known. What was read from the database is kept only if it was read after listening began: a change before
 * that was announced to nobody here.
 */
export class VersionListener {
  private readonly url: string
  private readonly onError: (error: Error) => void
  private readonly tell: Hear
  private readonly known = new Map<number, OrgVersions>()
  /** The last changes of each organization that were heard of: what was read before them is not kept. */
  private readonly latest = new Map<number, { data: number; live: number }>()
  private client: pg.Client | undefined
  private isListening = false
  private isClosed = false
  private heardAt = 0
  /** Who waits for the next news. */
  private readonly waiting = new Set<() => void>()
  private timer: NodeJS.Timeout | undefined
  private connecting: Promise<void>
  /** Counts the times that everything was forgotten. */
  era = 0

  constructor(url: string, onError: (error: Error) => void, tell: Hear) {
    this.url = url
    this.onError = onError
    this.tell = tell
    this.connecting = this.connect()
  }

  /** Whether what others announce arrives. */
  get isHeard(): boolean {
    return this.isListening && performance.now() - this.heardAt < BELIEVED_MS
  }

  get(org: number): OrgVersions | undefined {
    return this.isHeard ? this.known.get(org) : undefined
  }

  /** Read from the database; `era` as it was before the reading. */
  learn(org: number, versions: OrgVersions, era: number): void {
    const latest = this.latest.get(org)
    if (era !== this.era || (latest && (versions.data < latest.data || versions.live < latest.live))) return
    const known = this.known.get(org)
    if (!known || known.data < versions.data || known.live < versions.live) this.known.set(org, versions)
  }

  /**
   * Committed by this process itself, or announced by any. They come in order; after a gap the next reading will tell.
   */
  hear(org: number, change: Change): void {
    const count = change.isLive ? 'live' : 'data'
    const latest = this.latest.get(org) ?? { data: 0, live: 0 }
    this.latest.set(org, { ...latest, [count]: Math.max(latest[count], change.data) })
    const known = this.known.get(org)
    if (known && change.data > known[count]) {
      if (change.data === known[count] + 1) known.apply(change)
      else this.known.delete(org)
    }
    for (const go of this.waiting) go()
    if (!change.isLive) this.tell(org, CHANGES)
  }

  /**
   * Once so much was heard of: what is committed is announced the same moment. Undefined where it was not, or is more
   * than anybody may have committed.
   */
  async reach(org: number, atLeast: Known): Promise<OrgVersions | undefined> {
    const until = performance.now() + NEWS_MS
    for (let left = NEWS_MS; left > 0 && Number.isFinite(atLeast.data); left = until - performance.now()) {
      const known = this.get(org)
      if (!known || !isBehind(known, atLeast)) return known
      await this.nextNews(left)
    }
    return undefined
  }

  private nextNews(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer)
        this.waiting.delete(go)
        resolve()
      }
      const timer = setTimeout(go, withinMs)
      this.waiting.add(go)
    })
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.timer)
    await this.connecting
    await this.client?.end().catch(() => undefined)
  }

  private forget(): void {
    this.known.clear()
    this.era += 1
  }

  private async connect(): Promise<void> {
    if (this.isClosed) return
    const client = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: 5000,
      application_name: 'gatehouse listener',
    })
    this.client = client
    client.on('error', (error) => this.lose(client, error))
    client.on('end', () => this.lose(client))
    client.on('notification', ({ channel, payload = '' }) => {
      const [org = '', data = '', moved = '', rows = '', live] = payload.split(':')
      if (channel === NEWS_CHANNEL) return this.tell(Number(org), data)
      this.hear(Number(org), {
        data: Number(data),
        moved: moved.split(','),
        rows: rowsTold(rows),
        isLive: live !== undefined,
      })
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}; listen ${NEWS_CHANNEL}`)
      this.forget()
      this.isListening = true
      // What was told meanwhile, nobody here has heard.
      this.tell()
      this.beat(client)
    } catch (error) {
      this.lose(client, error as Error)
    }
  }

  /** An answer also means that whatever was announced before it has arrived. */
  private beat(client: pg.Client): void {
    this.heardAt = performance.now()
    if (this.isClosed || this.client !== client) return
    this.timer = setTimeout(() => {
      // pg takes a time limit per statement; its types do not say so.
      const beat = { text: 'select 1', query_timeout: GIVEN_UP_MS }
      client.query(beat).then(
        () => this.beat(client),
        (error) => this.lose(client, error),
      )
    }, BEAT_MS).unref()
  }

  private lose(client: pg.Client, error?: Error): void {
    if (this.client !== client || this.isClosed) return
    this.client = undefined
    this.isListening = false
    this.forget()
    if (error) this.onError(error)
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.connecting = this.connect()
    }, RECONNECT_MS).unref()
    client.end().catch(() => undefined)
  }
}
