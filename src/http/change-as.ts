import type { FastifyRequest } from 'fastify'
import { covers, type Rights } from '../core/rights.ts'
import { CallerMoved } from '../db/along/caller-moved.ts'
import { type ChangeOptions, change, type Tx } from '../db/change.ts'
import { madeFromOf } from './callers/known-callers.ts'
import { actorOf } from './context.ts'
import { signalOf } from './signal.ts'

/** So often a caller is found anew, where what it may do is being changed all the time. */
const ATTEMPTS = 5

/**
 * A change by whoever calls, who may do it when it is made: what it waited for may have been that they may not. Where
 * something of them was changed meanwhile they are found anew, and it is made again.
 */
export async function changeAs<T>(
  request: FastifyRequest,
  work: (tx: Tx) => Promise<T>,
  options: Omit<ChangeOptions, 'madeFrom'> = {},
): Promise<T> {
  const { engine, clock } = request.server.house
  for (let attempt = 1; ; attempt++) {
    const { caller } = request
    const own = { signal: signalOf(request), ...options, madeFrom: madeFromOf(caller) }
    try {
      return await change(engine, caller.org, clock.now(), actorOf(request), work, own)
    } catch (error) {
      if (!(error instanceof CallerMoved) || attempt === ATTEMPTS) throw error
      await findAnew(request, error)
    }
  }
}

/** Whoever may do less by now is told so when they ask again: where their rights end was looked at before. */
async function findAnew(request: FastifyRequest, error: CallerMoved): Promise<void> {
  const caller = await request.server.house.authenticate(request)
  if (!coversAll(caller.rights, request.caller.rights)) throw error
  request.caller = caller
}

const coversAll = (held: Rights, asked: Rights): boolean =>
  asked.entries().every(([permission, scope]) => covers(held.scopeOf(permission), scope))
