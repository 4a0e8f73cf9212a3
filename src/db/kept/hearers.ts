/** Something may have been committed: for this feed of this organization, or, where they are not said, for anybody. */
export type Hear = (org?: number, feed?: string) => void

/** Who wants to know that something was committed, by this process or another. */
export class Hearers {
  private readonly hearing = new Set<Hear>()
  private readonly watch: { start(): void; stop(): void } | undefined

  /** `watch`: what has to be done while anybody is there. */
  constructor(watch?: { start(): void; stop(): void }) {
    this.watch = watch
  }

  add(hear: Hear): () => void {
    if (this.hearing.size === 0) this.watch?.start()
    this.hearing.add(hear)
    return () => {
      if (this.hearing.delete(hear) && this.hearing.size === 0) this.watch?.stop()
    }
  }

  readonly tell: Hear = (org, feed) => {
    for (const hear of this.hearing) hear(org, feed)
  }
}

/** The feed of what `change()` has committed. Whoever writes another tells of it by itself. */
export const CHANGES = 'changes'
