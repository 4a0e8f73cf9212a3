import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Engine } from '../../db/engine.ts'
import { migrate } from '../../db/migrate.ts'
import { openSqlite } from '../../db/sqlite/sqlite.ts'
import { CommandError } from '../command.ts'

/** The database to copy into, with a schema and nothing else: `postgres://…`, or a file that is not there yet. */
export async function openTarget(place: string): Promise<Engine> {
  const engine = await open(place)
  try {
    await migrate(engine)
    const [found] = await engine.reader.all<{ n: number }>('select count(*) as n from organizations', [])
    if (Number(found?.n) > 0)
      throw new CommandError('The database to copy into has organizations already; nothing was copied.')
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

async function open(place: string): Promise<Engine> {
  if (/^postgres(ql)?:\/\//.test(place)) {
    const { openPostgres } = await import('../../db/postgres/postgres.ts')
    return openPostgres(place, { poolSize: 4, onError: () => undefined, isUnhurried: true })
  }
  if (existsSync(place)) throw new CommandError(`${place} exists already; nothing was copied.`)
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
  return openSqlite(place)
}
