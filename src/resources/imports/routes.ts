import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, invalid } from '../../core/errors.ts'
import { type TSchema, Type } from '../../core/schema.ts'
import { isRecord } from '../../core/typed.ts'
import type { StoredAnswer } from '../../db/along/kept-answers.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'
import { checkIfMatch, etagOf } from '../../http/answers/etag.ts'
import { parseJson } from '../../http/body.ts'
import { requireRecentLoginFor } from '../../http/callers/recent-login.ts'
import { actorOf, reading } from '../../http/context.ts'
import { bodyOf, idOf } from '../../http/items/item.ts'
import { sendAnswer, write } from '../../http/items/write.ts'
import { listRoute } from '../../http/list-route.ts'
import { STEP_ERRORS } from '../../http/route-doc.ts'
import { itemSchema, NoBody } from '../../http/schemas.ts'
import { FORM, readUpload, unknownField } from '../../http/upload.ts'
import type { Writable } from '../../http/writes/writable.ts'
import { failedRowsRoute } from './failed-rows.ts'
import type { Mapping } from './mapping.ts'
import { digested, takeOnce } from './once.ts'
import { storedRights } from './run.ts'
import { ImportRunner } from './runner.ts'
import { type Import, imports } from './schema.ts'
import { decorateErrors, getImport, seenBy } from './sight.ts'
import { type Asked, storeImport } from './store.ts'
import { readTable } from './table-reader.ts'
import { toldOf } from './told.ts'

const PATH = '/api/v1/imports'
const tag = imports.plural

const mappingSchema = Type.Record(
  Type.String(),
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 100 }),
  {
    description:
      'Which field each column is, by its heading; null: none. A column that it does not have is what its heading ' +
      'says. Left out: as it was the last time, or as the headings say.',
    examples: [{ Vorname: 'given_name', Nachname: 'family_name' }],
  },
)

/** The same as JSON, for what is small and made by a program. */
const ImportCreate: TSchema = Type.Object(
  {
    resource: Type.String({
      maxLength: 100,
      description: 'What the rows become, as in the path.',
      examples: ['individuals'],
    }),
    rows: Type.Array(Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 200 }), {
      minItems: 1,
      maxItems: 10_001,
      description: 'The rows; the first names the columns.',
      examples: [
        [
          ['Vorname', 'Nachname'],
          ['Ada', 'Lovelace'],
        ],
      ],
    }),
    mapping: Type.Optional(mappingSchema),
    dry_run: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Only tried: `run` takes it in afterwards. Rows are tried some at a time, so who would gain or lose doors ' +
          'is not told.',
      }),
    ),
  },
  { additionalProperties: false },
)

const description =
  'Takes the rows of a CSV or XLSX file in: as a form with `resource`, `mapping` (JSON, may be left out), ' +
  '`dry_run` and, last, `file`; or the rows as JSON. The first row names the columns; they are known by the ' +
  'names of fields and by English and German words, and a mapping that you sent is remembered for the same ' +
  'headings. A row with an `external_id` or `id` makes the item or changes it; without, it makes one. Items ' +
  'are referred to by id or, where you may read them, by external_id, name, code or number. A cell that is empty ' +
  `clears what may be null. A day without an hour is its beginning in the organization's time zone; of ` +
  '`valid_until`, its end. Each row is taken in by your own rights, as by a single call; those that fail leave ' +
  'the others as they are. Whoever logs in needs to have done so lately where a single call wants it. Users get ' +
  'their invitations by mail; without mail nobody sees a link, and somebody who has logged in makes each theirs ' +
  '(`POST /api/v1/users/{id}/invite`). Tokens, webhooks and OAuth applications are not made from files: what ' +
  'is shown once of them would be shown to nobody. Small files are done with the answer; of larger ones ' +
  '`row_done` says how far it has come.'

/** Files that are taken in: by whom they were sent, for whatever they could write row by row. */
export function importRoutes(app: FastifyInstance): void {
  const { engine, clock } = app.house
  const runner = new ImportRunner({ engine, clock, logger: app.log, writables: app.writables })
  app.decorate('imports', runner)
  app.addHook('onClose', () => runner.stop())

  listRoute(app, PATH, imports, {
    permission: 'imports:read',
    own: (caller) => [seenBy(app, caller)],
    decorate: decorateErrors,
    doc: {
      tag,
      operationId: 'listImports',
      summary: 'List imports',
      description: imports.description,
      success: { status: 200, name: 'Import', schema: itemSchema(imports) },
    },
  })
  app.get(
    `${PATH}/:id`,
    {
      config: {
        permission: 'imports:read',
        doc: {
          tag,
          operationId: 'getImport',
          summary: 'Get an import',
          description: 'How far it has come, and the first faults by cell.',
          success: { status: 200, name: 'Import', schema: itemSchema(imports) },
          errors: ['NOT_FOUND'],
        },
      },
    },
    async (request, reply) => {
      const data = await getImport(request, reading(request))
      return reply.header('cache-control', 'no-store').send({ msg: 'Retrieved import', data })
    },
  )
  // In a scope of its own: the parser is for this route alone.
  app.register(async (scope) => {
    scope.addContentTypeParser(FORM, (_request, body, done) => done(null, body))
    createRoute(scope, runner)
  })
  stepRoutes(app, runner)
  failedRowsRoute(app)
}

function createRoute(app: FastifyInstance, runner: ImportRunner): void {
  app.post(
    PATH,
    {
      config: {
        permission: 'imports:write',
        doc: {
          tag,
          operationId: 'createImport',
          summary: 'Import a file',
          description,
          body: {
            name: 'ImportCreate',
            schema: ImportCreate,
            files: { [FORM]: { example: 'resource=individuals&file=@people.csv' } },
          },
          success: { status: 201, name: 'Import', schema: itemSchema(imports) },
          hasEtag: true,
          errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'SERVICE_UNAVAILABLE'],
        },
      },
      schema: { body: { content: { 'application/json': { schema: ImportCreate }, [FORM]: { schema: {} } } } },
    },
    async (request, reply) => {
      const { engine, clock } = request.server.house
      const { asked, lots } = await sentBy(request)
      const writable = await writableFor(request, asked.resource)
      const parts = { engine, clock, logger: request.log, writables: app.writables }
      const maker = { org: request.caller.org, actor: actorOf(request) }
      const answer = await takeOnce(request, lots, {
        store: (last) => storeImport(parts, maker, writable, asked, lots, last),
        begin: (id, tell) => runner.begin(request.caller.org, id, tell),
        answer: async (handle, id) => answerOf(await getImport(request, handle, id)),
      })
      return sendAnswer(reply, answer)
    },
  )
}

function answerOf(data: Import): StoredAnswer {
  const body = JSON.stringify({ msg: toldOf(data), data })
  return { status: 201, location: `${PATH}/${data.id}`, etag: etagOf(data) ?? null, body }
}

async function sentBy(request: FastifyRequest): Promise<{ asked: Asked; lots: AsyncIterable<string[][]> }> {
  if (request.body instanceof Readable) {
    const fields: FormFields = {}
    const { fileName, format, file } = await readUpload(request, request.body, (name, text) =>
      readField(fields, name, text),
    )
    const { resource, dry_run = false } = fields
    if (resource === undefined)
      throw invalid(
        'resource',
        'body.required',
        'resource is required, before the file: what the rows become, such as individuals',
      )
    const asked = { resource, mapping: mappingIn(fields.mapping), dry_run: dry_run || request.isDryRun, fileName }
    return { asked, lots: readTable(format, digested(request, asked, file)) }
  }
  const {
    resource,
    rows,
    mapping,
    dry_run = false,
  } = bodyOf<{ resource: string; rows: string[][]; mapping?: Mapping; dry_run?: boolean }>(request)
  return { asked: { resource, mapping, dry_run: dry_run || request.isDryRun, fileName: null }, lots: inLots(rows) }
}

/** What stands before the file in a form. */
interface FormFields {
  resource?: string
  mapping?: unknown
  dry_run?: boolean
}

function readField(fields: FormFields, name: string, text: string): void {
  if (name === 'resource') fields.resource = text
  else if (name === 'mapping') fields.mapping = parseJson(Buffer.from(text))
  else if (name !== 'dry_run') throw unknownField(name)
  else if (text === 'true' || text === 'false') fields.dry_run = text === 'true'
  else throw invalid('dry_run', 'body.enum', 'dry_run must be true or false')
}

async function* inLots(rows: string[][]): AsyncGenerator<string[][]> {
  for (let at = 0; at < rows.length; at += 500) yield rows.slice(at, at + 500)
}

function mappingIn(value: unknown): Mapping | undefined {
  if (value === undefined) return undefined
  if (!isMapping(value))
    throw invalid('mapping', 'body.type', 'mapping must be an object: a field, or null, for each heading')
  return value
}

const isMapping = (value: unknown): value is Mapping =>
  isRecord(value) && Object.values(value).every((field) => field === null || typeof field === 'string')

/** What the caller may write row by row: whatever a single call would ask of them is asked before the first. */
async function writableFor(request: FastifyRequest, noun: string): Promise<Writable> {
  const { writables } = request.server
  const writable = writables.get(noun)
  if (writable?.isShownOnce) {
    const told =
      `resource: ${writable.resource.plural} are not made from files, since what is shown once of each would be ` +
      'shown to nobody'
    throw invalid('resource', 'import.resource', `${told}; make them one by one, or in a batch`)
  }
  if (!writable) {
    const nouns = [...writables].filter(([, { isShownOnce }]) => !isShownOnce).map(([name]) => name)
    throw invalid(
      'resource',
      'import.resource',
      `resource must be one of ${nouns.join(', ')}; got ${JSON.stringify(noun.slice(0, 60))}`,
    )
  }
  const { permission, options } = writable
  if (!request.caller.rights.can(permission))
    throw new AppError('UNAUTHORIZED', `This needs the permission ${permission}, which your role does not have`, {
      status: 403,
      reason: 'insufficient_permissions',
    })
  requireRecentLoginFor(request, permission)
  await options.beforeWrite?.(request)
  return writable
}

const steps = [
  {
    verb: 'run',
    from: ['checked'],
    summary: 'Run an import that was tried',
    description: 'Takes in what was tried, by the rights of whoever runs it.',
    set: sql`status = 'running', dry_run = ${false}, row_done = 0, created = 0, changed = 0, unchanged = 0, failed = 0,
      claimed_until = null`,
  },
  {
    verb: 'cancel',
    from: ['reading', 'checking', 'checked', 'running'],
    summary: 'Cancel an import',
    description: 'What is in stays; the rest is left.',
    set: sql`status = 'cancelled', claimed_until = null`,
  },
] as const

/** Whoever runs it is who does it: nobody takes in by the rights of another. */
async function makerOf(request: FastifyRequest, { resource }: Import): Promise<Sql> {
  await writableFor(request, resource)
  const { rights, ...actor } = actorOf(request)
  return sql`, maker_id = ${actor.id}, actor = ${JSON.stringify(actor)},
    rights = ${JSON.stringify(rights ? storedRights(rights) : [])}`
}

function stepRoutes(app: FastifyInstance, runner: ImportRunner): void {
  for (const { verb, from, summary, description, set } of steps) {
    app.post(
      `${PATH}/:id/${verb}`,
      {
        config: {
          permission: 'imports:write',
          doc: {
            tag,
            operationId: `${verb}Import`,
            summary,
            description,
            success: { status: 200, name: 'Import', schema: itemSchema(imports) },
            hasEtag: true,
            errors: STEP_ERRORS,
          },
        },
        schema: { body: NoBody },
      },
      async (request, reply) => {
        const answer = await write(request, reply, async (tx) => {
          const before = await getImport(request, tx)
          checkIfMatch(request, before)
          if (!from.some((one) => one === before.status))
            throw new AppError('INVALID_STATE', `This import is ${before.status}: there is nothing to ${verb}`, {
              reason: 'import.status',
            })
          const maker = verb === 'run' ? await makerOf(request, before) : raw('')
          await tx.run(sql`update imports as t set ${set}${maker}, updated_at = ${tx.now}, version = version + 1
            where t.org = :org and t.id = ${before.id}`)
          const after = await getImport(request, tx)
          // What was in the cells is no part of the record: it is kept for 14 days, not for years.
          const [{ errors: _, ...was }, { errors: __, ...is }] = [before, after]
          tx.record({ action: `import.${verb}`, resource: 'imports', resourceId: before.id, before: was, after: is })
          return { msg: toldOf(after), data: after }
        })
        if (verb === 'run' && !request.isDryRun)
          await runner.begin(request.caller.org, idOf(request), async () => undefined)
        return answer
      },
    )
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    imports: ImportRunner
  }
}
