import type { FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'
import { covers, type Rights } from '../../core/rights.ts'
import { rightsInAbsence } from '../../db/assignments.ts'
import { OrgHandle } from '../../db/org.ts'
import { rightsNow } from '../callers/rights-now.ts'
import { actorOf } from '../context.ts'

/** Looked at so often, as with streams. */
const CHECK_MS = 1000

/**
 * A file may be taken for as long as its reader likes: who may not read all of it any more gets no more of it, and the
 * connection ends before the file does.
 */
export async function* whileAllowed<T>(
  request: FastifyRequest,
  pieces: AsyncIterable<T>,
  checkMs = CHECK_MS,
): AsyncGenerator<T> {
  let checkedAt = performance.now()
  for await (const piece of pieces) {
    if (performance.now() - checkedAt >= checkMs) {
      if (!(await mayStillRead(request))) throw takenAway()
      checkedAt = performance.now()
    }
    yield piece
  }
}

async function mayStillRead(request: FastifyRequest): Promise<boolean> {
  const { caller, routeOptions, scope } = request
  const { permission } = routeOptions.config
  const rights = caller.credential === 'session' ? await rightsNow(request) : await rightsWithout(request)
  if (rights === undefined || permission === undefined) return false
  return permission === 'self' || covers(rights.scopeOf(permission), scope)
}

/** An access token lasts for minutes: here it is whom and what it stands for. */
async function rightsWithout(request: FastifyRequest): Promise<Rights | undefined> {
  const { caller, server } = request
  const { engine, clock } = server.house
  const { by } = actorOf(request)
  const handle = new OrgHandle(engine, caller.org, clock.now())
  return rightsInAbsence(handle, { id: caller.id, ...(by ? { by } : {}) })
}

const takenAway = () => new AppError('UNAUTHORIZED', 'The right to read this was taken away while it was read')
