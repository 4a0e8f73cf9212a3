import type { FastifyRequest, onSendHookHandler } from 'fastify'
import type { Caller } from '../../core/rights.ts'
import type { Engine } from '../../db/engine.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import { openHandedOut, sealToHandOut } from '../../db/sealing.ts'

// A change answers with the version of the data that it left. A request that names it is answered from that version or
// a later one, whichever process takes it. How many changes there were tells of others' work: the number is sealed.

const HEADER = 'data-version'
const MAX_CHARACTERS = 200

const contextOf = (org: number): string => `data version ${org}`

export const stampVersion: onSendHookHandler = async (request, reply, payload) => {
  const { engine } = request.server.house
  if (!request.caller || reply.statusCode >= 300 || request.isDryRun) return payload
  const { org } = request.caller
  const { data, live } = await engine.versions(org)
  const sealed = sealedVersion(engine, org, `${data}.${live}`)
  if (sealed !== undefined) reply.header(HEADER, sealed)
  return payload
}

/** The last of each organization: those that are answered at once, as events are, have it in common. */
const lastSealed = perEngine(() => new Map<number, { version: string; sealed: string }>())

function sealedVersion(engine: Engine, org: number, version: string): string | undefined {
  const last = lastSealed(engine).get(org)
  if (last?.version === version) return last.sealed
  const sealed = sealToHandOut(engine, version, contextOf(org))
  if (sealed !== undefined) lastSealed(engine).set(org, { version, sealed })
  return sealed
}

/**
 * Who calls, as it is from the version on that the request names: what they may do may have come with it. `find` finds
 * them out.
 */
export function callerSince(
  request: FastifyRequest,
  caller: Caller,
  find: (request: FastifyRequest) => Caller | Promise<Caller>,
): Caller | Promise<Caller> {
  const named = request.headers[HEADER]
  if (named === undefined) return caller
  const { engine } = request.server.house
  const { org } = caller
  const opened =
    typeof named === 'string' && named.length <= MAX_CHARACTERS
      ? openHandedOut(engine, named, contextOf(org))
      : undefined
  // One that does not open, as of another organization or key, may be any: the database itself is asked.
  const [data = Number.POSITIVE_INFINITY, live = 0] = opened?.split('.').map(Number) ?? []
  const versions = engine.versions(org, { data, live })
  return versions instanceof Promise ? versions.then(() => find(request)) : find(request)
}
