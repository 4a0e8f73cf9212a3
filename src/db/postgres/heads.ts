import { Rounds } from '../../core/rounds.ts'
import type { Session } from '../engine.ts'
import type { Known } from '../kept/reads.ts'
import { HEADS } from '../kept/versions.ts'

/** How many changes of organizations are committed: asked of the database, by one statement for all who ask at once. */
export class Heads {
  private readonly reader: Session
  private asked = new Set<number>()
  private readonly rounds = new Rounds(() => this.ask())

  constructor(reader: Session) {
    this.reader = reader
  }

  /** Undefined: there is no such organization any more. */
  async of(org: number): Promise<Known | undefined> {
    this.asked.add(org)
    return (await this.rounds.join()).get(org)
  }

  private async ask(): Promise<ReadonlyMap<number, Known>> {
    const orgs = [...this.asked]
    this.asked = new Set()
    const rows = await this.reader.all<Known & { org: number }>(HEADS, [orgs])
    return new Map(rows.map(({ org, ...head }) => [org, head]))
  }
}
