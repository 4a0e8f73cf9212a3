import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CommandAction, commandActions } from '../../connect/connector.ts'
import { AppError, invalid } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { findRow, getRow } from '../../db/rows.ts'
import { noSuch } from '../../db/scope.ts'
import { checkIfMatch } from '../../http/answers/etag.ts'
import { reading } from '../../http/context.ts'
import { bodyIfAny, bodyOf, idOf } from '../../http/items/item.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { write } from '../../http/items/write.ts'
import { itemSchema } from '../../http/schemas.ts'
import { accessPoints } from '../access-points/schema.ts'
import { CommandsCreate, CommandsMade, exampleCommands, Ordering, Unlocking } from './bodies.ts'
import { queueCommand } from './queries.ts'
import { type Command, commands } from './schema.ts'
import { MAX_WAIT_SECONDS, sendAndWait } from './wait.ts'

const WAIT = `\`Prefer: wait=5\` waits so many seconds for the outcome, at most ${MAX_WAIT_SECONDS}.`
const errors = [
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'INVALID_STATE',
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
] as const

const sentences: Record<CommandAction, { summary: string; description: string }> = {
  unlock: {
    summary: 'Unlock an access point',
    description: 'For some seconds, or until it is locked or released. A blocked door stays blocked: release it first.',
  },
  lock: {
    summary: 'Lock an access point',
    description:
      'Ends an unlocking. It is no lockdown: whoever may, opens the door all the same. A blocked door stays blocked.',
  },
  block: { summary: 'Block an access point', description: 'Nobody gets in until it is released.' },
  release: {
    summary: 'Release an access point',
    description: 'Ends an unlocking or a block: the door follows its schedule again.',
  },
}

export function commandRoutes(app: FastifyInstance): void {
  resourceRoutes(app, commands, { operations: ['list', 'get'] })
  for (const action of commandActions) actionAtDoor(app, action)
  manyDoors(app)
}

function actionAtDoor(app: FastifyInstance, action: CommandAction): void {
  const schema = action === 'unlock' ? Unlocking : Ordering
  const { summary, description } = sentences[action]
  app.post(
    `/api/v1/access-points/:id/${action}`,
    {
      config: {
        permission: 'access-points:unlock',
        doc: {
          tag: commands.plural,
          operationId: `${action}AccessPoint`,
          summary,
          description:
            `${description} Queues a command, which is sent once or not at all; the door’s own event confirms ` +
            `it. ${WAIT} A door that no connected system drives cannot be told anything (409).`,
          body: { name: action === 'unlock' ? 'DoorUnlocking' : 'DoorOrder', schema, required: false },
          success: { status: 201, name: 'Command', schema: itemSchema(commands) },
          errors: [...errors, 'VERSION_CONFLICT'],
          hasEtag: true,
        },
      },
      schema: { body: { ...schema, type: ['object', 'null'] } },
    },
    async (request, reply) =>
      write(
        request,
        reply,
        async (tx) => {
          const door = await getRow(tx, accessPoints, idOf(request), request.scope)
          checkIfMatch(request, door)
          const order = { ...bodyIfAny(request, schema), action }
          const data = await queueCommand(tx, door, order, request.scope)
          return { msg: told(data, door.name), status: 201, location: `/api/v1/commands/${data.id}`, data }
        },
        {
          after: async ({ data: made }) => {
            const data = (await sendAndWait(request, reply, [made])).get(made.id) ?? made
            const door = await findRow(reading(request), accessPoints, String(data.access_point_id), request.scope)
            return { msg: told(data, door?.name ?? 'the door'), data }
          },
        },
      ),
  )
}

/** What became of it so far. */
function told({ action, status, sent_at, error_message }: AnyRow, door: string): string {
  const what = `${action} of ${door}`
  if (status === 'failed') return `The ${what} failed: ${error_message}`
  if (status === 'timed_out')
    return `The ${what} ${sent_at === null ? 'could not be sent' : 'was not confirmed'} in time`
  return `${{ queued: 'Queued', sent: 'Sent', confirmed: 'Confirmed' }[String(status)]} ${what}`
}

/** The same of many: how many were queued, and what became of those that are it no more. */
function toldOf(results: readonly Result[]): string {
  const made = results.flatMap(({ command }) => (command === null ? [] : [String(command.status)]))
  const ended = [...Map.groupBy(made, (status) => status)].filter(([status]) => status !== 'queued')
  const since = ended.map(([status, all]) => `${all.length} ${status.replace('_', ' ')}`).join(', ')
  return `Queued ${made.length} of ${results.length} commands${since && `: ${since}`}`
}

interface Result {
  access_point_id: string
  status: number
  command: Command | null
  error: { code: string; reason: string | null; msg: string } | null
}

function manyDoors(app: FastifyInstance): void {
  app.post(
    '/api/v1/commands',
    {
      config: {
        permission: 'access-points:unlock',
        doc: {
          tag: commands.plural,
          operationId: 'createCommands',
          summary: 'Create commands for up to 100 access points',
          description:
            'Each as by its own action, in one go: what one door cannot do the others do all the same, and its ' +
            `result says why. Where none can, the first one’s error is the answer. ${WAIT}`,
          body: { name: 'CommandsCreate', schema: CommandsCreate },
          success: { status: 201, name: 'CommandsMade', schema: CommandsMade, example: exampleCommands },
          errors,
        },
      },
      schema: { body: CommandsCreate },
    },
    async (request, reply) =>
      write(
        request,
        reply,
        async (tx) => {
          const results = await queueAll(tx, request)
          const queued = results.filter(({ command }) => command !== null).length
          return {
            msg: toldOf(results),
            status: 201,
            location: '/api/v1/commands',
            data: { queued, results },
          }
        },
        { after: async ({ data }) => refreshed(request, reply, data) },
      ),
  )
}

/** Said of anything but an unlocking, these would mean nothing, and nobody would notice. */
const UNLOCKING = ['seconds', 'until_released'] as const
const ofUnlocking = (name: string) =>
  invalid(name, 'command.unlock_only', `${name}: only an unlocking lasts for a while; leave it out`)

async function queueAll(tx: Tx, request: FastifyRequest): Promise<Result[]> {
  const { access_point_ids, ...order } = bodyOf(request, CommandsCreate)
  if (order.action !== 'unlock') for (const name of UNLOCKING) if (name in order) throw ofUnlocking(name)
  const results: Result[] = []
  let first: AppError | undefined
  for (const [index, typed] of access_point_ids.entries()) {
    const id = typed.toLowerCase()
    try {
      const door = await findRow(tx, accessPoints, id, request.scope)
      if (!door) throw noSuch(`access_point_ids[${index}]`, accessPoints, id, request.scope)
      const command = await queueCommand(tx, door, order, request.scope)
      results.push({ access_point_id: id, status: 201, command, error: null })
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      first ??= error
      const { code, status, message: msg, reason = null } = error
      results.push({ access_point_id: id, status, command: null, error: { code, reason, msg } })
    }
  }
  if (first && results.every(({ command }) => command === null)) throw first
  return results
}

async function refreshed(
  request: FastifyRequest,
  reply: FastifyReply,
  data: { queued: number; results: Result[] },
): Promise<{ msg: string; data: AnyRow }> {
  const queued = data.results
  const made = queued.flatMap(({ command }) => (command === null ? [] : [command]))
  const now = await sendAndWait(request, reply, made)
  const results = queued.map((result) => ({ ...result, command: now.get(String(result.command?.id)) ?? null }))
  return { msg: toldOf(results), data: { ...data, results } }
}
