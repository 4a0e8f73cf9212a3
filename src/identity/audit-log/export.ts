import type { FastifyInstance } from 'fastify'
import { conditionsFor, decorateAuditEntries, lastSequence } from '../../audit/entries.ts'
import { auditLog } from '../../audit/schema.ts'
import { csvLine } from '../../core/csv.ts'
import { Type } from '../../core/schema.ts'
import { visibleNames } from '../../db/resource.ts'
import { rawQueryOf } from '../../http/address.ts'
import { exporting } from '../../http/context.ts'
import { columnsOf } from '../../http/lists/columns.ts'
import { sendExport } from '../../http/lists/export.ts'
import { type Format, formatParameter, formats } from '../../http/lists/formats.ts'
import { openList } from '../../http/lists/open.ts'
import { piecesOf } from '../../http/lists/pieces.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { fault, type Parameter, parseParameters, timestampParameter, uuidParameter } from '../../query/parameters.ts'
import type { ListQuery } from '../../query/parse.ts'

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
    'A file with every entry that fits, in the order of events, however many there are; it is sent as it is read. ' +
    'NDJSON has one entry per line, as the list shows them; CSV has a line of names, and `before` and `after` as ' +
    'JSON. The list itself can be had as a file too, with filters of any kind. In CSV a text that a spreadsheet ' +
    'would run as a formula is led by an apostrophe. An answer that breaks off before its end is incomplete. The ' +
    'export itself is recorded, before its first line is sent.',
  parameters: [
    {
      name: 'format',
      description: 'What kind of file.',
      schema: Type.Unsafe<Format>({ type: 'string', enum: Object.keys(formats), default: 'ndjson' }),
    },
    {
      name: 'from',
      description: 'Only what happened at this instant or later.',
      schema: instant,
      example: '2026-05-01T00:00:00Z',
    },
    {
      name: 'to',
      description: 'Only what happened before this instant.',
      schema: instant,
      example: '2026-06-01T00:00:00Z',
    },
    { name: 'action', description: 'Only this action.', schema: Type.String(), example: 'key.issued' },
    {
      name: 'resource',
      description: 'Only this kind of item, as in its path.',
      schema: Type.String(),
      example: 'keys',
    },
    { name: 'resource_id', description: 'Only this item.', schema: id },
    { name: 'actor_id', description: 'Only what this user or service user did.', schema: id },
  ],
  success: {
    status: 200,
    description: 'The file.',
    files: {
      [formats.ndjson.type]: { example: `${JSON.stringify(example)}\n` },
      [formats.csv.type]: { example: csvLine(Object.keys(example)) + csvLine(Object.values(example)) },
      [formats.xlsx.type]: { example: 'PK…' },
    },
  },
  errors: ['VALIDATION_ERROR'],
}

export function exportRoute(app: FastifyInstance): void {
  app.get(
    `/api/v1/${auditLog.noun}/export`,
    { config: { permission: 'audit-log:read', doc } },
    async (request, reply) => {
      const { format = 'ndjson', ...filter } = parseParameters(rawQueryOf(request), parameters)
      const handle = exporting(request)
      const where = await conditionsFor(handle, filter, await lastSequence(handle))
      const list = await openList(request, handle, auditLog, wholeList, {
        hasPlace: false,
        decorate: (own, rows, _caller, names) => decorateAuditEntries(own, rows, names),
        conditions: () => ({ where }),
      })
      const columns = columnsOf(auditLog, wholeList, visibleNames(auditLog))
      return sendExport(request, reply, handle, {
        resource: auditLog,
        format,
        columns,
        scope: list.scope,
        pieces: piecesOf(list),
        asked: filter,
      })
    },
  )
}

const wholeList: ListQuery = { page: 1, limit: 1, order: [], select: null, search: null, filters: [], extra: {} }
