import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'
import { type Static, Type } from '../../core/schema.ts'
import { getRow, getSeen } from '../../db/rows.ts'
import { cachedGet } from '../../http/answers/cached-get.ts'
import { checkIfMatch } from '../../http/answers/etag.ts'
import { formatsOffered } from '../../http/answers/formats-offered.ts'
import { exporting } from '../../http/context.ts'
import { bodyOf, idOf } from '../../http/items/item.ts'
import { write } from '../../http/items/write.ts'
import { FORM, readUpload, unknownField } from '../../http/upload.ts'
import { Plan, PlanChange, PlanChanged } from './answers.ts'
import { type Cell, changeCells, readPlan } from './plan.ts'
import {
  MAX_BYTES,
  MAX_COLUMNS,
  MAX_ROWS,
  type PlanFormat,
  planFormats,
  readPlanFile,
  writePlanFile,
} from './plan-file.ts'
import { importPlan, planRows } from './plan-import.ts'
import { lockingSystems } from './schema.ts'

const PATH = '/api/v1/locking-system/:id/plan'
const tag = 'locking plans'
const EXAMPLE = 'Cylinder,Label,Door,GHS,HS1\r\n101,Front,Main entrance,x,x\r\n102,,Archive,x,\r\n'
const files = { [planFormats.csv]: { example: EXAMPLE }, [planFormats.xlsx]: { example: 'PK…' } }
const limits = `at most ${MAX_BYTES / 1024 / 1024} MiB, ${MAX_ROWS - 1} cylinders and ${MAX_COLUMNS - 3} key types`

const formats = formatsOffered({ json: 'application/json', ...planFormats })

export function planRoutes(app: FastifyInstance): void {
  readRoute(app)
  cellsRoute(app)
  importRoute(app)
}

function readRoute(app: FastifyInstance): void {
  const asJson = cachedGet(async (request, handle) => {
    const system = await getSeen(handle, lockingSystems, idOf(request), request.scope)
    const data = await readPlan(handle, system.id, request.scope)
    return { msg: `Retrieved the locking plan of ${system.name}`, data }
  }, false)
  app.get(
    PATH,
    {
      config: {
        permission: 'key-types:read',
        doc: {
          tag,
          operationId: 'getLockingPlan',
          summary: 'Get a locking plan',
          description:
            'The matrix of a locking system: its key types, its cylinders, and a cell where the key type opens the ' +
            'cylinder. Of a system that lies outside the places that your role is limited to, the cylinders in ' +
            'doors there and the key types that open them. As a file (`format`, or the header `Accept`) it has a ' +
            'row for each cylinder with its number, label and door, and a column for each key type, with an x ' +
            'where it opens. In CSV a text that a spreadsheet would run as a formula is led by an apostrophe.',
          parameters: [formats.doc('What kind of answer.')],
          success: { status: 200, name: 'LockingPlan', schema: Plan, files },
          errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
        },
      },
    },
    (request, reply) => {
      const format = formats.asked(request)
      return format === 'json' ? asJson(request, reply) : sendFile(request, reply, format)
    },
  )
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, format: PlanFormat): Promise<FastifyReply> {
  const handle = exporting(request)
  const system = await getSeen(handle, lockingSystems, idOf(request), request.scope)
  const bytes = await writePlanFile(format, await planRows(handle, system.id, request.scope, request.caller.rights))
  return reply
    .header('content-type', format === 'csv' ? `${planFormats.csv}; charset=utf-8` : planFormats.xlsx)
    .header('content-disposition', `attachment; filename="locking-plan.${format}"`)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'accept')
    .send(bytes)
}

function cellsRoute(app: FastifyInstance): void {
  app.post(
    `${PATH}/cells`,
    {
      config: {
        permission: 'key-types:write',
        doc: {
          tag,
          operationId: 'changeLockingPlanCells',
          summary: 'Set and clear cells of a locking plan',
          description:
            'Sets the cells in `set` (the key type opens the cylinder) and clears those in `clear`, all or none. ' +
            'Cells that already are as asked stay as they are; the answer counts what changed. Key types and ' +
            'cylinders of another locking system are refused.',
          body: { name: 'LockingPlanChange', schema: PlanChange },
          success: { status: 200, name: 'LockingPlanChanged', schema: PlanChanged },
          errors: [
            'NOT_FOUND',
            'VALIDATION_ERROR',
            'IDEMPOTENCY_IN_PROGRESS',
            'IDEMPOTENCY_KEY_REUSED',
            'PAYLOAD_TOO_LARGE',
          ],
        },
      },
      schema: { body: PlanChange },
    },
    async (request, reply) =>
      write(request, reply, async (tx) => {
        const system = await getRow(tx, lockingSystems, idOf(request), request.scope)
        const { set = [], clear = [] } = bodyOf<{ set?: Cell[]; clear?: Cell[] }>(request)
        const data = await changeCells(tx, system, { set, clear })
        return { msg: `Set ${data.set} and cleared ${data.cleared} cells of the locking plan of ${system.name}`, data }
      }),
  )
}

const PlanRows = Type.Object(
  {
    rows: Type.Array(Type.Array(Type.String({ maxLength: 500 }), { maxItems: MAX_COLUMNS }), {
      maxItems: MAX_ROWS,
      description: 'The rows of the file, the first with the names of the columns.',
      examples: [
        [
          ['Cylinder', 'Label', 'Door', 'GHS', 'HS1'],
          ['101', 'Front', 'Main entrance', 'x', 'x'],
        ],
      ],
    }),
  },
  { additionalProperties: false },
)

class SentFile {
  readonly format: PlanFormat
  readonly bytes: Buffer
  constructor(format: PlanFormat, bytes: Buffer) {
    this.format = format
    this.bytes = bytes
  }

  /** What a repeated request is known by: megabytes written out as numbers would hold everybody up. */
  toJSON(): string[] {
    return [this.format, hash('sha256', this.bytes, 'hex')]
  }
}

/** The file of a form, as if it had been sent by itself. */
async function fileIn(request: FastifyRequest, body: Readable): Promise<SentFile> {
  const { format, file } = await readUpload(request, body, (name) => {
    throw unknownField(name)
  })
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of file) {
    pieces.push(piece)
    size += piece.length
    if (size > MAX_BYTES)
      throw new AppError('PAYLOAD_TOO_LARGE', `The file is larger than ${MAX_BYTES / 1024 / 1024} MiB`)
  }
  return new SentFile(format, Buffer.concat(pieces))
}

function importRoute(app: FastifyInstance): void {
  app.register(async (scope) => {
    for (const format of ['csv', 'xlsx'] as const)
      scope.addContentTypeParser(
        planFormats[format],
        { parseAs: 'buffer', bodyLimit: MAX_BYTES },
        (_request, body: Buffer, done) => done(null, new SentFile(format, body)),
      )
    scope.addContentTypeParser(FORM, (_request, body, done) => done(null, body))
    scope.post(
      `${PATH}/import`,
      {
        config: {
          permission: 'key-types:write',
          doc: {
            tag,
            operationId: 'importLockingPlan',
            summary: 'Import a locking plan',
            description:
              `Takes the plan as CSV or XLSX, as the body or as the \`file\` of a form (or its rows as ` +
              `JSON), as \`GET …/plan?format=csv\` gives it (${limits}; in CSV commas, semicolons or tabs). ` +
              `Cylinders are known by their number and key types by their code; labels and doors are for people ` +
              `and not changed. Every cell of the file becomes as it stands there: x opens, empty does not. What ` +
              `the file does not name stays as it is. All or nothing: faults are told by cell (\`path\`: B7), ` +
              `at most 100 at once. With \`dry_run=true\` it is said what would change.`,
            body: {
              name: 'LockingPlanRows',
              schema: PlanRows,
              files: { ...files, [FORM]: { example: 'file=@plan.xlsx' } },
            },
            success: { status: 200, name: 'LockingPlanChanged', schema: PlanChanged },
            errors: [
              'NOT_FOUND',
              'VALIDATION_ERROR',
              'VERSION_CONFLICT',
              'IDEMPOTENCY_IN_PROGRESS',
              'IDEMPOTENCY_KEY_REUSED',
              'PAYLOAD_TOO_LARGE',
              'UNSUPPORTED_MEDIA_TYPE',
              'SERVICE_UNAVAILABLE',
            ],
          },
        },
        schema: {
          body: {
            content: {
              'application/json': { schema: PlanRows },
              ...Object.fromEntries([planFormats.csv, planFormats.xlsx, FORM].map((type) => [type, { schema: {} }])),
            },
          },
        },
      },
      async (request, reply) => {
        if (request.body instanceof Readable) request.body = await fileIn(request, request.body)
        const body = bodyOf<SentFile | Static<typeof PlanRows>>(request)
        // Before the change begins: nothing slow happens inside a transaction.
        await getRow(exporting(request), lockingSystems, idOf(request), request.scope)
        const rows = body instanceof SentFile ? await readPlanFile(body.format, body.bytes) : body.rows
        return write(request, reply, async (tx) => {
          const system = await getRow(tx, lockingSystems, idOf(request), request.scope)
          checkIfMatch(request, system)
          const data = await importPlan(tx, system, rows)
          return {
            msg: `Set ${data.set} and cleared ${data.cleared} cells of the locking plan of ${system.name}`,
            data,
          }
        })
      },
    )
  })
}
