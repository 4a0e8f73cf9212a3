import type { FastifyRequest } from 'fastify'
import { AppError } from '../core/errors.ts'
import { type Caller, covers, type Rights } from '../core/rights.ts'
import { CallerMoved, type Calling } from '../db/along/calling.ts'
import { rightsInAbsence } from '../db/assignments.ts'
import { type ChangeOptions, change, type Tx } from '../db/change.ts'
import type { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'
import { madeFromOf } from './callers/known-callers.ts'
import { actorOf } from './context.ts'
import { signalOf } from './signal.ts'

/**
 * A change by whoever calls, who may do it when it is made: what it waited for may have been that they may not. Where
 * something of them was changed meanwhile it is made again, and they are looked at first.
 */
export async function changeAs<T>(
  request: FastifyRequest,
  work: (tx: Tx) => Promise<T>,
  options: Omit<ChangeOptions, 'by'> = {},
): Promise<T> {
  const { engine, clock } = request.server.house
  const { caller } = request
  const make = (isLookedAtFirst: boolean) => {
    const own = { signal: signalOf(request), ...options, by: callingOf(request, isLookedAtFirst) }
    return change(engine, caller.org, clock.now(), actorOf(request), work, own)
  }
  try {
    // Where there is no way to the database, nothing is gained by looking beside the work.
    return await make(engine.dialect.name === 'sqlite')
  } catch (error) {
    if (!(error instanceof CallerMoved)) throw error
    return make(true)
  }
}

function callingOf(request: FastifyRequest, isLookedAtFirst: boolean): Calling | undefined {
  const { caller } = request
  const madeFrom = madeFromOf(caller)
  const { by } = actorOf(request)
  const stillMay = async (handle: OrgHandle) => {
    const rights =
      (await isLoggedIn(handle, caller)) && (await rightsInAbsence(handle, { id: caller.id, ...(by ? { by } : {}) }))
    if (!rights) throw gone()
    if (!coversAll(rights, caller.rights)) throw changed()
  }
  return madeFrom && { ...madeFrom, stillMay, isLookedAtFirst }
}

/** Only a session ends by being gone. */
const isLoggedIn = async (handle: OrgHandle, { session }: Caller): Promise<boolean> =>
  !session ||
  (await handle.one(sql`select 1 as one from sessions t where t.org = :org and t.id = ${session.id}`)) !== undefined

const coversAll = (held: Rights, asked: Rights): boolean =>
  asked.entries().every(([permission, scope]) => covers(held.scopeOf(permission), scope))

const gone = () =>
  new AppError('UNAUTHORIZED', 'What you called with has ended while your change waited for others', {
    reason: 'invalid_credential',
  })

/** Where their rights end was looked at before: by the next time they ask it is known. */
const changed = () =>
  new AppError('CONFLICT', 'What you may do was changed while your change waited for others: send it again', {
    reason: 'caller_changed',
  })
