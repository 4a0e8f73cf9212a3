import { csvLine } from '../../core/csv.ts'
import { isRecord } from '../../core/typed.ts'
import { formats } from '../../http/lists/formats.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { DEFAULT_ORDER } from '../../query/meta.ts'
import { readableNames } from '../../query/readable.ts'
import type { Components } from './components.ts'
import { exampleAnswer } from './examples.ts'
import { countsMeta, dryRunMeta, exampleMeta, metaSchemas } from './meta.ts'
import { headerReferences } from './responses.ts'
import { answerSchema } from './schemas.ts'
import type { JsonSchema, OpenApiMediaType, OpenApiResponse } from './types.ts'

/**
 * What an operation answers with when all goes well: the envelope, its example, its headers, and 304 where there is an
 * ETag.
 */
export function successResponses(
  method: string,
  doc: RouteDoc,
  components: Components,
  { changes, isTried }: { changes: boolean; isTried: boolean },
): Record<string, OpenApiResponse> {
  const { success, list = doc.counts, hasEtag = false } = doc
  const response: OpenApiResponse = {
    description: success.description ?? describe(method, doc),
    headers: headerReferences(
      'X-Request-Id',
      ...(hasEtag ? (['ETag'] as const) : list ? (['ListETag'] as const) : []),
      ...(changes ? (['Data-Version'] as const) : []),
      ...(success.status === 201 ? (['Location'] as const) : []),
      ...(doc.list ? (['Link'] as const) : []),
      ...(doc.list?.isExported ? (['Limited-To'] as const) : []),
      ...(success.files && !success.schema ? (['Content-Disposition'] as const) : []),
    ),
    content: {
      // An export alone answers with a file alone, and a stream with events.
      ...((success.files && !success.schema) || success.stream
        ? {}
        : {
            'application/json': doc.list
              ? listEnvelope(doc, doc.list, components)
              : itemEnvelope(doc, components, isTried),
          }),
      ...fileContent(success.files ?? (doc.list?.isExported ? exampleFiles(doc) : {})),
      ...(success.stream ? fileContent({ 'text/event-stream': success.stream }) : {}),
    },
  }
  const unchanged = {
    description: 'It has not changed; no body.',
    headers: headerReferences('X-Request-Id', hasEtag ? 'ETag' : 'ListETag'),
  }
  const made = {
    ...response,
    description: 'Created.',
    headers: { ...response.headers, ...headerReferences('Location') },
  }
  return {
    [success.status]: response,
    ...(success.mayCreate ? { '201': made } : {}),
    ...((hasEtag || list) && method === 'GET' ? { '304': unchanged } : {}),
  }
}

const fileContent = (files: NonNullable<RouteDoc['success']['files']>): Record<string, OpenApiMediaType> =>
  Object.fromEntries(
    Object.entries(files).map(([type, { example }]) => [type, { schema: { type: 'string' }, example }]),
  )

/** Of a list, with the first fields of an item. */
function exampleFiles({ success }: RouteDoc): NonNullable<RouteDoc['success']['files']> {
  const item = success.example ?? (success.schema ? exampleAnswer(answerSchema(success.schema)) : {})
  const shown = Object.fromEntries(Object.entries(isRecord(item) ? item : {}).slice(0, 3))
  return {
    [formats.csv.type]: { example: csvLine(Object.keys(shown)) + csvLine(Object.values(shown)) },
    [formats.xlsx.type]: { example: 'PK…' },
    [formats.ndjson.type]: { example: `${JSON.stringify(shown)}\n` },
  }
}

const message = (description: string): JsonSchema => ({ type: 'string', description })

const envelope = (properties: Record<string, JsonSchema>, optional: Record<string, JsonSchema> = {}): JsonSchema => ({
  type: 'object',
  required: ['msg', ...Object.keys(properties)],
  properties: { msg: message('What was done, for people.'), ...properties, ...optional },
})

interface Envelope {
  schema: JsonSchema
  example: object
}

function itemEnvelope(doc: RouteDoc, components: Components, isTried: boolean): Envelope {
  const { schema: data, name, example, meta: beside } = doc.success
  const msg = doc.success.msg ?? messageOf(doc)
  if (doc.success.isCounted) return countsEnvelope(doc, components, msg)
  const meta = isTried ? { meta: components.schema('DryRunMeta', dryRunMeta) } : {}
  if (!data) return { schema: envelope({}, meta), example: { msg } }
  const schema = answerSchema(data)
  const shown = { data: name === undefined ? schema : components.schema(name, schema) }
  const besides = beside && { meta: components.schema(beside.name, answerSchema(beside.schema)) }
  return {
    schema: envelope({ ...shown, ...besides }, meta),
    example: { msg, data: example ?? exampleAnswer(schema), ...(beside && { meta: beside.example }) },
  }
}

function countsEnvelope(
  { success: { schema, name = '', example } }: RouteDoc,
  components: Components,
  msg: string,
): Envelope {
  if (!schema) throw new Error(`${name} needs a schema`)
  return {
    schema: envelope({
      data: components.schema(name, answerSchema(schema)),
      meta: components.schema('CountsMeta', countsMeta),
    }),
    example: { msg, data: example, meta: { filters: [], group_by: groupedBy(example), groups: 1, total: 12 } },
  }
}

const groupedBy = (example: unknown): string[] =>
  Object.keys((Array.isArray(example) && example[0]) || {}).filter((name) => name !== 'count')

function listEnvelope(doc: RouteDoc, list: NonNullable<RouteDoc['list']>, components: Components): Envelope {
  const { success } = doc
  if (!success.schema || success.name === undefined)
    throw new Error(`${doc.operationId} is a list: its doc needs the name and schema of an item`)
  const item = answerSchema(success.schema)
  const { name, schema: meta } = metaSchemas[list.shape]
  const order = list.resource.defaultOrder ?? DEFAULT_ORDER.map(({ field }) => field)
  return {
    schema: envelope({
      data: { type: 'array', items: components.schema(success.name, item) },
      meta: doc.feedMeta
        ? { anyOf: [components.schema(name, meta), components.schema('FeedMeta', answerSchema(doc.feedMeta))] }
        : components.schema(name, meta),
    }),
    example: {
      msg: success.msg ?? `Retrieved 1 ${list.resource.singular}`,
      data: [success.example ?? exampleAnswer(item)],
      meta: exampleMeta(list.shape, readableNames(list.resource.fields), order),
    },
  }
}

const irregular: Record<string, string> = {
  Change: 'Updated',
  Get: 'Retrieved',
  List: 'Retrieved',
  Set: 'Set',
  Take: 'Took',
  Write: 'Wrote',
}

/** "Issue a key" was done: "Issued key". */
function messageOf({ summary }: RouteDoc): string {
  const [, verb = '', rest = ''] = /^(\w+) (?:an? )?(.+)$/.exec(summary) ?? []
  const past = irregular[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb}ed`)
  return `${past} ${rest.replace(/^(back|off) an? /, '$1 ')}`
}

function describe(method: string, { list, success, summary }: RouteDoc): string {
  if (list) return `A page of ${list.resource.plural}.`
  if (success.status === 201) return 'Created.'
  if (method === 'DELETE') return 'Deleted; the item as it was.'
  if (method === 'PATCH') return 'The item as it is now.'
  const [, what] = /^Get (.+)$/.exec(summary) ?? []
  return what === undefined ? 'Done.' : `${what.charAt(0).toUpperCase()}${what.slice(1)}.`
}
