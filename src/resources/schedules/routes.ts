import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import { weekdays } from '../../core/time/schedule.ts'
import { isTimeZone } from '../../core/time/time-zone.ts'
import { DAY_MS } from '../../core/time/zone.ts'
import type { OrgHandle } from '../../db/org.ts'
import { getSeen } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { rawQueryOf } from '../../http/address.ts'
import { cachedGet } from '../../http/answers/cached-get.ts'
import { rowOf } from '../../http/items/item.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import {
  dateParameter,
  fault,
  integerParameter,
  type Parameter,
  parseParameters,
  timestampParameter,
} from '../../query/parameters.ts'
import { ScheduleStateAnswer, ScheduleTimeline, stateExample, timelineExample } from './answers.ts'
import { factsOf, prepareSchedule } from './queries.ts'
import { type Schedule, schedules } from './schema.ts'
import { dateIn, stateAt, timelineOf } from './when.ts'

const MAX_TIMELINE_DAYS = 366
const MAX_SPANS = 2000
const errors = ['VALIDATION_ERROR', 'NOT_FOUND'] as const

const zoneParameter: Parameter<string> = {
  parse(name, value) {
    if (!isTimeZone(value)) throw fault(name, 'param.not_time_zone', value, 'an IANA time zone such as Europe/Zurich')
    return value
  },
}

const zoneDoc = {
  name: 'time_zone',
  description:
    'Where the hours of a schedule without a time zone of its own are read; the organization’s time zone ' +
    'unless given.',
  schema: Type.String(),
  example: 'Europe/Zurich',
}

export function scheduleRoutes(app: FastifyInstance): void {
  resourceRoutes(app, schedules, { prepare: prepareSchedule })

  app.get(
    '/api/v1/schedules/:id/state',
    {
      config: {
        permission: 'schedules:read',
        doc: {
          tag: schedules.plural,
          operationId: 'getScheduleState',
          summary: 'Is a schedule open at an instant?',
          description: 'Whether it is open, since when and until when, or when it opens next.',
          parameters: [
            {
              name: 'at',
              description: 'The instant; now unless given.',
              schema: Type.String({ format: 'date-time' }),
              example: '2026-05-04T19:40:00Z',
            },
            zoneDoc,
          ],
          success: { status: 200, name: 'ScheduleState', schema: ScheduleStateAnswer, example: stateExample },
          errors,
        },
      },
    },
    cachedGet(
      async (request, handle) => {
        const { at = handle.now, time_zone } = parseParameters(rawQueryOf(request), {
          at: timestampParameter,
          time_zone: zoneParameter,
        })
        const { schedule, zone } = await askedFor(request, handle, time_zone)
        const data = stateAt(await factsOf(handle, schedule), zone, Date.parse(at))
        return { msg: `The schedule is ${data.open ? 'open' : 'closed'}`, data }
      },
      false,
      true,
    ),
  )

  app.get(
    '/api/v1/schedules/:id/timeline',
    {
      config: {
        permission: 'schedules:read',
        doc: {
          tag: schedules.plural,
          operationId: 'getScheduleTimeline',
          summary: 'When is a schedule open?',
          description: 'Every span in which it is open over so many days, with its holidays and the changes of clocks.',
          parameters: [
            {
              name: 'from',
              description: 'The first day; today unless given.',
              schema: Type.String({ format: 'date' }),
              example: '2026-05-14',
            },
            {
              name: 'days',
              description: 'How many days.',
              schema: Type.Integer({ minimum: 1, maximum: MAX_TIMELINE_DAYS, default: 7 }),
              example: 2,
            },
            zoneDoc,
          ],
          success: { status: 200, name: 'ScheduleTimeline', schema: ScheduleTimeline, example: timelineExample },
          errors,
        },
      },
    },
    cachedGet(
      async (request, handle) => {
        const {
          from,
          days = 7,
          time_zone,
        } = parseParameters(rawQueryOf(request), {
          from: dateParameter,
          days: integerParameter(1, MAX_TIMELINE_DAYS),
          time_zone: zoneParameter,
        })
        const { schedule, zone } = await askedFor(request, handle, time_zone)
        const first = from ?? dateIn(zone, Date.parse(handle.now))
        refuseTooMuch(schedule, first, days)
        const data = timelineOf(await factsOf(handle, schedule), zone, first, days)
        return { msg: `The schedule is open ${data.spans.length === 1 ? 'once' : `${data.spans.length} times`}`, data }
      },
      false,
      true,
    ),
  )
}

const busiestDay = ({ windows, holiday_windows }: Schedule): number =>
  Math.max(
    holiday_windows.length,
    ...weekdays.map((day) => windows.filter((window) => window.days.includes(day)).length),
  )

/** Others wait while spans are worked out, and beyond the year 9999 there is no way to write a day. */
function refuseTooMuch(schedule: Schedule, first: string, days: number): void {
  if (Date.parse(first) + days * DAY_MS >= Date.parse('9999-12-31'))
    throw fault('from', 'param.out_of_range', first, 'days before the last of the year 9999')
  const fitting = Math.floor(MAX_SPANS / Math.max(1, busiestDay(schedule)))
  if (days > fitting)
    throw fault(
      'days',
      'param.out_of_range',
      String(days),
      `at most ${fitting} days, for the many windows that this schedule has on a day`,
    )
}

async function askedFor(request: FastifyRequest, handle: OrgHandle, asked: string | undefined) {
  const schedule = await rowOf(request, handle, schedules, {}, getSeen)
  if (schedule.time_zone !== null && asked !== undefined && asked !== schedule.time_zone) {
    const msg =
      `Parameter "time_zone": this schedule has a time zone of its own, ${schedule.time_zone}; leave the ` +
      'parameter out'
    throw invalid('time_zone', 'schedule.own_time_zone', msg)
  }
  return { schedule, zone: schedule.time_zone ?? asked ?? (await organizationZone(handle)) }
}

async function organizationZone(handle: OrgHandle): Promise<string> {
  const row = await handle.one<{ time_zone: string }>(sql`select t.time_zone from organizations t where t.key = :org`)
  return row?.time_zone ?? 'UTC'
}
