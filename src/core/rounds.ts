/**
 * One piece of work after the other, each for all who asked before it began: one that is under way may not cover what
 * has come since, the next one does.
 */
export class Rounds<T> {
  private readonly work: () => Promise<T>
  private running: Promise<unknown> = Promise.resolve()
  private next: Promise<T> | undefined

  constructor(work: () => Promise<T>) {
    this.work = work
  }

  /** What comes of the next one. */
  join(): Promise<T> {
    this.next ??= this.running.then(() => {
      this.next = undefined
      const round = this.work()
      this.running = round.catch(() => undefined)
      return round
    })
    return this.next
  }

  /** Resolves once nothing is under way or waits for its turn. */
  async end(): Promise<void> {
    await this.next?.catch(() => undefined)
    await this.running
  }
}
