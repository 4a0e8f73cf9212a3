import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Fields, namedTable } from '../../core/fields.ts'
import { Type } from '../../core/schema.ts'
import { listGroups, MAX_GROUPS } from '../../db/lists/list-groups.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { Resource } from '../../db/resource.ts'
import { cutOf } from '../../db/scope.ts'
import { findField } from '../../query/filters.ts'
import { didYouMean, meant } from '../../query/hints.ts'
import { echoOf } from '../../query/meta.ts'
import { trimBlanks } from '../../query/operands.ts'
import { fault, type Parameter, type ParameterSet } from '../../query/parameters.ts'
import { type ListParameter, parseListQuery } from '../../query/parse.ts'
import { readableNames } from '../../query/readable.ts'
import { rawQueryOf } from '../address.ts'
import { cachedGet } from '../answers/cached-get.ts'
import { upToDate } from '../answers/up-to-date.ts'
import type { RoutePermission } from '../context.ts'
import type { RouteDoc } from '../route-doc.ts'
import { saidOf } from './cut.ts'
import { type ListOptions, openList } from './open.ts'

const MAX_FIELDS = 3
const OFFERED: ReadonlySet<ListParameter> = new Set(['search', 'filters'])

/** What rows can be counted by: fields with few values, or that name an item. */
const groupable = (fields: Fields): string[] =>
  readableNames(fields).filter((name) => {
    const field = fields[name]
    if (!field?.spec.isQueryable) return false
    return field.spec.values !== undefined || field.spec.type === 'boolean' || namedTable(field) !== undefined
  })

const groupBy = (fields: Fields): Parameter<string[]> => ({
  parse(parameter, value) {
    const offered = groupable(fields)
    const among = offered.length > 0 ? `one of ${offered.join(', ')}` : 'none: this list has no field to group by'
    const names = value.split(',').map(trimBlanks)
    for (const [at, name] of names.entries()) {
      if (!findField(fields, name))
        throw fault(parameter, 'group_by.unknown_field', name, `${among}${didYouMean(meant(name, offered))}`)
      if (!offered.includes(name)) throw fault(parameter, 'group_by.not_groupable', name, among)
      if (names.indexOf(name) !== at) throw fault(parameter, 'group_by.duplicate_field', name, 'each field once')
    }
    if (names.length > MAX_FIELDS) throw fault(parameter, 'group_by.too_many', value, `at most ${MAX_FIELDS} fields`)
    return names
  },
})

interface SummaryRoute<P extends ParameterSet> extends ListOptions<P> {
  permission: RoutePermission
  /** That of the list itself. */
  doc: RouteDoc
  hasPlace: boolean
  declared: P
}

/**
 * How many items of a list there are for each value of some of its fields, with its filters and within the caller's
 * places.
 */
export function summaryRoute<P extends ParameterSet>(
  app: FastifyInstance,
  path: string,
  resource: Resource,
  { permission, doc: listDoc, hasPlace, declared, ...options }: SummaryRoute<P>,
): void {
  const parameters = { ...declared, group_by: groupBy(resource.fields) }
  const opened = async (request: FastifyRequest, handle: OrgHandle) => {
    const query = parseListQuery(rawQueryOf(request), resource.fields, OFFERED, parameters)
    return { query, list: await openList(request, handle, resource, query, { ...options, hasPlace }) }
  }
  const counted = cachedGet(
    async (request, handle) => {
      const { query, list } = await opened(request, handle)
      const { group_by = [] } = query.extra as { group_by?: string[] }
      const { rows, groups, total } = await listGroups(handle, resource, list.asked, group_by)
      const limits = await cutOf(handle, resource, list.scope)
      return {
        msg: `Counted ${total} ${total === 1 ? resource.singular : resource.plural}`,
        data: rows,
        meta: {
          filters: query.filters.map(echoOf),
          group_by,
          groups,
          total,
          ...saidOf({ limits, missing: list.missing }),
        },
      }
    },
    false,
    resource.isVolatile,
  )
  app.get(
    path,
    { config: { permission, doc: docOf(resource, listDoc) } },
    upToDate(() => options.outdated, opened, counted),
  )
}

function docOf(resource: Resource, list: RouteDoc): RouteDoc {
  const names = groupable(resource.fields)
  const fields = Object.fromEntries(
    names.map((name) => {
      const { values, type } = resource.fields[name]?.spec ?? {}
      const plain = {
        type: [type === 'boolean' ? 'boolean' : 'string', 'null'],
        ...(type === 'uuid' ? { format: 'uuid' } : {}),
      }
      return [name, Type.Optional(Type.Unsafe<unknown>({ ...plain, ...(values ? { enum: [...values, null] } : {}) }))]
    }),
  )
  const count = Type.Integer({ minimum: 0, description: 'How many have these values.', examples: [12] })
  const shown = names.map((name) => `\`${name}\``).join(' ')
  return {
    tag: list.tag,
    operationId: list.operationId.replace(/^list/, 'count'),
    summary: `Count ${resource.plural}`,
    description:
      `How many there are, of those that the list has with the same filters: in all, or for each value of ` +
      `the fields in \`group_by\`, the largest group first and at most ${MAX_GROUPS} of them. A group whose value is ` +
      `null has none.`,
    counts: { resource, offered: OFFERED },
    parameters: [
      ...(list.parameters ?? []),
      {
        name: 'group_by',
        description: `Up to ${MAX_FIELDS} fields, separated by commas: ${shown || 'this list has none'}.`,
        schema: Type.String(),
        ...(names[0] === undefined ? {} : { example: names[0] }),
      },
    ],
    success: {
      status: 200,
      name: `${list.success.name}Counts`,
      schema: Type.Array(Type.Object({ ...fields, count }, { additionalProperties: false })),
      example: [{ ...(names[0] === undefined ? {} : { [names[0]]: exampleOf(resource, names[0]) }), count: 12 }],
      msg: `Counted 12 ${resource.plural}`,
      isCounted: true,
    },
    errors: list.errors ?? [],
  }
}

const exampleOf = ({ fields }: Resource, name: string): unknown => {
  const { values, type, example } = fields[name]?.spec ?? {}
  return example ?? values?.[0] ?? (type === 'boolean' ? true : '01997d2a-4c00-7000-8000-000000000001')
}
