import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { historySince, settingsAt } from '../../access/as-of.ts'
import { inSlices, type Listing, listingPage, listingPieces } from '../../access/lists/listing.ts'
import { type DoorsAsked, doorsOf, peopleAt } from '../../access/lists/openers.ts'
import { type UnaccountedKey, unaccountedKeys } from '../../access/lists/unaccounted.ts'
import type { Settings } from '../../access/settings.ts'
import { notFound } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import { Type } from '../../core/schema.ts'
import type { HistoryTable } from '../../db/along/history.ts'
import { defaultOrderOf } from '../../db/lists/asked-list.ts'
import type { ListPage } from '../../db/lists/list.ts'
import { listRecords } from '../../db/lists/list-records.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow, Resource } from '../../db/resource.ts'
import { resourcesOf } from '../../db/resources.ts'
import { isSeen } from '../../db/rows.ts'
import { limitsOf, seenOf, sightOf, sightOfUnstored } from '../../db/scope.ts'
import { sql } from '../../db/sql.ts'
import { pathOf, rawQueryOf } from '../../http/address.ts'
import { cachedGet } from '../../http/answers/cached-get.ts'
import { upToDate } from '../../http/answers/up-to-date.ts'
import { exporting } from '../../http/context.ts'
import { idOf } from '../../http/items/item.ts'
import { listMessage, placeOf } from '../../http/list-route.ts'
import { columnsOf } from '../../http/lists/columns.ts'
import { startOf } from '../../http/lists/cursor.ts'
import { outdatedEmbeds } from '../../http/lists/embed.ts'
import { sendExport } from '../../http/lists/export.ts'
import { type Format, formatDoc, formatParameter, pageOrFile } from '../../http/lists/formats.ts'
import { pick } from '../../http/lists/open.ts'
import { itemSchema } from '../../http/schemas.ts'
import { linkHeader, metaA } from '../../query/meta.ts'
import { timestampParameter } from '../../query/parameters.ts'
import { EVERY_PARAMETER, type ListQuery, parseListQuery } from '../../query/parse.ts'
import { accessPoints } from '../access-points/schema.ts'
import { individuals } from '../individuals/schema.ts'
import { keys } from '../keys/schema.ts'
import { spaces } from '../spaces/schema.ts'
import { compare, momentsOf } from './compare.ts'
import { entrants, openable, openableChanges, openerChanges, openers } from './schema.ts'
import { refuseUnseen, showTo } from './sight.ts'

const instant = Type.String({ format: 'date-time' })
const asOf = {
  name: 'as_of',
  description: 'Under the settings as they were then; those of now unless said.',
  schema: instant,
}
const at = { name: 'at', description: 'The moment that is asked about; now unless said, or as_of.', schema: instant }
const between = [
  { name: 'from', description: 'The first moment; a day before the second unless said.', schema: instant },
  { name: 'to', description: 'The second moment; now unless said.', schema: instant },
  {
    ...asOf,
    description:
      'Both under the settings as they were then; unless said, each under its own (of a moment to come: those of now).',
  },
]

interface Question {
  /** Under the item's own address. */
  segment: string
  of: Resource
  /** The permission under which the item itself is seen, where it is not the route's own. */
  sees?: 'individuals:read'
  rows: Resource
  changes: Resource
  name: string
  operation: string
  summary: string
  /** What is listed, and the doors whose lost keys are told of. */
  listing(
    handle: OrgHandle,
    id: string,
    rows: Resource,
    scope: Scope,
  ): Promise<{ listing: Listing; doors?: DoorsAsked }>
}

const questions: readonly Question[] = [
  {
    segment: 'who-can-open',
    of: accessPoints,
    rows: openers,
    changes: openerChanges,
    name: 'Opener',
    operation: 'WhoCanOpen',
    summary: 'List who can open an access point',
    async listing(_handle, id, rows) {
      const doors = async () => [id]
      return { listing: peopleAt(rows, doors), doors }
    },
  },
  {
    segment: 'who-can-enter',
    of: spaces,
    rows: entrants,
    changes: openerChanges,
    name: 'Entrant',
    operation: 'WhoCanEnter',
    summary: 'List who can enter a space',
    async listing(_handle, id, rows) {
      const doors: DoorsAsked = async (settings) => {
        const found = await settings.handle.all<{ id: string }>(
          sql`select t.id from ${settings.from('access_points', 't')} where t.org = :org and t.space_id = ${id}`,
        )
        // Put in order here: for that, SQLite would walk all doors by their ids instead of finding those of the space.
        return found.map((door) => door.id).sort()
      }
      return { listing: peopleAt(rows, doors), doors }
    },
  },
  {
    segment: 'can-open',
    of: individuals,
    sees: 'individuals:read',
    rows: openable,
    changes: openableChanges,
    name: 'OpenableAccessPoint',
    operation: 'CanOpen',
    summary: 'List what an individual can open',
    async listing(handle, id, rows, scope) {
      // Rows of another day lack what triggers write.
      const seenUnder = async ({ asOf }: Settings) =>
        (await (asOf === undefined ? sightOf : sightOfUnstored)(handle, accessPoints, scope)).seen
      return { listing: doorsOf(rows, id, seenUnder) }
    },
  },
]

/** Who can open a door, who can enter a space, what somebody can open: at any moment, under the settings of any day. */
export function whoCanOpenRoutes(app: FastifyInstance): void {
  for (const question of questions) {
    listing(app, question)
    changes(app, question)
  }
}

function listing(app: FastifyInstance, question: Question): void {
  const { rows, of, segment } = question
  const { fieldsOf } = resourcesOf(app.house.engine)
  const parameters = { at: timestampParameter, as_of: timestampParameter, format: formatParameter }
  const asked = (request: FastifyRequest) =>
    parseListQuery(rawQueryOf(request), rows.fields, EVERY_PARAMETER, parameters, fieldsOf)
  const outdated = outdatedEmbeds(app.house.engine, (request) => asked(request).embeds)
  const opened = async (request: FastifyRequest, handle: OrgHandle) => {
    const query = asked(request)
    refuseUnseen(request.caller.rights, query)
    const settings = await settingsAt(handle, query.extra.as_of)
    const id = await subjectOf(request, handle, question, [settings])
    const { listing: made, doors } = await question.listing(handle, id, rows, request.scope)
    return { query, made, doors, settings, moment: query.extra.at ?? settings.asOf ?? handle.now }
  }
  app.get(
    `/api/v1/${of.noun}/:id/${segment}`,
    {
      config: {
        permission: 'access-points:audience',
        doc: {
          tag: of.plural,
          operationId: `list${question.operation}`,
          summary: question.summary,
          description:
            `${rows.description} \`allowed=eq.true\` gives those for whom it opens at that moment. Lost ` +
            `and stolen keys that still open it are in meta.`,
          list: { resource: rows, shape: 'A', offered: EVERY_PARAMETER, isExported: true, fieldsOf },
          parameters: [at, asOf, formatDoc(rows)],
          success: { status: 200, name: question.name, schema: itemSchema(rows) },
          errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
        },
      },
    },
    pageOrFile(
      upToDate(
        outdated,
        opened,
        cachedGet(
          async (request, handle) => {
            const { query, made, doors, settings, moment } = await opened(request, handle)
            const page = await listingPage(made, settings, moment, query, startOf(request, handle, rows, query))
            const lost = doors ? unaccounted(await lostKeys(request, settings, await doors(settings))) : {}
            return answer(request, handle, rows, query, page, lost)
          },
          false,
          true,
        ),
      ),
      upToDate(outdated, opened, async (request, reply, format: Format) => {
        const handle = exporting(request)
        const { query, made, settings, moment } = await opened(request, handle)
        return sendRows(request, reply, handle, rows, query, format, listingPieces(made, settings, moment, query))
      }),
    ),
  )
}

/** The rows as they are answered, as a file. */
function sendRows(
  request: FastifyRequest,
  reply: FastifyReply,
  handle: OrgHandle,
  rows: Resource,
  query: ListQuery,
  format: Format,
  pieces: AsyncIterable<AnyRow[]>,
): Promise<FastifyReply> {
  const names = query.select ?? Object.keys(rows.fields)
  const shown = async function* () {
    for await (const piece of pieces) {
      await showTo(handle, request.caller, piece, query)
      yield piece.map((row) => pick(row, names))
    }
  }
  const columns = columnsOf(rows, query, names)
  return sendExport(request, reply, handle, { resource: rows, format, columns, scope: request.scope, pieces: shown() })
}

const SHOWN_KEYS = 100

/** Undefined: the caller may not see them, or not all. */
async function lostKeys({ caller: { rights } }: FastifyRequest, settings: Settings, doors: readonly string[]) {
  if (!rights.can('keys:read')) return undefined
  const lost = await unaccountedKeys(settings, doors)
  const seen = await seenOf(
    settings.handle,
    keys,
    rights,
    lost.map(({ key_id }) => key_id),
  )
  return lost.every(({ key_id }) => seen.has(key_id)) ? lost : undefined
}

/**
 * Null: the caller may not see keys, so it is not told that there are none. A key that turns in two of the doors is one
 * key.
 */
const unaccounted = (keys: readonly UnaccountedKey[] | undefined): object => ({
  unaccounted_keys: keys ? new Set(keys.map(({ key_id }) => key_id)).size : null,
  unaccounted: keys ? keys.slice(0, SHOWN_KEYS) : null,
})

function changes(app: FastifyInstance, question: Question): void {
  const { changes: rows, of, segment } = question
  const { fieldsOf } = resourcesOf(app.house.engine)
  const opened = async (request: FastifyRequest, handle: OrgHandle) => {
    const parameters = {
      from: timestampParameter,
      to: timestampParameter,
      as_of: timestampParameter,
      format: formatParameter,
    }
    const query = parseListQuery(rawQueryOf(request), rows.fields, EVERY_PARAMETER, parameters, fieldsOf)
    refuseUnseen(request.caller.rights, query)
    const { to = handle.now, as_of } = query.extra
    const from = query.extra.from ?? (await yesterday(handle, to))
    const [before, after] = await momentsOf(handle, { from, to, asOf: as_of })
    const id = await subjectOf(request, handle, question, [before.settings, after.settings])
    const { listing: made } = await question.listing(handle, id, rows, request.scope)
    return { query, found: await compare(made, before, after, query.search) }
  }
  app.get(
    `/api/v1/${of.noun}/:id/${segment}/changes`,
    {
      config: {
        permission: 'access-points:audience',
        doc: {
          tag: of.plural,
          operationId: `list${question.operation}Changes`,
          summary: `${question.summary}: what changed between two moments`,
          description: rows.description,
          list: { resource: rows, shape: 'A', offered: EVERY_PARAMETER, isExported: true, fieldsOf },
          parameters: [...between, formatDoc(rows)],
          success: { status: 200, name: `${question.name}Change`, schema: itemSchema(rows) },
          errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
        },
      },
    },
    pageOrFile(
      cachedGet(
        async (request, handle) => {
          const { query, found } = await opened(request, handle)
          const page = await listRecords(handle, rows, query, found, startOf(request, handle, rows, query))
          return answer(request, handle, rows, query, page, {})
        },
        false,
        true,
      ),
      async (request, reply, format) => {
        const handle = exporting(request)
        const { query, found } = await opened(request, handle)
        const { rows: sorted } = await listRecords(handle, rows, { ...query, limit: found.length + 1 }, found, null)
        return sendRows(request, reply, handle, rows, query, format, inSlices(sorted))
      },
    ),
  )
}

const DAY_MS = 86_400_000

/** A day before, as far as the history reaches. */
async function yesterday(handle: OrgHandle, to: string): Promise<string> {
  const [, from = to] = [new Date(Date.parse(to) - DAY_MS).toISOString(), await historySince(handle)].sort()
  return from
}

/**
 * The item of the path, where the caller may see it. Whoever sees everything sees what was there under these settings
 * and is gone.
 */
async function subjectOf(
  request: FastifyRequest,
  handle: OrgHandle,
  { of, sees }: Question,
  times: readonly Settings[],
): Promise<string> {
  const id = idOf(request)
  const scope = sees ? request.caller.rights.scopeOf(sees) : request.scope
  if (scope === undefined) throw notFound()
  if (await isSeen(handle, of, id, scope)) return id
  for (const settings of scope === 'all' ? times : []) if (await settings.has(of.table as HistoryTable, id)) return id
  throw notFound()
}

async function answer(
  request: FastifyRequest,
  handle: OrgHandle,
  rows: Resource,
  query: ListQuery,
  page: ListPage<AnyRow>,
  more: object,
) {
  await showTo(handle, request.caller, page.rows, query)
  const names = query.select ?? Object.keys(rows.fields)
  const limits = await limitsOf(handle, request.scope)
  const place = placeOf(request, handle, page)
  return {
    msg: listMessage(page.rows.length, rows),
    data: page.rows.map((row) => pick(row, names)),
    meta: {
      ...metaA(query, rows.fields, place, defaultOrderOf(rows)),
      ...more,
      ...(limits ? { limited_to: limits } : {}),
    },
    link: linkHeader(pathOf(request), rawQueryOf(request), query, place),
  }
}
