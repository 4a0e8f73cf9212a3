import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startHouse } from '../../test/support/app.ts'
import { listen } from '../../test/support/raw-http.ts'
import type { Tx } from '../db/change.ts'
import { reading } from './context.ts'
import { write } from './items/write.ts'
import { signalOf } from './signal.ts'

interface Held {
  signal: AbortSignal
  done: Promise<unknown>
}
let holding = Promise.withResolvers<Held>()

/** Has everything done but the commit when the caller leaves. */
const holdsUntilLeft = (signal: AbortSignal) => async (tx: Tx) => {
  tx.event({ action: 'test.updated', resource: 'tests', resourceId: null, before: null, after: null })
  if (!signal.aborted) await once(signal, 'abort')
  return { msg: 'Held', data: {} }
}

const { app, owner, engine } = await startHouse({
  prepare: (app) => {
    const config = { permission: 'locations:read' } as const
    const hold = (signal: AbortSignal, done: Promise<unknown>) => {
      done.catch(() => undefined)
      holding.resolve({ signal, done })
      return done
    }
    app.post('/api/v1/held', { config }, (request, reply) => {
      const signal = signalOf(request)
      return hold(signal, write(request, reply, holdsUntilLeft(signal)))
    })
    app.get('/api/v1/read', { config }, (request) => {
      const signal = signalOf(request)
      const handle = reading(request)
      return hold(
        signal,
        once(signal, 'abort').then(() => handle.query('select 1 as one', [])),
      )
    })
  },
})
const port = await listen(app)

async function leaveDuring(line: string): Promise<Held> {
  holding = Promise.withResolvers()
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `${line} HTTP/1.1\r\nHost: gatehouse.test\r\nAuthorization: Token ${owner.token}\r\nContent-Length: 0\r\n\r\n`,
  )
  const held = await holding.promise
  socket.destroy()
  return held
}

it('a change whose caller leaves before the commit is rolled back', async () => {
  const { done } = await leaveDuring('POST /api/v1/held')
  await expect(done).rejects.toThrow('Whoever asked has gone')
  expect(await engine.reader.all(`select 1 from audit_log where action = 'test.updated'`, [])).toEqual([])
})

it('nothing more is read for a caller who has left', async () => {
  const { done } = await leaveDuring('GET /api/v1/read')
  await expect(done).rejects.toThrow('Whoever asked has gone')
})
