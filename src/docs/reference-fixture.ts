import type { JsonSchema, OpenApiDocument, OpenApiOperation, OpenApiParameter } from './openapi/types.ts'

/** A small document with one of everything the reference page shows. */
const id: OpenApiParameter = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', format: 'uuid' },
  example: '01997d2a-4c00-7000-8000-000000000001',
}

const errors = (
  ...codes: ['VALIDATION_ERROR' | 'NOT_FOUND' | 'CONFLICT' | 'RESOURCE_IN_USE', string][]
): OpenApiOperation['responses'] => ({
  ...Object.fromEntries(codes.map(([code, status]) => [status, { description: code, 'x-error-codes': [code] }])),
  '401': { $ref: '#/components/responses/Unauthorized' },
  '403': { $ref: '#/components/responses/Unauthorized' },
  '500': { description: 'Fault', 'x-error-codes': ['INTERNAL'] },
})

const one = (description: string, schema: JsonSchema) => ({
  description,
  headers: { ETag: { description: 'The version, for `If-Match`.', schema: { type: 'string' }, example: '"3"' } },
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['msg', 'data'],
        properties: { msg: { type: 'string', example: 'Retrieved the space' }, data: schema },
      },
    },
  },
})

const filters = ['kind', 'name', 'label', 'floor', 'space_id', 'emergency_exit', 'created_at'].map(
  (name): OpenApiParameter => ({
    name,
    in: 'query',
    description: `Filter by ${name}, such as \`eq.…\`.`,
    schema: { type: 'string' },
  }),
)

export const sampleDocument: OpenApiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Gatehouse API',
    version: '0.1.0',
    summary: 'Who may open which door, when and why.',
    description: `Everything is JSON over HTTP. Each answer has a \`msg\` for people, and \`data\` for programs.

## Authentication
Send your token in the header \`Authorization\`. See [the errors](/docs/api/errors) for what can go wrong.

\`\`\`sh
curl http://127.0.0.1:8080/api/v1/spaces -H "Authorization: Token $TOKEN"
\`\`\`

## Lists
Lists are read a page at a time, and take *filters*, an **order** and a selection of fields.

| Parameter | Meaning | Example |
|---|---|---|
| \`page\` | Which page, from 1 | \`page=2\` |
| \`limit\` | How many on each, at most 100 | \`limit=50\` |
| \`order\` | Sorting | \`order=name.desc.nullslast\` |

1. Filters are joined by *and*.
2. Null matches nothing:
   - except \`is.null\`
   - and \`not.is.null\`

> What is not supported is an error, never ignored.

## Changes
Send \`If-Match\` to change only what you have seen, and \`Idempotency-Key\` to repeat a creation safely.`,
  },
  servers: [{ url: 'http://127.0.0.1:8080' }],
  security: [{ token: [] }],
  tags: [
    {
      name: 'Spaces',
      description: 'Rooms or areas within a building. Doors lead into spaces.\n\nA space is inside **one** building.',
    },
    { name: 'Access points', description: 'Doors, gates, barriers and everything else that opens.' },
    { name: 'Service', description: 'Is it alive?' },
  ],
  paths: {
    '/api/v1/spaces': {
      get: {
        operationId: 'listSpaces',
        tags: ['Spaces'],
        summary: 'List spaces',
        description: 'The spaces you may see, by name. With `space_ids` and `is_include_others` it serves a picker.',
        'x-permission': 'spaces:read',
        parameters: [
          {
            name: 'page',
            in: 'query',
            description: 'Page number.',
            schema: { type: 'integer', minimum: 1, maximum: 2147483647, default: 1 },
          },
          {
            name: 'limit',
            in: 'query',
            description: 'Results per page.',
            schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
            example: 2,
          },
          {
            name: 'search',
            in: 'query',
            description: 'Text search, case and accents ignored.',
            schema: { type: 'string', maxLength: 200 },
          },
          {
            name: 'building_id',
            in: 'query',
            description: 'Only this building and those below it.',
            schema: { type: 'string', format: 'uuid' },
          },
        ],
        responses: {
          '200': {
            description: 'A page of spaces',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['msg', 'data', 'meta'],
                  properties: {
                    msg: { type: 'string', example: 'Retrieved 1 spaces' },
                    data: { type: 'array', items: { $ref: '#/components/schemas/Space' } },
                    meta: {
                      type: 'object',
                      required: ['pagination'],
                      properties: {
                        pagination: {
                          type: 'object',
                          properties: {
                            current_count: { type: 'integer', example: 1 },
                            current_page: { type: 'integer', example: 1 },
                            per_page: { type: 'integer', example: 2 },
                            total_pages: { type: 'integer', example: 1 },
                            total_items: { type: 'integer', example: 1 },
                          },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
          ...errors(['VALIDATION_ERROR', '400']),
        },
      },
      post: {
        operationId: 'createSpace',
        tags: ['Spaces'],
        summary: 'Create a space',
        'x-permission': 'spaces:write',
        parameters: [
          {
            name: 'Idempotency-Key',
            in: 'header',
            description: 'Makes the creation safe to repeat for 24 hours.',
            schema: { type: 'string', maxLength: 255 },
          },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/SpaceCreate' } } },
        },
        responses: {
          '201': one('The new space', { $ref: '#/components/schemas/Space' }),
          ...errors(['VALIDATION_ERROR', '400'], ['CONFLICT', '409']),
        },
      },
    },
    '/api/v1/spaces/{id}': {
      parameters: [id],
      get: {
        operationId: 'getSpace',
        tags: ['Spaces'],
        summary: 'Retrieve a space',
        'x-permission': 'spaces:read',
        responses: {
          '200': one('The space', { $ref: '#/components/schemas/Space' }),
          '304': { description: 'Not changed since `If-None-Match`' },
          ...errors(['NOT_FOUND', '404']),
        },
      },
      patch: {
        operationId: 'updateSpace',
        tags: ['Spaces'],
        summary: 'Change a space',
        description: 'JSON Merge Patch: only what is named changes, and null clears.',
        'x-permission': 'spaces:write',
        requestBody: {
          required: true,
          content: {
            'application/merge-patch+json': { schema: { $ref: '#/components/schemas/SpacePatch' } },
            'application/json': {
              schema: { $ref: '#/components/schemas/SpacePatch' },
              example: { department: "Facility Management's own" },
            },
          },
        },
        responses: {
          '200': one('The space, changed', { $ref: '#/components/schemas/Space' }),
          ...errors(['VALIDATION_ERROR', '400'], ['NOT_FOUND', '404']),
        },
      },
      delete: {
        operationId: 'deleteSpace',
        tags: ['Spaces'],
        summary: 'Delete a space',
        'x-permission': 'spaces:write',
        responses: {
          '200': one('The deleted space', { $ref: '#/components/schemas/Space' }),
          ...errors(['NOT_FOUND', '404'], ['RESOURCE_IN_USE', '409']),
        },
      },
    },
    '/api/v1/access-points': {
      get: {
        operationId: 'listAccessPoints',
        tags: ['Access points'],
        summary: 'List access points',
        'x-permission': 'access-points:read',
        parameters: [
          { $ref: '#/components/parameters/Page' },
          {
            name: 'order',
            in: 'query',
            description: 'Sort terms.',
            schema: { type: 'string' },
            example: 'name.desc,id',
          },
          ...filters,
        ],
        responses: {
          '200': {
            description: 'A page of access points',
            content: {
              'application/json': {
                examples: { few: { summary: 'One door', value: { msg: 'Retrieved 1 access points', data: [] } } },
              },
            },
          },
          ...errors(['VALIDATION_ERROR', '400']),
        },
      },
    },
    '/api/v1/access-points/{id}/unlock': {
      parameters: [id],
      post: {
        operationId: 'unlockAccessPoint',
        tags: ['Access points'],
        summary: 'Unlock an access point',
        'x-permission': 'access-points:unlock',
        deprecated: true,
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  seconds: {
                    type: ['integer', 'null'],
                    minimum: 1,
                    maximum: 86400,
                    description: 'How long. Null: as configured.',
                  },
                },
              },
            },
          },
        },
        responses: { '200': { description: 'Done' }, default: { description: 'Error' } },
      },
    },
    '/livez': {
      get: {
        tags: ['Service'],
        summary: 'Alive?',
        security: [],
        responses: { '200': { description: 'It is', content: { 'application/json': { example: { msg: 'Alive' } } } } },
      },
    },
  },
  components: {
    parameters: {
      Page: {
        name: 'page',
        in: 'query',
        description: 'Page number.',
        schema: { type: 'integer', minimum: 1, default: 1 },
      },
    },
    responses: { Unauthorized: { description: 'Not authorized', 'x-error-codes': ['UNAUTHORIZED'] } },
    schemas: {
      AccessPointSummary: {
        type: 'object',
        description: 'An access point, as embedded in a space.',
        required: ['id', 'name', 'description', 'label'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          name: { type: 'string', example: 'Main entrance' },
          description: { type: 'string', example: '' },
          label: { type: 'string', example: 'D-01', description: 'Short code.' },
        },
      },
      Space: {
        allOf: [
          { $ref: '#/components/schemas/SpaceCreate' },
          {
            type: 'object',
            required: ['id', 'location', 'building', 'slug', 'area', 'department', 'summary', 'parent'],
            properties: {
              id: { type: 'string', format: 'uuid', readOnly: true, description: 'Identifier (UUIDv7).' },
              location: {
                type: 'string',
                readOnly: true,
                example: 'Europe / Berlin',
                description: 'The names of the locations, root first.',
              },
              building: {
                type: 'string',
                readOnly: true,
                example: 'Headquarters',
                description: 'The names of the buildings, root first.',
              },
              parent: { anyOf: [{ $ref: '#/components/schemas/Space' }, { type: 'null' }] },
              access_points: {
                type: 'array',
                items: { $ref: '#/components/schemas/AccessPointSummary' },
                description: 'Absent when the caller may not read access points.',
              },
              summary: {
                type: 'object',
                description: 'Counts; each is null when the caller may not read that family.',
                properties: {
                  total_access_points: { type: ['integer', 'null'], minimum: 0, example: 4 },
                  total_individuals: { type: ['integer', 'null'], minimum: 0, example: 112 },
                },
              },
            },
          },
        ],
      },
      SpaceCreate: {
        type: 'object',
        required: ['name', 'building_id'],
        properties: {
          name: {
            type: 'string',
            minLength: 1,
            maxLength: 200,
            description: 'What people call it.',
            example: 'Server room',
          },
          building_id: { type: 'string', format: 'uuid', description: 'The building it is in.' },
          slug: {
            type: 'string',
            maxLength: 100,
            pattern: '^[a-z0-9-]*$',
            default: '',
            description: 'Short name for addresses.',
          },
          area: { type: ['string', 'null'], maxLength: 200, default: null },
          department: { type: ['string', 'null'], maxLength: 200, default: null },
          kind: { type: 'string', enum: ['room', 'floor', 'area', 'outdoor'], default: 'room' },
          alarm_code: { type: 'string', writeOnly: true, description: 'Stored hashed & never shown <again>.' },
        },
      },
      SpacePatch: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 200 },
          department: { type: ['string', 'null'], maxLength: 200 },
        },
      },
    },
    securitySchemes: {
      token: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'A personal access token of a service user: `Token <value>`.',
      },
      oauth: {
        type: 'oauth2',
        description: 'An access token of a user.',
        flows: {
          authorizationCode: {
            authorizationUrl: 'http://127.0.0.1:8080/oauth/auth',
            tokenUrl: 'http://127.0.0.1:8080/oauth/token',
            scopes: { 'spaces:read': 'Read spaces', 'spaces:write': 'Change spaces' },
          },
        },
      },
    },
  },
}
