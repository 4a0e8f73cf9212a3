import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openEngine } from '../../../test/support/app.ts'
import { atEnd } from '../../../test/support/at-end.ts'

const { engine, open, drop } = await openEngine({ isShared: true })
const other = await open()
atEnd(async () => {
  await Promise.all([engine.close(), other.close()])
  await drop()
})

it('whoever writes on and on lets another process have its turn', async () => {
  let left = 60
  const writing = Array.from({ length: left }, () =>
    engine.transaction(async (session) => {
      await session.run(`update organizations set name = 'x'`, [])
      await delay(20)
      left -= 1
    }),
  )
  await delay(50)
  await other.transaction((session) => session.run(`update organizations set name = 'y'`, []))
  expect(left).toBeGreaterThan(0)
  await Promise.all(writing)
})
