import type { FastifyInstance, FastifyRequest } from 'fastify'
import { actionRoute } from '../../http/items/action.ts'
import { bodyIfAny } from '../../http/items/item.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { acknowledge, close } from './queries.ts'
import { AlarmNote, alarms } from './schema.ts'

const body = {
  name: 'AlarmNote',
  schema: AlarmNote,
  required: false,
  example: { note: 'Courier wedged the door; sent away' },
}
const permission = 'alarms:acknowledge'
const noteOf = (request: FastifyRequest): string | null => bodyIfAny(request, AlarmNote).note ?? null

export function alarmRoutes(app: FastifyInstance): void {
  resourceRoutes(app, alarms, { operations: ['list', 'get'] })
  actionRoute(app, alarms, {
    verb: 'acknowledge',
    permission,
    summary: 'Acknowledge an alarm',
    description: 'Says that somebody has taken note, with a note. One whose cause is over is closed by it.',
    body,
    run: async (tx, row, request) => ({
      msg: 'Acknowledged alarm',
      data: await acknowledge(tx, row, noteOf(request)),
    }),
  })
  actionRoute(app, alarms, {
    verb: 'close',
    permission,
    summary: 'Close an alarm',
    description:
      'Ends it, whether or not what raised it is over: the next event of its kind makes another. A duress, of which ' +
      'no event tells that it is over, leaves the state of its door.',
    body,
    run: async (tx, row, request) => ({ msg: 'Closed alarm', data: await close(tx, row, noteOf(request)) }),
  })
}
