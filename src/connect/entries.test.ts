import { expect, it } from 'vitest'
import { startHouse } from '../../test/support/app.ts'
import type { Engine } from '../db/engine.ts'
import { changeLive } from '../live/live-transaction.ts'
import { notePut } from './entries.ts'

const { engine, clock } = await startHouse()
const SYSTEM = '01997d2a-4c00-7000-8000-00000000dead'

it.runIf(engine.dialect.name === 'sqlite')(
  'what a device has taken is noted by key, however many entries it holds',
  async () => {
    const texts: string[] = []
    const watched: Engine = {
      ...engine,
      transaction: (work, options) =>
        engine.transaction(
          (session) =>
            work({
              all: (text, values) => session.all(text, values),
              run: (text, values) => {
                texts.push(text)
                return session.run(text, values)
              },
              send: (text, values) => session.send(text, values),
              script: (text) => session.script(text),
            }),
          options,
        ),
    }
    const entries = Array.from({ length: 200 }, (_, n) => ({
      key: `credential:${n}`,
      fingerprint: 'print',
      ends_at: null,
    }))
    await changeLive(watched, 1, clock.now(), (tx) => notePut(tx, SYSTEM, entries, []))
    const [text = ''] = texts.filter((one) => one.startsWith('update device_entries'))
    const plan = await engine.reader.all<{ detail: string }>(`explain query plan ${text}`, [])
    // Gone through once, and the entry of each found: the other way round, all of them were looked at for each.
    expect(plan.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^SCAN json_each /),
      expect.stringMatching(/^SEARCH t .*\(org=\? AND access_control_system_id=\? AND entry_key=\?\)$/),
    ])
  },
)
