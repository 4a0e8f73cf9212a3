import { historyColumns } from '../../db/along/history.ts'
import type { Engine } from '../../db/engine.ts'
import { removeBefore } from './remove-before.ts'

const DAY = 86_400_000

/**
 * Removes what settings were more than so many days ago. First it is said that nothing before is known, then it goes.
 */
export async function pruneHistory(engine: Engine, now: string, days: number): Promise<number> {
  if (days === 0) return 0
  const cutoff = new Date(Date.parse(now) - days * DAY).toISOString()
  await engine.transaction((session) =>
    session.run('update organizations set history_since = $1 where coalesce(history_since, created_at) < $1', [cutoff]),
  )
  return removeBefore(
    engine,
    ...Object.keys(historyColumns).map((table): [string, string, string] => [
      `${table}_history`,
      'ended_at < $1',
      cutoff,
    ]),
  )
}
