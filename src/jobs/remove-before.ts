import type { Engine } from '../db/engine.ts'

/** Runs statements that remove what is older than a time, each by itself so that none holds the others up. Gives how many rows went. */
export async function removeBefore(engine: Engine, statements: Array<[statement: string, before: string]>): Promise<number> {
  let removed = 0
  for (const [statement, before] of statements)
    removed += await engine.transaction((session) => session.run(statement, [before]), { isUnhurried: true })
  return removed
}
