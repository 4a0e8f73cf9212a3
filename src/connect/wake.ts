import { perEngine } from '../db/kept/per-engine.ts'

type Waker = (org: number, system: string) => void

/**
 * Tells whoever attends to a system in this process that there is something to do at once; other processes find it by
 * themselves.
 */
class Wakers {
  private readonly wakers = new Set<Waker>()

  add(waker: Waker): () => void {
    this.wakers.add(waker)
    return () => void this.wakers.delete(waker)
  }

  wake(org: number, system: string): void {
    for (const waker of this.wakers) waker(org, system)
  }
}

export const wakersOf = perEngine(() => new Wakers())
