import { KIND_ALONE, STRETCH } from '../../db/along/event-stretches.ts'
import { OrgHandle } from '../../db/org.ts'
import { type Kind, type KindCounts, Kinds } from './kinds.ts'

export type TimeField = 'occurred_at' | 'received_at'
type Times = Record<TimeField, { first: string; last: string }>

export interface Block {
  counts: KindCounts
  /** Undefined where it is empty. */
  times: Times | undefined
}

/** So many stretches are read with one statement. */
const TOGETHER = 100
const TIMES = ['occurred_first', 'occurred_last', 'received_first', 'received_last']
const KIND = KIND_ALONE.map((name) => `t.${name}`).join(', ')
const WHERE = 't.org = :org and t.stretch >= $1 and t.stretch < $2'
const ROWS = {
  kind: `select t.stretch, ${KIND}, sum(t.count) as count,
    ${TIMES.map((name) => `${name.endsWith('first') ? 'min' : 'max'}(t.${name}) as ${name}`).join(', ')}
    from event_stretches t where ${WHERE} group by t.stretch, ${KIND}`,
  place: `select t.stretch, ${KIND}, t.building_id, t.system_id, t.count, ${TIMES.map((name) => `t.${name}`).join(', ')}
    from event_stretches t where ${WHERE}`,
}
export type Told = keyof typeof ROWS

/** With how far the events reach at that moment. */
const loaded = (told: Told): string =>
  `select h.sequence as last, e.* from live_heads h left join (${ROWS[told]}) e on true where h.org = :org`

/** What is known of the stretches of an organization’s events, one after the other in their order. */
export class Blocks {
  /** How many events had gone when the first was read. */
  readonly gone: number
  readonly list: Block[] = []
  readonly kinds = new Kinds()
  /** How many there are of each kind in all of them, by its number. */
  readonly sums: number[] = []
  through = 0
  /** The first stretch with an event that had no verdict yet when it was read. */
  private unjudged = Number.POSITIVE_INFINITY
  private turn: Promise<void> = Promise.resolve()

  private readonly text: string

  /** `told`: what is told apart, kinds alone or places too. */
  constructor(gone: number, told: Told) {
    this.gone = gone
    this.text = loaded(told)
  }

  /** Reads what came since, one after the other. `byVerdict`: verdicts that came since are read, too. */
  async reach(handle: OrgHandle, last: number, byVerdict: boolean): Promise<void> {
    const isBehind = () => this.through < last || (byVerdict && this.unjudged < Number.POSITIVE_INFINITY)
    if (!isBehind()) return
    const read = async () => {
      const grown = Math.floor(this.through / STRETCH)
      if (isBehind()) await this.read(handle, byVerdict ? Math.min(this.unjudged, grown) : grown, last)
    }
    this.turn = this.turn.then(read, read)
    await this.turn
  }

  /** In place, from a stretch on: whoever counts meanwhile finds each as it was or as it is. */
  private async read({ engine, org, instant }: OrgHandle, first: number, last: number): Promise<void> {
    const handle = new OrgHandle(engine, org, instant, engine.unhurried)
    let unjudged = this.unjudged < first ? this.unjudged : Number.POSITIVE_INFINITY
    for (let from = first; from * STRETCH < Math.max(this.through, last); from += TOGETHER) {
      const to = from + TOGETHER
      const rows = await handle.query<Loaded>(this.text, [from, to], last - from * STRETCH <= 2 * STRETCH ? 'few' : 'all')
      this.through = Math.max(this.through, Math.min(rows[0]?.last ?? 0, to * STRETCH))
      for (let stretch = from; stretch < to && stretch * STRETCH < this.through; stretch++) this.empty(stretch)
      for (const row of rows) {
        if (row.stretch === null) continue
        this.add(row, row.stretch)
        if (row.verdict === '') unjudged = Math.min(unjudged, row.stretch)
      }
    }
    this.unjudged = unjudged
  }

  private empty(stretch: number): void {
    const { counts } = this.list[stretch] ?? { counts: [] }
    for (let at = 0; at < counts.length; at += 2) this.sum(counts[at] as number, -(counts[at + 1] as number))
    this.list[stretch] = { counts: [], times: undefined }
  }

  private sum(kind: number, count: number): void {
    this.sums[kind] = (this.sums[kind] ?? 0) + count
  }

  private add(row: Loaded, stretch: number): void {
    const block = this.list[stretch] as Block
    const kind = this.kinds.numberOf(row)
    block.counts.push(kind, row.count)
    this.sum(kind, row.count)
    const times = {
      occurred_at: { first: row.occurred_first, last: row.occurred_last },
      received_at: { first: row.received_first, last: row.received_last },
    }
    for (const field of ['occurred_at', 'received_at'] as const) {
      const known = block.times?.[field]
      if (!known) continue
      if (known.first < times[field].first) times[field].first = known.first
      if (known.last > times[field].last) times[field].last = known.last
    }
    block.times = times
  }
}

interface Loaded extends Kind {
  last: number
  /** Null: there is none. */
  stretch: number | null
  count: number
  occurred_first: string
  occurred_last: string
  received_first: string
  received_last: string
}
