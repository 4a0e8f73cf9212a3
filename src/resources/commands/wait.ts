import type { FastifyReply, FastifyRequest } from 'fastify'
import { wakersOf } from '../../connect/wake.ts'
import { getRow } from '../../db/rows.ts'
import { reading } from '../../http/context.ts'
import { signalOf } from '../../http/signal.ts'
import { type Command, commands } from './schema.ts'
import { areUnderWay } from './under-way.ts'

/** Nobody is kept longer than this: an answer begins within ten seconds. */
export const MAX_WAIT_SECONDS = 8

/** How long the caller wants to wait for the outcome (RFC 7240). */
function waitOf(request: FastifyRequest): number {
  const asked = [request.headers.prefer ?? []].flat().join(',')
  for (const preference of asked.split(',', 20)) {
    const [name, value = ''] = preference.split('=', 2)
    if (name?.trim().toLowerCase() === 'wait' && /^\s*"?\d{1,4}"?\s*$/.test(value))
      return Math.min(MAX_WAIT_SECONDS, Number(value.replace(/\D/g, '')))
  }
  return 0
}

/** Has queued commands sent at once, and where the caller would wait, waits. Gives them as they are then. */
export async function sendAndWait(
  request: FastifyRequest,
  reply: FastifyReply,
  made: readonly Command[],
): Promise<Map<string, Command>> {
  const { engine } = request.server.house
  for (const system of new Set(made.map(({ access_control_system_id }) => access_control_system_id)))
    wakersOf(engine).wake(request.caller.org, system)
  const seconds = waitOf(request)
  const ids = made.map(({ id }) => id)
  if (seconds > 0) {
    reply.header('preference-applied', `wait=${seconds}`)
    const end = performance.now() + seconds * 1000
    const isOver = () => performance.now() >= end || signalOf(request).aborted
    while (!isOver() && (await areUnderWay(request.server.house, request.caller.org, ids)));
  }
  const now = new Map<string, Command>()
  for (const id of ids) now.set(id, await getRow(reading(request), commands, id, request.scope))
  return now
}
