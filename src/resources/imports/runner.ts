import { type ImportParts, lastClaim, runSlice } from './run.ts'

/** Works through imports beside the requests of this process, until it ends: another one goes on then. */
export class ImportRunner {
  private readonly parts: ImportParts
  private readonly running = new Map<string, Promise<void>>()
  private isStopped = false

  constructor(parts: ImportParts) {
    this.parts = parts
  }

  /** The first slice is waited for: a small file is done with the answer. The others go on behind what is told of it. */
  async begin<T>(org: number, id: string, tell: () => Promise<T>): Promise<T> {
    const claim = { org, id, until: null }
    const first = runSlice(this.parts, claim)
    this.track(
      id,
      first.then(
        () => undefined,
        () => undefined,
      ),
    )
    const isLeft = await first
    try {
      return await tell()
    } finally {
      if (isLeft) this.goOn(claim)
    }
  }

  /** What no process is at: the one that was is gone. Gives how many. */
  async takeUp(): Promise<number> {
    const { engine, clock } = this.parts
    // A file that stopped coming in: what there is of it would be half of it.
    await engine.transaction((session) =>
      session.run(
        `update imports set status = 'interrupted', claimed_until = null where status = 'reading'
          and claimed_until < $1`,
        [clock.now()],
      ),
    )
    const left = await engine.unhurried.all<{ org: number; id: string }>(
      `select org, id from imports where status in ('checking', 'running')
        and (claimed_until is null or claimed_until < $1 or claimed_until > $2)
       order by created_at limit 20`,
      [clock.now(), lastClaim(clock.now())],
    )
    for (const { org, id } of left) if (!this.running.has(id)) this.goOn({ org, id, until: null })
    return left.length
  }

  /** Until all that is under way here is done. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values())
  }

  async stop(): Promise<void> {
    this.isStopped = true
    await this.settled()
  }

  private goOn(claim: Parameters<typeof runSlice>[1]): void {
    const work = async () => {
      while (!this.isStopped && (await runSlice(this.parts, claim)));
    }
    this.track(
      claim.id,
      work().catch((err: unknown) =>
        this.parts.logger.warn({ err, import: claim.id }, 'an import stopped; it is taken up again in a minute'),
      ),
    )
  }

  private track(id: string, work: Promise<void>): void {
    const ended = work.finally(() => {
      if (this.running.get(id) === ended) this.running.delete(id)
    })
    this.running.set(id, ended)
  }
}
