import type { Engine } from '../db/engine.ts'
import { perEngine } from '../db/kept/per-engine.ts'

export type FeedName = 'access-events' | 'changes'

type Listener = () => void

/**
 * Who is told that something new is in a feed, whichever process wrote it. Only that there may be something: what it
 * is, and whether it is for the listener, is in the database. A listener may be called for nothing, and is to look by
 * itself every second: what another process committed just before it died, nobody tells.
 */
export class News {
  private readonly engine: Engine
  private readonly listeners = new Map<string, Set<Listener>>()
  /** What is being told to other processes; true: again when that is done. */
  private readonly telling = new Map<string, boolean>()
  private stop: (() => void) | undefined

  constructor(engine: Engine) {
    this.engine = engine
  }

  /** To be called after the commit, by whoever writes past `change()`; changes tell of themselves. */
  told(org: number, feed: FeedName): void {
    this.wake(keyOf(org, feed))
    this.tellOthers(org, feed)
  }

  /** Gives what ends it. */
  listen(org: number, feed: FeedName, fn: Listener): () => void {
    const key = keyOf(org, feed)
    // Each by itself, though the same function may listen twice.
    const listener = () => fn()
    const known = this.listeners.get(key)
    if (known) known.add(listener)
    else this.listeners.set(key, new Set([listener]))
    this.stop ??= this.engine.hearers.add((heard, of) => this.hear(heard, of))
    return () => this.forget(key, listener)
  }

  private forget(key: string, listener: Listener): void {
    const known = this.listeners.get(key)
    known?.delete(listener)
    if (known?.size === 0) this.listeners.delete(key)
    if (this.listeners.size > 0) return
    this.stop?.()
    this.stop = undefined
  }

  private hear(org: number | undefined, feed: string | undefined): void {
    if (org !== undefined && feed !== undefined) this.wake(keyOf(org, feed))
    else for (const key of this.listeners.keys()) this.wake(key)
  }

  private wake(key: string): void {
    for (const listener of this.listeners.get(key) ?? []) listener()
  }

  /** One at a time: what comes meanwhile is told together. Where it fails, others find it by themselves. */
  private tellOthers(org: number, feed: FeedName): void {
    const key = keyOf(org, feed)
    if (this.telling.has(key)) {
      this.telling.set(key, true)
      return
    }
    this.telling.set(key, false)
    this.engine
      .tell(org, feed)
      .catch(() => undefined)
      .then(() => {
        const isAgain = this.telling.get(key)
        this.telling.delete(key)
        if (isAgain) this.tellOthers(org, feed)
      })
  }
}

const keyOf = (org: number, feed: string): string => `${org} ${feed}`

export const newsOf = perEngine((engine) => new News(engine))
