import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { csvLine } from '../../audit/csv.ts'
import { type AuditEntry, type EntryFilter, eachEntry, lastSequence } from '../../audit/entries.ts'
import { auditLog } from '../../audit/schema.ts'
import { Type } from '../../core/schema.ts'
import { change } from '../../db/change.ts'
import { visibleNames } from '../../db/resource.ts'
import { sendLarge } from '../../http/coding.ts'
import { actorOf, exporting, rawQueryOf } from '../../http/context.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { signalOf } from '../../http/signal.ts'
import { fault, type Parameter, parseParameters, timestampParameter, uuidParameter } from '../../query/parameters.ts'
import { exportPlaces } from './export-places.ts'

const FORMATS = {
  ndjson: { type: 'application/x-ndjson', line: (entry: AuditEntry) => `${JSON.stringify(entry)}\n`, head: '' },
  csv: { type: 'text/csv', line: (entry: AuditEntry) => csvLine(names.map((name) => entry[name])), head: csvLine(visibleNames(auditLog)) },
} as const
const names = visibleNames(auditLog)

type Format = keyof typeof FORMATS

const formatParameter: Parameter<Format> = {
  parse(name, value) {
    if (!Object.hasOwn(FORMATS, value)) throw fault(name, 'param.not_offered', value, Object.keys(FORMATS).join(' or '))
    return value as Format
  },
}

const textParameter: Parameter<string> = {
  parse(name, value) {
    if (value === '' || value.length > 200) throw fault(name, 'param.length', value, '1 to 200 characters')
    return value
  },
}

const parameters = {
  format: formatParameter,
  from: timestampParameter,
  to: timestampParameter,
  action: textParameter,
  resource: textParameter,
  resource_id: uuidParameter,
  actor_id: uuidParameter,
}

const example = {
  id: '01997d2a-4c00-7000-8000-000000000001',
  sequence: 42,
  occurred_at: '2026-05-04T08:30:00.000Z',
  action: 'location.created',
  resource: 'locations',
  resource_id: '01997d2a-4c00-7000-8000-000000000002',
  actor_kind: 'service_user',
  actor_id: '01997d2a-4c00-7000-8000-000000000003',
  actor_name: 'HR synchronisation',
  address: '192.0.2.7',
  req_id: 'req_1781512345678000100001',
  before: null,
  after: { name: 'Zürich' },
}

const instant = Type.String({ format: 'date-time' })
const id = Type.String({ format: 'uuid' })

const doc: RouteDoc = {
  tag: 'audit log',
  operationId: 'exportAuditEntries',
  summary: 'Export audit entries',
  description:
    'A file with every entry that fits, in the order of events, however many there are; it is sent as it is read. NDJSON has one entry per line, as the list shows them; CSV has a line of names, and `before` and `after` as JSON. In CSV a text that a spreadsheet would run as a formula is led by an apostrophe. An answer that breaks off before its end is incomplete. The export itself is recorded, before its first line is sent.',
  parameters: [
    {
      name: 'format',
      description: 'What kind of file.',
      schema: Type.Unsafe<Format>({ type: 'string', enum: Object.keys(FORMATS), default: 'ndjson' }),
    },
    { name: 'from', description: 'Only what happened at this instant or later.', schema: instant, example: '2026-05-01T00:00:00Z' },
    { name: 'to', description: 'Only what happened before this instant.', schema: instant, example: '2026-06-01T00:00:00Z' },
    { name: 'action', description: 'Only this action.', schema: Type.String(), example: 'key.issued' },
    { name: 'resource', description: 'Only this kind of item, as in its path.', schema: Type.String(), example: 'keys' },
    { name: 'resource_id', description: 'Only this item.', schema: id },
    { name: 'actor_id', description: 'Only what this user or service user did.', schema: id },
  ],
  success: {
    status: 200,
    description: 'The file.',
    files: {
      [FORMATS.ndjson.type]: { example: FORMATS.ndjson.line(example) },
      [FORMATS.csv.type]: { example: FORMATS.csv.head + FORMATS.csv.line(example) },
    },
  },
  errors: ['VALIDATION_ERROR'],
}

export function exportRoute(app: FastifyInstance): void {
  app.get(`/api/v1/${auditLog.noun}/export`, { config: { permission: 'audit-log:read', doc } }, async (request, reply) => {
    const { format = 'ndjson', ...filter } = parseParameters(rawQueryOf(request), parameters)
    const handle = exporting(request)
    const { type, head, line } = FORMATS[format]
    const name = `audit-log-${handle.now.slice(0, 19).replaceAll(':', '')}Z.${format}`
    // Entries belong to the organization as a whole: whoever is limited to places sees none of them.
    const until = request.scope === 'all' ? await lastSequence(handle) : 0
    // Whoever asks for the headers alone is shown no entry.
    const isShown = request.method !== 'HEAD'
    const leave = isShown ? exportPlaces(handle.engine).take(handle.org) : undefined
    try {
      if (isShown) await record(request, format, filter)
    } catch (error) {
      leave?.()
      throw error
    }
    // Last: where one of these fails, the answer is no file.
    reply
      .header('content-type', `${type}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('cache-control', 'no-store')
    if (!leave) return reply.send('')
    const lines = async function* () {
      if (head !== '') yield head
      for await (const entries of eachEntry(handle, filter, until)) yield entries.map(line).join('')
    }
    // A piece at a time: the next is read when the last has been taken.
    const body = Readable.from(lines(), { objectMode: false, highWaterMark: 1 })
    body.once('close', leave)
    return sendLarge(reply, body)
  })
}

async function record(request: FastifyRequest, format: Format, filter: EntryFilter): Promise<void> {
  const { engine, clock } = request.server.house
  await change(
    engine,
    request.caller.org,
    clock.now(),
    actorOf(request),
    async (tx) => {
      tx.event({ action: 'audit_log.exported', resource: auditLog.noun, resourceId: null, before: null, after: { format, ...filter } })
    },
    { signal: signalOf(request) },
  )
}
