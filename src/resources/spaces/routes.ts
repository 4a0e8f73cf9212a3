import type { FastifyInstance } from 'fastify'
import { Type } from '../../core/schema.ts'
import type { OrgHandle } from '../../db/org.ts'
import { placesOf } from '../../db/places.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { listRoute } from '../../http/list-route.ts'
import type { ListFilter } from '../../http/lists/open.ts'
import { itemSchema } from '../../http/schemas.ts'
import { booleanParameter, uuidListParameter, uuidParameter, type ValuesOf } from '../../query/parameters.ts'
import { decorateSpaces, moveOccupants, prepareSpace } from './queries.ts'
import { spaceListFields, spaceRecords, spaces } from './schema.ts'

const parameters = {
  location_id: uuidParameter,
  building_id: uuidParameter,
  space_ids: uuidListParameter,
  is_include_others: booleanParameter,
}

const id = Type.String({ format: 'uuid' })
const parameterDocs = [
  { name: 'location_id', description: 'Restrict to a location and all below it.', schema: id },
  { name: 'building_id', description: 'Restrict to a building and all its wings.', schema: id },
  {
    name: 'space_ids',
    description: 'Restrict to the given spaces: one or several, separated by commas or by repeating the parameter.',
    schema: Type.String(),
  },
  {
    name: 'is_include_others',
    description:
      'With space_ids: the named spaces first, then all others that fit the remaining parameters (for a picker).',
    schema: Type.Boolean(),
  },
]

export function spaceRoutes(app: FastifyInstance): void {
  listRoute(app, '/api/v1/spaces', spaces, {
    permission: 'spaces:read',
    shape: 'C',
    offered: new Set(['page', 'limit', 'search']),
    parameters,
    parameterDocs,
    conditions,
    listFields: spaceListFields,
    decorate: decorateSpaces,
    doc: {
      tag: spaces.plural,
      operationId: 'listSpaces',
      summary: 'List spaces',
      description: 'Ordered by name, then id. `search` looks in name, slug, department, area and the composite texts.',
      success: { status: 200, name: 'SpaceListItem', schema: itemSchema(spaces, spaceListFields) },
    },
  })
  listRoute(app, '/api/v1/spaces/records', spaceRecords, {
    permission: 'spaces:read',
    summaryPath: '/api/v1/spaces/summary',
    decorate: decorateSpaces,
    doc: {
      tag: spaces.plural,
      operationId: 'listSpaceRecords',
      summary: 'List spaces with every field',
      description:
        'The spaces as they are read one by one, with filters, order and select, for synchronising: by cursor, in ' +
        'the order of their creation, none is missed.',
      success: { status: 200, name: 'Space', schema: itemSchema(spaces) },
    },
  })
  resourceRoutes(app, spaces, {
    operations: ['get', 'create', 'patch', 'delete'],
    prepare: prepareSpace,
    beforeDelete: moveOccupants,
    decorate: decorateSpaces,
  })
}

async function conditions(handle: OrgHandle, values: ValuesOf<typeof parameters>): Promise<ListFilter> {
  const { location_id, building_id, space_ids, is_include_others } = values
  const where: Sql[] = []
  if (location_id !== undefined || building_id !== undefined) {
    const places = await placesOf(handle)
    if (location_id !== undefined)
      where.push(handle.dialect.inList('t.building_id', places.below([location_id], []).buildings, 'uuid'))
    if (building_id !== undefined)
      where.push(handle.dialect.inList('t.building_id', places.below([], [building_id]).buildings, 'uuid'))
  }
  if (space_ids === undefined) return { where }
  const named = sql`${handle.dialect.inList('t.id', space_ids, 'uuid')}`
  return is_include_others ? { where, first: named } : { where: [...where, named] }
}
