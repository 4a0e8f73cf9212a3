import { boundedMap } from '../core/bounded-map.ts'

/** Something's use is noted at most this often. */
const EVERY_MS = 60_000
/** How long uses are gathered before they are written together. */
const GATHER_MS = 200

/** Gathers notes of when something was used: at most once a minute each, written together off the request path. */
export class Gatherer<T extends { at: string }> {
  private pending = new Map<string, T>()
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> = Promise.resolve()
  private readonly noted = boundedMap<number>(10_000)
  private readonly keyOf: (use: T) => string
  private readonly store: (uses: T[]) => Promise<void>

  constructor(keyOf: (use: T) => string, store: (uses: T[]) => Promise<void>) {
    this.keyOf = keyOf
    this.store = store
  }

  note(use: T): void {
    const key = this.keyOf(use)
    const at = Date.parse(use.at)
    const last = this.noted.get(key)
    // A clock that was set back does not silence anything.
    if (last !== undefined && at >= last && at - last < EVERY_MS) return
    this.noted.set(key, at)
    this.pending.set(key, use)
    this.timer ??= setTimeout(() => this.flush(), GATHER_MS).unref()
  }

  flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    const uses = [...this.pending.values()]
    this.pending = new Map()
    if (uses.length > 0) this.writing = this.writing.then(() => this.store(uses))
    return this.writing
  }
}
