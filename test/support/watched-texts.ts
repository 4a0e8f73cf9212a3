import { vi } from 'vitest'
import type { Engine, Session } from '../../src/db/engine.ts'

/** A reader, and the texts of what is asked through it. */
export function watchTexts({ reader }: Engine): { watching: Engine['reader']; asked: string[] } {
  const asked: string[] = []
  const watching = new Proxy(reader, {
    get: (target, name) =>
      name === 'all'
        ? (text: string, values: unknown[]) => {
            asked.push(text)
            return target.all(text, values)
          }
        : Reflect.get(target, name),
  })
  return { watching, asked }
}

/** What transactions ask from now on: what they wait for, and what they send along. */
export function watchTransactions(engine: Engine): { waited: string[]; sent: string[] } {
  const waited: string[] = []
  const sent: string[] = []
  const { transaction } = engine
  const watching = (session: Session): Session => ({
    all: (text, ...rest) => {
      waited.push(text)
      return session.all(text, ...rest)
    },
    run: (text, values) => {
      waited.push(text)
      return session.run(text, values)
    },
    send: (text, values) => {
      sent.push(text)
      return session.send(text, values)
    },
    script: (text) => session.script(text),
  })
  vi.spyOn(engine, 'transaction').mockImplementation(
    (work, options) => transaction.call(engine, (session) => work(watching(session)), options) as never,
  )
  return { waited, sent }
}
