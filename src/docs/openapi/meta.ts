import { allPermissions } from '../../core/permissions.ts'
import type { JsonSchema } from './types.ts'

const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description })

const pagination = (properties: Record<string, JsonSchema>, optional: Record<string, JsonSchema> = {}): JsonSchema => ({
  type: 'object',
  description: 'Where the page stands in the list.',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
})

const appliedFilters: JsonSchema = {
  type: 'array',
  description: 'In the order of the request.',
  items: {
    type: 'object',
    required: ['field', 'operator', 'value'],
    properties: {
      field: { type: 'string', description: 'The field.' },
      operator: { type: 'string', description: 'With its `not.`, if it had one.' },
      value: { type: 'string', description: 'The text after the operator.' },
    },
  },
}

const limits: JsonSchema = {
  type: 'array',
  description:
    'The places that your role is limited to, each with all below it: there may be more elsewhere. Absent when it is ' +
    'not limited.',
  items: {
    type: 'object',
    required: ['location_id', 'building_id', 'name'],
    properties: {
      location_id: { type: ['string', 'null'], format: 'uuid', description: 'A location, or null.' },
      building_id: { type: ['string', 'null'], format: 'uuid', description: 'A building, or null.' },
      name: { type: 'string', description: 'What it is called.' },
    },
  },
}

const missing: JsonSchema = {
  type: 'array',
  description:
    'Of a search: permissions that you lack, without which it does not look through everything that it could. Absent ' +
    'when you lack none.',
  items: { type: 'string', enum: [...allPermissions] },
}

/** The three shapes of a list's `meta`, each under the name of its component. */
export const metaSchemas: Record<'A' | 'B' | 'C', { name: string; schema: JsonSchema }> = {
  A: {
    name: 'ListMeta',
    schema: {
      type: 'object',
      description: 'What was applied to the list, defaults included, and where the page stands in it.',
      required: ['filters', 'order', 'pagination', 'select'],
      properties: {
        filters: appliedFilters,
        order: {
          type: 'array',
          description: 'The sort terms.',
          items: {
            type: 'object',
            required: ['field', 'direction', 'nulls'],
            properties: {
              field: { type: 'string', description: 'The field.' },
              direction: { type: 'string', enum: ['asc', 'desc'], description: 'Ascending or descending.' },
              nulls: { type: 'string', enum: ['first', 'last'], description: 'Where nulls stand.' },
            },
          },
        },
        pagination: pagination(
          { limit: count('Items on a page, at most.') },
          {
            page: count('This page. Absent with `cursor`.'),
            pages: count('Pages in all. Absent with `cursor`.'),
            total: count('Items in all, after the filters. Absent with `cursor`.'),
            next_cursor: {
              type: ['string', 'null'],
              description: 'With `cursor`: what to ask for the next page with; null: there is none.',
            },
          },
        ),
        select: { type: 'array', description: 'The fields answered with.', items: { type: 'string' } },
        limited_to: limits,
        missing_permissions: missing,
        unaccounted_keys: {
          type: ['integer', 'null'],
          description:
            'Who can open a door: how many lost and stolen keys still open it, each counted once. Null: you may not ' +
            'see keys.',
        },
        unaccounted: {
          type: ['array', 'null'],
          description: 'Those keys by door, the first hundred. Null: you may not see keys.',
          items: {
            type: 'object',
            required: ['key_id', 'number', 'key_type_code', 'status', 'access_point_id'],
            properties: {
              key_id: { type: 'string', format: 'uuid', description: 'The key.' },
              number: { type: 'string', description: 'Its number.' },
              key_type_code: { type: 'string', description: 'The code of its type.' },
              status: { type: 'string', enum: ['lost', 'stolen'], description: 'What became of it.' },
              access_point_id: { type: 'string', format: 'uuid', description: 'The door that it opens.' },
            },
          },
        },
      },
    },
  },
  B: {
    name: 'LockingSystemListMeta',
    schema: {
      type: 'object',
      description: 'Where the page stands in the list of locking systems.',
      required: ['pagination'],
      properties: {
        pagination: pagination({
          total: count('Total number of available records.'),
          count: count('Number of records returned in this response.'),
          per_page: count('Number of records per page.'),
          current_page: count('Current page number.'),
          total_pages: count('Total number of pages available.'),
        }),
      },
    },
  },
  C: {
    name: 'SpaceListMeta',
    schema: {
      type: 'object',
      description: 'Where the page stands in the list of spaces.',
      required: ['pagination'],
      properties: {
        pagination: pagination({
          current_count: count('Records in this response.'),
          current_page: count('Current page number.'),
          per_page: count('Records per page.'),
          total_pages: count('Total number of pages.'),
          total_items: count('Total number of records.'),
        }),
      },
    },
  },
}

/** The meta of a list with one item, all on one page. */
export function exampleMeta(shape: 'A' | 'B' | 'C', names: readonly string[], order: readonly string[]): object {
  if (shape === 'B') return { pagination: { total: 1, count: 1, per_page: 10, current_page: 1, total_pages: 1 } }
  if (shape === 'C')
    return { pagination: { current_count: 1, current_page: 1, per_page: 10, total_pages: 1, total_items: 1 } }
  return {
    filters: [],
    order: order.map((field) => ({ field, direction: 'asc', nulls: 'last' })),
    pagination: { limit: 10, page: 1, pages: 1, total: 1 },
    select: names,
  }
}

const side = (description: string): JsonSchema => ({
  type: 'object',
  description,
  required: ['people', 'doors', 'pairs', 'first'],
  properties: {
    people: count('How many people.'),
    doors: count('How many doors.'),
    pairs: count('How many pairs of a person and a door.'),
    first: {
      type: 'array',
      description: 'The first hundred of these pairs.',
      items: {
        type: 'object',
        required: ['individual_id', 'display_name', 'access_point_id', 'name'],
        properties: {
          individual_id: {
            type: ['string', 'null'],
            format: 'uuid',
            description: 'Who. Null: you may not see people beyond their name.',
          },
          display_name: { type: 'string', description: 'Their name.' },
          access_point_id: { type: 'string', format: 'uuid', description: 'Which door.' },
          name: { type: 'string', description: 'Its name.' },
        },
      },
    },
  },
})

/** What a change that is only tried says beside its answer. */
export const dryRunMeta: JsonSchema = {
  type: 'object',
  description: 'Of a dry run alone.',
  required: ['dry_run'],
  properties: {
    dry_run: { type: 'boolean', description: 'Nothing was kept.' },
    access: {
      type: ['object', 'null'],
      description:
        'Who would gain and lose which doors: whose rights come or go, whatever the hours of their schedules. ' +
        'Absent: nothing was written that decides who may open what, or it is a file that is imported. Null: you ' +
        'may not see who can open doors.',
      required: ['at', 'gained', 'lost'],
      properties: {
        at: {
          type: ['string', 'null'],
          format: 'date-time',
          description:
            'Where nobody gains or loses anything now: the first moment at which somebody does, of the first eight ' +
            'at which a window that was written begins or ends. Null: now, or nobody at any of these.',
        },
        gained: side('What would be gained.'),
        lost: side('What would be lost.'),
        limited_to: limits,
      },
    },
  },
}

/** Of counts by some fields. */
export const countsMeta: JsonSchema = {
  type: 'object',
  description: 'What was counted.',
  required: ['filters', 'group_by', 'groups', 'total'],
  properties: {
    filters: appliedFilters,
    group_by: { type: 'array', description: 'The fields that were counted by.', items: { type: 'string' } },
    groups: count('How many groups there are; the largest are answered.'),
    total: count('Items in all groups.'),
    limited_to: limits,
    missing_permissions: missing,
  },
}
