/**
 * Work that is done a few at a time. Who comes while too many wait is refused; who leaves meanwhile leaves the queue.
 */
export class Turns {
  private readonly atOnce: number
  private readonly mayWait: number
  private readonly refusal: () => Error
  private readonly waiting = new Set<() => void>()
  private busy = 0

  constructor(atOnce: number, mayWait: number, refusal: () => Error) {
    this.atOnce = atOnce
    this.mayWait = mayWait
    this.refusal = refusal
  }

  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.letIn(signal)
    return this.inTurn(work, signal)
  }

  /** What belongs to one request is let in or refused as one. */
  async runAll<T>(works: ReadonlyArray<() => Promise<T>>, signal?: AbortSignal): Promise<T[]> {
    this.letIn(signal)
    return Promise.all(works.map((work) => this.inTurn(work, signal)))
  }

  private letIn(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted()
    if (this.busy >= this.atOnce && this.waiting.size >= this.mayWait) throw this.refusal()
  }

  private async inTurn<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (this.busy < this.atOnce) this.busy += 1
    else await this.turn(signal)
    try {
      return await work()
    } finally {
      // The place goes to the next in line, or is free.
      const [next] = this.waiting
      if (next) next()
      else this.busy -= 1
    }
  }

  private turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.delete(begin)
        reject(signal?.reason)
      }
      const begin = () => {
        this.waiting.delete(begin)
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      this.waiting.add(begin)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
}
