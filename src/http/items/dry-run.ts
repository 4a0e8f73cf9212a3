import type { FastifyReply, FastifyRequest } from 'fastify'
import { tooSlow } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import { Turns } from '../../db/turns/turns.ts'
import { etagOf } from '../answers/etag.ts'
import { changeAs } from '../change-as.ts'
import { signalOf } from '../signal.ts'
import type { Written } from './written.ts'

/** So long those who change something wait for one who only tries: less than they wait at all (db/turns/turns.ts). */
const HELD_MS = 4000

/**
 * Those who only try take turns among themselves first, one at a time in an organization: whoever changes something
 * waits for one of them at most, however many there are.
 */
const triersOf = perEngine(() => new Turns(Number.POSITIVE_INFINITY, 1))

/** Carries the answer out of the transaction that must not commit. */
class NothingKept extends Error {
  readonly written: Written
  readonly meta: object

  constructor(written: Written, meta: object) {
    super('a dry run keeps nothing')
    this.written = written
    this.meta = meta
  }
}

/**
 * `?dry_run=true`: everything is done and checked as always, then taken back. The answer is what it would be, and where
 * rights are touched also who would gain and lose which doors. Secrets are not shown: there is nothing they would open.
 */
export async function dryRun(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Tx) => Promise<Written>,
): Promise<FastifyReply> {
  const { engine, impactOf } = request.server.house
  const { org, rights } = request.caller
  const held = new AbortController()
  let timer: NodeJS.Timeout | undefined
  try {
    const trial = async (tx: Tx): Promise<never> => {
      const begin = () => {
        // It may be made again (`changeAs`).
        clearTimeout(timer)
        timer = setTimeout(() => held.abort(tooSlow()), HELD_MS)
      }
      tx.held().then(begin, () => undefined)
      const written = await work(tx)
      const access = tx.touchesAccess ? { access: await impactOf(tx, rights) } : {}
      throw new NothingKept(written, { dry_run: true, ...access })
    }
    const signal = AbortSignal.any([signalOf(request), held.signal])
    await triersOf(engine).take(org, () => changeAs(request, trial, { signal }), { signal })
  } catch (error) {
    if (!(error instanceof NothingKept)) throw error
    const { msg: told, secret, data, status = 200, location } = error.written
    // What would be said of the secret is not so: it is not shown.
    const msg = secret ? told.split(';', 1).join() : told
    const etag = etagOf(data)
    reply.code(status).header('cache-control', 'no-store')
    if (location) reply.header('location', location)
    if (etag) reply.header('etag', etag)
    return reply.send({ msg: `Dry run, nothing was kept: ${msg}`, data, meta: error.meta })
  } finally {
    clearTimeout(timer)
  }
  throw new Error('a dry run was kept')
}
