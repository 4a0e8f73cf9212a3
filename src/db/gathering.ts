import type { Extent, Session } from './engine.ts'
import { readingOf } from './kept/statement.ts'

type Row = Record<string, unknown>

/** How rows of one kind are stored together; there is one for all of a kind, it is known by itself. */
export interface Kind {
  readonly table: string
  /** What comes with items, and is there when they are read. */
  readonly isFirst?: true
  store(rows: readonly Row[]): Promise<void>
}

/**
 * The statements of a transaction, in which rows that are made one after the other may wait to be stored together, each
 * kind by itself. Nothing can tell: they are stored before whatever could see them, and before anything else is
 * written.
 */
export class Gathering implements Session {
  private readonly session: Session
  private waiting = new Map<Kind, Row[]>()
  private readonly signal: AbortSignal | undefined
  private isOver = false
  isOn = false

  constructor(session: Session, signal?: AbortSignal) {
    this.session = session
    this.signal = signal
  }

  /** Whatever comes behind it comes too late. */
  end(): void {
    this.isOver = true
  }

  private assertOpen(): void {
    if (this.isOver) throw new Error('a statement of a change that is over: whoever made it was not waited for')
    this.signal?.throwIfAborted()
  }

  /** Whose rows wait. */
  get tables(): string[] {
    return [...this.waiting.keys()].map(({ table }) => table)
  }

  /** Those of a kind that wait have the same columns. */
  async add(kind: Kind, row: Row): Promise<void> {
    const [first] = this.waiting.get(kind) ?? []
    if (first && Object.keys(first).join() !== Object.keys(row).join()) await this.store()
    const rows = this.waiting.get(kind)
    if (rows) rows.push(row)
    else this.waiting.set(kind, [row])
  }

  async store(): Promise<void> {
    if (this.waiting.size === 0) return
    const { waiting } = this
    this.waiting = new Map()
    const inOrder = [...waiting].sort(([a], [b]) => Number(b.isFirst ?? false) - Number(a.isFirst ?? false))
    for (const [kind, rows] of inOrder) await kind.store(rows)
  }

  /** They were made behind a point to which the transaction goes back. */
  drop(): void {
    this.waiting.clear()
  }

  async all<T>(text: string, values: unknown[], signal?: AbortSignal, extent?: Extent): Promise<T[]> {
    this.assertOpen()
    if (this.waiting.size > 0 && this.concerns(text)) await this.store()
    return this.session.all<T>(text, values, signal, extent)
  }

  async run(text: string, values: unknown[]): Promise<number> {
    this.assertOpen()
    await this.store()
    return this.session.run(text, values)
  }

  async send(text: string, values: unknown[]): Promise<void> {
    this.assertOpen()
    await this.store()
    await this.session.send(text, values)
  }

  async script(text: string): Promise<void> {
    this.assertOpen()
    await this.store()
    return this.session.script(text)
  }

  /** Counts move with the rows, by triggers. */
  private concerns(text: string): boolean {
    const { tables, isLive } = readingOf(text)
    return (
      isLive ||
      tables.size === 0 ||
      tables.has('tallies') ||
      this.tables.some((table) => tables.has(table)) ||
      !/^\s*select\b/i.test(text)
    )
  }
}
