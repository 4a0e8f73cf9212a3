import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inShort } from '../../access/shown.ts'
import { Refused } from '../../connect/connector.ts'
import { type Act, deviceActs, doorActs, drive } from '../../connect/simulator/drive.ts'
import { AppError, invalid } from '../../core/errors.ts'
import { getRow, isSeen } from '../../db/rows.ts'
import { noSuch } from '../../db/scope.ts'
import { withPinGuarded } from '../../http/callers/pin-guesses.ts'
import { reading } from '../../http/context.ts'
import { bodyOf, idOf } from '../../http/items/item.ts'
import { accessPoints } from '../access-points/schema.ts'
import { accessControlSystems } from './schema.ts'
import { exampleSimulator, Simulator, SimulatorAct } from './simulator-answers.ts'

const URL = '/api/v1/access-control-systems/:id/simulator'
const tag = accessControlSystems.plural

/** A virtual controller, looked at and played with: only systems of kind simulator have one. */
export function simulatorRoutes(app: FastifyInstance): void {
  app.get(
    URL,
    {
      config: {
        permission: 'access-control-systems:read',
        doc: {
          tag,
          operationId: 'getSimulator',
          summary: 'Get the virtual controller of a simulator',
          description:
            'Only systems of kind simulator have one (409). Counts are null when your role is limited to places.',
          success: { status: 200, name: 'Simulator', schema: Simulator, example: exampleSimulator },
          errors: ['NOT_FOUND', 'INVALID_STATE'],
        },
      },
    },
    async (request, reply) => {
      const id = await simulatorOf(request)
      const { state } = await drive(request.server.house, request.caller.org, id)
      return sent(request, reply, 'Retrieved the simulator', { ...state, decision: null, reason: null })
    },
  )
  app.post(
    URL,
    {
      config: {
        permission: 'access-control-systems:simulate',
        doc: {
          tag,
          operationId: 'playSimulator',
          summary: 'Play something at a simulator',
          description:
            `At a door of it (${doorActs.join(', ')}; say which by access_point_id), or with the ` +
            `controller itself (${deviceActs.join(', ')}). It decides by the table that it was last given, by its ` +
            `own clock, whether or not it can be reached; what it has to tell comes in as of any other system. A ` +
            `swipe with a PIN is for callers with \`access-decisions:check-pin\` at that door, and tells of so ` +
            `many wrong ones only, as a decision does.`,
          body: {
            name: 'SimulatorAct',
            schema: SimulatorAct,
            example: { action: 'swipe', access_point_id: '01997d2a-4c00-7000-8000-000000000001', number: '4711' },
          },
          success: { status: 200, name: 'Simulator', schema: Simulator, example: exampleSimulator },
          errors: [
            'VALIDATION_ERROR',
            'NOT_FOUND',
            'INVALID_STATE',
            'UNSUPPORTED_MEDIA_TYPE',
            'PAYLOAD_TOO_LARGE',
            'RATE_LIMITED',
          ],
          isRepeatable: false,
        },
      },
      schema: { body: SimulatorAct },
    },
    async (request, reply) => {
      const act = bodyOf<Act>(request)
      await checkDoor(request, act)
      const id = await simulatorOf(request)
      try {
        const { outcome, state } = await withPinGuarded(
          reading(request),
          request.caller,
          readBy(act),
          () => drive(request.server.house, request.caller.org, id, act, request.isDryRun),
          (driven) => driven.outcome,
        )
        const data = { ...state, decision: outcome?.decision ?? null, reason: outcome?.reason ?? null }
        return sent(request, reply, outcome ? inShort(outcome) : `Played ${act.action}`, data)
      } catch (error) {
        if (error instanceof Refused)
          throw new AppError('INVALID_STATE', error.message, { reason: `simulator.${error.code}` })
        throw error
      }
    },
  )
}

/** Only a swipe tells anything of a PIN. */
const readBy = ({ action, access_point_id = '', pin, type = 'card', number, facility_code }: Act) => ({
  access_point_id,
  pin: action === 'swipe' ? pin : null,
  type,
  number,
  facility_code,
})

async function simulatorOf(request: FastifyRequest): Promise<string> {
  const system = await getRow(reading(request), accessControlSystems, idOf(request), request.scope)
  if (system.kind === 'simulator') return system.id
  throw new AppError(
    'INVALID_STATE',
    `This system is of kind ${system.kind}: only one of kind simulator can be played with`,
    {
      reason: 'simulator.other_kind',
    },
  )
}

/** A door outside what the caller may see is one that does not exist. */
async function checkDoor(request: FastifyRequest, { action, access_point_id }: Act): Promise<void> {
  const isAtDoor = doorActs.some((one) => one === action)
  if (access_point_id === undefined) {
    if (isAtDoor)
      throw invalid(
        'access_point_id',
        'body.required',
        `access_point_id: say at which door to ${action.replaceAll('_', ' ')}`,
      )
    return
  }
  if (await isSeen(reading(request), accessPoints, access_point_id, request.scope)) return
  throw noSuch('access_point_id', accessPoints, access_point_id, request.scope)
}

function sent(request: FastifyRequest, reply: FastifyReply, msg: string, data: Record<string, unknown>): FastifyReply {
  const shown = request.scope === 'all' ? data : { ...data, entries: null, events_waiting: null }
  const body = request.isDryRun
    ? { msg: `Dry run, nothing was kept: ${msg}`, data: shown, meta: { dry_run: true } }
    : { msg, data: shown }
  return reply.header('cache-control', 'no-store').send(body)
}
