import type { SqliteConnection } from './connection.ts'

/** Looking takes two microseconds. */
const EVERY_MS = 20

/** Moves with every commit of any other connection of this process and of others. */
export const dataVersion = (connection: SqliteConnection): number =>
  connection.all<{ data_version: number }>('pragma data_version', [])[0]?.data_version ?? 0

/** Looks whether anybody has committed anything, as long as somebody wants to know. */
export class CommitWatch {
  private readonly connection: SqliteConnection
  private readonly onCommit: () => void
  private timer: NodeJS.Timeout | undefined
  private seen = 0

  constructor(connection: SqliteConnection, onCommit: () => void) {
    this.connection = connection
    this.onCommit = onCommit
  }

  start(): void {
    this.seen = this.current() ?? this.seen
    this.timer = setInterval(() => this.look(), EVERY_MS).unref()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private look(): void {
    const now = this.current()
    if (now === undefined || now === this.seen) return
    this.seen = now
    this.onCommit()
  }

  /** Undefined: another process holds the file for a moment; the next look tells. */
  private current(): number | undefined {
    try {
      return dataVersion(this.connection)
    } catch {
      return undefined
    }
  }
}
