import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OrgHandle } from '../../db/org.ts'
import { reading } from '../context.ts'

/** What brings up to date what an answer shows; undefined: it is. */
export type Outdated = (handle: OrgHandle) => (() => Promise<void>) | undefined

type Handler<Rest extends unknown[]> = (
  request: FastifyRequest,
  reply: FastifyReply,
  ...rest: Rest
) => FastifyReply | Promise<FastifyReply>

/**
 * Before an answer is made or taken from memory, what it shows is brought up to date, where that is stored. Not for
 * whoever is refused: `refuse` looks first whether there is anything to answer, for a refusal writes nothing.
 */
export function upToDate<Rest extends unknown[]>(
  outdatedFor: (request: FastifyRequest) => Outdated | undefined,
  refuse: (request: FastifyRequest, handle: OrgHandle) => Promise<unknown>,
  handler: Handler<Rest>,
): Handler<Rest> {
  return (request, reply, ...rest) => {
    const outdated = outdatedFor(request)
    if (!outdated) return handler(request, reply, ...rest)
    const handle = reading(request)
    const bring = outdated(handle)
    request.isBroughtUpToDate = true
    if (!bring) return handler(request, reply, ...rest)
    // Where nothing can be written, what is stored is shown.
    const failed = (err: unknown) => request.log.warn({ err }, 'what is shown could not be brought up to date')
    return refuse(request, handle)
      .then(() => bring().catch(failed))
      .then(() => handler(request, reply, ...rest))
  }
}
