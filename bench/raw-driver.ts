import pg from 'pg'
import type { Engine } from '../src/db/engine.ts'

export interface Statement {
  text: string
  values: unknown[]
}

/** Notes every statement that an engine is asked while `work` runs. */
export async function statementsOf(engine: Engine, work: () => Promise<unknown>): Promise<Statement[]> {
  const noted: Statement[] = []
  const { reader } = engine
  const { all } = reader
  reader.all = (text, values) => {
    noted.push({ text, values: [...values] })
    return all.call(reader, text, values) as never
  }
  await work()
  reader.all = all
  return noted
}

/** The raw driver: the same statements by node-postgres alone, as fast as so many callers can ask. */
export async function rawDriver(
  url: string,
  calls: Statement[][],
  callers: number,
  poolSize: number,
  seconds: number,
): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: poolSize, options: '-c timezone=UTC' })
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    if (!names.has(text)) names.set(text, `s${names.size}`)
    return names.get(text) as string
  }
  const until = performance.now() + seconds * 1000
  let done = 0
  const caller = async () => {
    while (performance.now() < until) {
      const call = calls[Math.floor(Math.random() * calls.length)] as Statement[]
      for (const { text, values } of call) await pool.query({ name: nameOf(text), text, values })
      done += 1
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: callers }, caller))
  const perSecond = done / ((performance.now() - started) / 1000)
  await pool.end()
  return perSecond
}
