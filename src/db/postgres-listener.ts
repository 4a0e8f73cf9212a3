import pg from 'pg'
import type { OrgVersions } from './engine.ts'

const CHANNEL = 'gatehouse_versions'
const RECONNECT_MS = 500
/** A connection can be dead without anybody telling: it is asked this often, and believed this long. */
const BEAT_MS = 300
const BELIEVED_MS = 700
const GIVEN_UP_MS = 5000

/** What a process tells the others in the transaction that moved the versions. */
export const announcement = (org: number, { data, places, access }: OrgVersions): [channel: string, payload: string] => [
  CHANNEL,
  `${org}:${data}:${places}:${access}`,
]

/**
 * The versions of organizations as far as a connection of its own has heard. While that connection is away or silent, nothing
 * is known. What was read from the database is kept only if it was read after listening began: a change before that was
 * announced to nobody here.
 */
export class VersionListener {
  private readonly url: string
  private readonly onError: (error: Error) => void
  private readonly known = new Map<number, OrgVersions>()
  private client: pg.Client | undefined
  private isListening = false
  private isClosed = false
  private heardAt = 0
  private timer: NodeJS.Timeout | undefined
  private connecting: Promise<void>
  /** Counts the times that everything was forgotten. */
  era = 0

  constructor(url: string, onError: (error: Error) => void) {
    this.url = url
    this.onError = onError
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
    if (era === this.era) this.keepNewer(org, versions)
  }

  /** Moved by this process itself. Where nothing is known yet the next reading will tell. */
  move(org: number, versions: OrgVersions): void {
    if (this.known.has(org)) this.keepNewer(org, versions)
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.timer)
    await this.connecting
    await this.client?.end().catch(() => undefined)
  }

  private keepNewer(org: number, versions: OrgVersions): void {
    if ((this.known.get(org)?.data ?? -1) < versions.data) this.known.set(org, versions)
  }

  private forget(): void {
    this.known.clear()
    this.era += 1
  }

  private async connect(): Promise<void> {
    if (this.isClosed) return
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 5000, application_name: 'gatehouse listener' })
    this.client = client
    client.on('error', (error) => this.lose(client, error))
    client.on('end', () => this.lose(client))
    client.on('notification', ({ payload = '' }) => {
      const [org, data, places, access] = payload.split(':').map(Number)
      if (org === undefined || data === undefined || places === undefined || access === undefined) return
      this.keepNewer(org, { data, places, access })
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      this.forget()
      this.isListening = true
      this.hear(client)
    } catch (error) {
      this.lose(client, error as Error)
    }
  }

  /** An answer also means that whatever was announced before it has arrived. */
  private hear(client: pg.Client): void {
    this.heardAt = performance.now()
    if (this.isClosed || this.client !== client) return
    this.timer = setTimeout(() => {
      // pg takes a time limit per statement; its types do not say so.
      const beat = { text: 'select 1', query_timeout: GIVEN_UP_MS } as pg.QueryConfig
      client.query(beat).then(
        () => this.hear(client),
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
