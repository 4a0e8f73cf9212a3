import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AppError, invalid } from '../../core/errors.ts'
import type { Static } from '../../core/schema.ts'
import { Type } from '../../core/schema.ts'
import { parsed } from '../../db/assignments.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import { updateRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { rawQueryOf } from '../../http/address.ts'
import { checkIfMatch } from '../../http/answers/etag.ts'
import { reading } from '../../http/context.ts'
import { Repeatable } from '../../http/items/idempotency.ts'
import { bodyOf, rowOf } from '../../http/items/item.ts'
import { write } from '../../http/items/write.ts'
import { signalOf } from '../../http/signal.ts'
import { booleanParameter, integerParameter, parseParameters } from '../../query/parameters.ts'
import { CalendarFill, CalendarFilling, fillingExample, MAX_YEAR, MAX_YEARS, MIN_YEAR } from './answers.ts'
import { askProposal } from './ask-proposal.ts'
import { type Filling, fillWith, proposedSoFar } from './filling.ts'
import type { Proposal, Question, Years } from './proposal.ts'
import { withDays } from './queries.ts'
import { type Calendar, type CalendarDay, calendars, MAX_DAYS } from './schema.ts'

const FILE_TYPE = 'text/calendar'
const FILE_BYTES = 1024 * 1024
const MAX_UNREAD = 100
const year = integerParameter(MIN_YEAR, MAX_YEAR)
const parameters = { from_year: year, to_year: year, dry_run: booleanParameter }
const yearSchema = Type.Integer({ minimum: MIN_YEAR, maximum: MAX_YEAR })
const ofFile = `Of a file (\`${FILE_TYPE}\`) alone`

export function fillRoute(app: FastifyInstance): void {
  app.register(async (scope) => {
    scope.addContentTypeParser(FILE_TYPE, { parseAs: 'string', bodyLimit: FILE_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(
      '/api/v1/calendars/:id/fill',
      {
        config: {
          permission: 'calendars:write',
          doc: {
            tag: calendars.plural,
            operationId: 'fillCalendar',
            summary: 'Fill a calendar with holidays',
            description:
              `Takes over the public holidays of a region, or the whole days of an iCalendar ` +
              `file (\`${FILE_TYPE}\`, at most 1 MiB, repeated events included). Days that somebody has edited or ` +
              `taken out since they were proposed stay as they are.`,
            parameters: [
              { name: 'from_year', description: `${ofFile}: the first year.`, schema: yearSchema, example: 2027 },
              { name: 'to_year', description: `${ofFile}: the last year.`, schema: yearSchema, example: 2028 },
              {
                name: 'dry_run',
                description: 'Says what would happen, and stores nothing; in JSON the body may say so too.',
                schema: Type.Boolean(),
              },
            ],
            body: {
              name: 'CalendarFill',
              schema: CalendarFill,
              files: { [FILE_TYPE]: { example: EXAMPLE_FILE } },
            },
            success: { status: 200, name: 'CalendarFilling', schema: CalendarFilling, example: fillingExample },
            errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'VERSION_CONFLICT'],
          },
        },
        schema: {
          body: {
            content: { 'application/json': { schema: CalendarFill }, [FILE_TYPE]: { schema: { type: 'string' } } },
          },
        },
      },
      fill,
    )
  })
}

async function fill(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const handle = reading(request)
  const found = await rowOf(request, handle, calendars, {})
  if (!Repeatable.of(request)) checkIfMatch(request, found)
  const { question, dry_run } = await questionOf(request, handle, found)
  // Before the change begins: nothing slow happens inside a transaction.
  const answer = await askProposal(question, signalOf(request))
  if (!('proposal' in answer)) throw refusal(question, 'refused' in answer ? answer.refused : '')
  const { proposal } = answer
  const region = question.ask === 'holidays' ? question.region : null
  request.isDryRun = dry_run
  return write(request, reply, async (tx) => {
    const current = await rowOf(request, tx, calendars, {})
    // With a key not before: what was done under it, and moved the version, is answered as it was.
    checkIfMatch(request, current)
    const filling = await fillingOf(tx, current, proposal)
    const stored = await store(tx, current, filling, proposal, current.region ?? region)
    return { msg: sentence(filling, dry_run), data: shown(filling, proposal, stored, dry_run) }
  })
}

async function questionOf(
  request: FastifyRequest,
  handle: OrgHandle,
  calendar: Calendar,
): Promise<{ question: Question; dry_run: boolean }> {
  const body = bodyOf<string | Static<typeof CalendarFill>>(request)
  if (typeof body === 'string') {
    const { from_year, to_year, dry_run = false } = parseParameters(rawQueryOf(request), parameters)
    if (from_year === undefined) throw missing('from_year')
    if (to_year === undefined) throw missing('to_year')
    return { question: { ask: 'ical', text: body, ...inOrder({ from_year, to_year }) }, dry_run }
  }
  const asked = parseParameters(rawQueryOf(request), { dry_run: booleanParameter })
  const { region = calendar.region, language, dry_run = false, ...years } = body
  if (!region)
    throw invalid(
      'region',
      'calendar.no_region',
      'region: the calendar has none; say whose holidays are meant, such as CH-ZH',
    )
  return {
    question: { ask: 'holidays', region, language: language ?? (await languageOf(handle)), ...inOrder(years) },
    dry_run: dry_run || asked.dry_run === true,
  }
}

const missing = (name: string) =>
  invalid(name, 'param.required', `Parameter "${name}" is needed with a file: the days of which years?`)

function inOrder({ from_year, to_year }: Years): Years {
  if (to_year >= from_year && to_year - from_year < MAX_YEARS) return { from_year, to_year }
  throw invalid(
    'to_year',
    'calendar.years',
    `to_year: it must be from_year or later, at most ${MAX_YEARS} years at once`,
  )
}

const refusal = ({ ask: asked }: Question, msg: string): AppError =>
  asked === 'ical' ? invalid('', 'calendar.not_ical', msg) : invalid('region', 'calendar.unknown_region', msg)

async function languageOf(handle: OrgHandle): Promise<string> {
  const row = await handle.one<{ language: string }>(sql`select t.language from organizations t where t.key = :org`)
  return row?.language ?? 'en'
}

async function proposedBefore(handle: OrgHandle, id: string): Promise<CalendarDay[]> {
  const row = await handle.one<{ proposed: CalendarDay[] | string }>(
    sql`select t.proposed from calendars t where t.org = :org and t.id = ${id}`,
  )
  return parsed<CalendarDay[]>(row?.proposed ?? [])
}

async function fillingOf(handle: OrgHandle, { id, days }: Calendar, proposal: Proposal): Promise<Filling> {
  const filling = fillWith(days, await proposedBefore(handle, id), proposal.days)
  if (filling.days.length <= MAX_DAYS) return filling
  const msg = `The calendar would have ${filling.days.length} days, and ${MAX_DAYS} are the most; fill fewer years`
  throw invalid('to_year', 'calendar.too_many_days', msg)
}

/** What changes nothing writes nothing. */
async function store(
  tx: Tx,
  current: Calendar,
  filling: Filling,
  proposal: Proposal,
  region: string | null,
): Promise<Calendar> {
  const before = await proposedBefore(tx, current.id)
  const proposed = proposedSoFar(before, proposal.days)
  const isSame =
    filling.added.length + filling.changed.length === 0 &&
    proposed.length === before.length &&
    region === current.region
  if (isSame) return current
  return await updateRow(tx, calendars, current, { ...withDays(filling.days), region, proposed }, 'filled')
}

const shown = ({ days: _, ...filling }: Filling, { unread }: Proposal, calendar: Calendar, dry_run: boolean) => ({
  dry_run,
  ...filling,
  unread: unread.slice(0, MAX_UNREAD),
  calendar,
})

const sentence = ({ added, changed, kept }: Filling, isDry: boolean): string =>
  `${isDry ? 'Would add' : 'Added'} ${added.length}, ${isDry ? 'change' : 'changed'} ${changed.length} and ` +
  `${isDry ? 'keep' : 'kept'} ${kept.length} days`

const EXAMPLE_FILE = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Example//EN',
  'BEGIN:VEVENT',
  'UID:1@example.com',
  'DTSTART;VALUE=DATE:20270801',
  'RRULE:FREQ=YEARLY',
  'SUMMARY:Company holiday',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n')
