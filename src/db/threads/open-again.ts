import type { Engine } from '../engine.ts'
import type { Place } from './own-threads.ts'

/** Connections of a thread that does one thing after the other, and reads while it does. */
const POOL_SIZE = 3

/** Opens in a thread the database of whoever started it. The thread may read as long as it likes. */
export async function openAgain(place: Place): Promise<Engine> {
  if (place.kind === 'sqlite') {
    const { openSqlite } = await import('../sqlite/sqlite.ts')
    return openSqlite(place.path, { smallRows: Number.POSITIVE_INFINITY, isShared: true })
  }
  const { openPostgres } = await import('../postgres/postgres.ts')
  // What is lost is told by who asked for something.
  return openPostgres(place.url, { poolSize: POOL_SIZE, onError: () => undefined })
}
