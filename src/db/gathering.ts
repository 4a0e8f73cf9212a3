import type { Extent, Session } from './engine.ts'
import { readingOf } from './kept/statement.ts'

type Row = Record<string, unknown>

/** How rows of one kind are stored together; there is one for all of a kind, it is known by itself. */
export interface Kind {
  readonly table: string
  store(rows: readonly Row[]): Promise<void>
}

/**
 * The statements of a transaction, in which rows that are made one after the other may wait to be stored together.
 * Nothing can tell: they are stored before whatever could see them, and before anything else is written.
 */
export class Gathering implements Session {
  private readonly session: Session
  private kind: Kind | undefined
  private waiting: Row[] = []
  isOn = false

  constructor(session: Session) {
    this.session = session
  }

  /** Whose rows wait. */
  get table(): string | undefined {
    return this.waiting.length > 0 ? this.kind?.table : undefined
  }

  /** Of one kind with the same columns at a time. */
  async add(kind: Kind, row: Row): Promise<void> {
    const [first] = this.waiting
    if (first && (this.kind !== kind || Object.keys(first).join() !== Object.keys(row).join())) await this.store()
    this.kind = kind
    this.waiting.push(row)
  }

  async store(): Promise<void> {
    const { kind, waiting } = this
    if (!kind || waiting.length === 0) return
    this.waiting = []
    await kind.store(waiting)
  }

  /** They were made behind a point to which the transaction goes back. */
  drop(): void {
    this.waiting = []
  }

  async all<T>(text: string, values: unknown[], signal?: AbortSignal, extent?: Extent): Promise<T[]> {
    if (this.waiting.length > 0 && this.concerns(text)) await this.store()
    return this.session.all<T>(text, values, signal, extent)
  }

  async run(text: string, values: unknown[]): Promise<number> {
    await this.store()
    return this.session.run(text, values)
  }

  async script(text: string): Promise<void> {
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
      tables.has(this.kind?.table ?? '') ||
      !/^\s*select\b/i.test(text)
    )
  }
}
