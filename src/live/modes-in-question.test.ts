import { expect, it } from 'vitest'
import { startHouse } from '../../test/support/app.ts'
import type { Engine, Extent } from '../db/engine.ts'
import { OrgHandle } from '../db/org.ts'
import { readsLittle } from '../db/sqlite/route.ts'
import { doorsInQuestion } from './modes-in-question.ts'

const { engine, clock } = await startHouse()

it.skipIf(process.env.ENGINE === 'postgres')(
  'every second, what is asked of all doors is read in the order of an index, and no thread is started for it',
  async () => {
    const asked: Array<{ text: string; values: unknown[]; extent: Extent | undefined }> = []
    const watched: Engine = {
      ...engine,
      reader: {
        ...engine.reader,
        all: (text, values, signal, extent) => {
          asked.push({ text, values, extent })
          return engine.reader.all(text, values, signal, extent)
        },
      },
    }
    for await (const _ of doorsInQuestion(new OrgHandle(watched, 1, clock.now())));
    const ofDoors = asked.filter(({ text }) => /from access_point(_state)?s /.test(text))
    expect(ofDoors).toHaveLength(2)
    for (const { text, values, extent } of ofDoors) {
      const plan = await engine.reader.all<{ detail: string }>(`explain query plan ${text}`, values)
      const details = plan.map(({ detail }) => detail)
      expect(typeof extent === 'number' && readsLittle(details, new Set(['l', 't']), extent), details.join()).toBe(true)
    }
  },
)
