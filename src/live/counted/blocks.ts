import { LRUCache } from 'lru-cache'
import { type EventKind, KIND_ALONE, STRETCH } from '../../db/along/event-stretches.ts'
import { OrgHandle } from '../../db/org.ts'
import { type Kind, type KindCounts, Kinds } from './kinds.ts'

export type TimeField = 'occurred_at' | 'received_at'
type Times = Record<TimeField, { first: string; last: string }>

export interface Block {
  counts: KindCounts
  /** Undefined where it is empty. */
  times: Times | undefined
}

export type CountedKind = EventKind & { count: number }

/** So many stretches are taken as one where that is enough: their times and counts together. */
const PACK = 10
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
  /** What was counted of a full stretch by looking at its events, by what was asked for. */
  readonly looked = new LRUCache<string, readonly CountedKind[]>({ max: 500 })
  private readonly packs: Array<Block | undefined> = []
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

  /** Many at once, where nothing or all of them is asked for; one by one where that must be looked at. */
  *inOrder(isSettled: (pack: Block) => boolean): Generator<{ block: Block; first: number; size: number }> {
    for (let first = 0; first < this.list.length; first += PACK) {
      const block = this.pack(first)
      const size = Math.min(PACK, this.list.length - first)
      if (isSettled(block)) yield { block, first, size }
      else for (let at = first; at < first + size; at++) yield { block: this.list[at] as Block, first: at, size: 1 }
    }
  }

  private pack(first: number): Block {
    const known = this.packs[first / PACK]
    if (known) return known
    const counts: number[] = []
    const pack: Block = { counts: [], times: undefined }
    for (const block of this.list.slice(first, first + PACK)) {
      for (let at = 0; at < block.counts.length; at += 2) {
        const kind = block.counts[at] as number
        counts[kind] = (counts[kind] ?? 0) + (block.counts[at + 1] as number)
      }
      if (block.times) pack.times = widened(pack.times, block.times)
    }
    counts.forEach((count, kind) => void pack.counts.push(kind, count))
    this.packs[first / PACK] = pack
    return pack
  }

  /** In place, from a stretch on: whoever counts meanwhile finds each as it was or as it is. */
  private async read({ engine, org, instant }: OrgHandle, first: number, last: number): Promise<void> {
    const handle = new OrgHandle(engine, org, instant, engine.unhurried)
    let unjudged = this.unjudged < first ? this.unjudged : Number.POSITIVE_INFINITY
    for (let from = first; from * STRETCH < Math.max(this.through, last); from += TOGETHER) {
      const to = from + TOGETHER
      const rows = await handle.query<Loaded>(
        this.text,
        [from, to],
        last - from * STRETCH <= 2 * STRETCH ? 'few' : 'all',
      )
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
    this.packs[Math.floor(stretch / PACK)] = undefined
  }

  private sum(kind: number, count: number): void {
    this.sums[kind] = (this.sums[kind] ?? 0) + count
  }

  private add(row: Loaded, stretch: number): void {
    const block = this.list[stretch] as Block
    const kind = this.kinds.numberOf(row)
    block.counts.push(kind, row.count)
    this.sum(kind, row.count)
    block.times = widened(block.times, {
      occurred_at: { first: row.occurred_first, last: row.occurred_last },
      received_at: { first: row.received_first, last: row.received_last },
    })
  }
}

const widened = (one: Times | undefined, other: Times): Times =>
  one
    ? {
        occurred_at: around(one.occurred_at, other.occurred_at),
        received_at: around(one.received_at, other.received_at),
      }
    : other

function around({ first, last }: Times[TimeField], other: Times[TimeField]): Times[TimeField] {
  if (other.first < first) first = other.first
  if (other.last > last) last = other.last
  return { first, last }
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
