import {
  code,
  common,
  count,
  integer,
  json,
  line,
  name,
  oneOf,
  prose,
  type RowOf,
  reference,
  text,
  timestamp,
} from '../../core/fields.ts'
import { Type } from '../../core/schema.ts'
import { defineResource } from '../../db/resource.ts'
import { systemStandsThere } from '../../db/scope.ts'
import { inSelected, raw, sql } from '../../db/sql.ts'

/** Something that is wrong with a system, since when. */
const Notices = Type.Array(
  Type.Object(
    { code: Type.String(), message: Type.String(), since: Type.String({ format: 'date-time' }) },
    { additionalProperties: false },
  ),
)

export const systemStatuses = ['pending_setup', 'connected', 'degraded', 'disconnected', 'disabled'] as const

/** Live facts stand beside the row. */
const ofState = (column: string): string =>
  `select ls.${column} from access_control_system_states ls where ls.org = :org and ls.id = t.id`

export const accessControlSystems = defineResource({
  noun: 'access-control-systems',
  table: 'access_control_systems',
  singular: 'access control system',
  plural: 'access control systems',
  description:
    'Electronic systems that drive access points: controllers, cloud accounts, simulators, or none but people ' +
    '(manual).',
  fields: {
    ...common,
    name: name().required().describe('Name.', 'Controllers, main building'),
    kind: text(100, { pattern: '^[a-z][a-z0-9_-]*$' })
      .default('manual')
      .describe('The connector that speaks with it: manual, simulator, uhppote, mqtt, …', 'uhppote'),
    vendor: line(200).nullable().describe('Maker.', 'UHPPOTE'),
    model: line(200).nullable().describe('Model.', 'UT0311-L04'),
    location_id: reference('locations')
      .nullable()
      .describe('Where it stands; null: where the doors that it drives are.'),
    time_zone: code().nullable().describe('IANA time zone of its clock; null: that of its location.', 'Europe/Zurich'),
    status: oneOf(...systemStatuses).describe('How the connection to it stands.', 'connected'),
    last_seen_at: timestamp()
      .nullable()
      .derived(ofState('last_seen_at'))
      .describe('When it was last heard of, to half a minute.'),
    connectivity: oneOf('online', 'offline', 'never_connected')
      .derived(`coalesce((${ofState('connectivity')}), 'never_connected')`)
      .describe('Whether it reports.', 'online'),
    clock_offset_ms: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
      .nullable()
      .derived(ofState('clock_offset_ms'))
      .describe(
        'By how much its clock was ahead of ours when it last reported at once; less than nothing: behind. Null: not ' +
          'known.',
        120,
      ),
    last_sync_at: timestamp()
      .nullable()
      .derived(`coalesce((${ofState('last_sync_at')}), t.last_sync_at)`)
      .describe('When it was last brought up to date.'),
    errors: json(Notices).default([]).readOnly().describe('What keeps it from working.', []),
    warnings: json(Notices).default([]).readOnly().describe('What should be looked at.', []),
    description: prose().nullable().describe('Free text.', 'Four doors, ground floor'),
    access_point_count: count(
      'select count(*) from access_points p where p.org = :org and p.access_control_system_id = t.id',
    )
      .acrossPlaces()
      .describe(
        'How many access points it drives. Null when your role is limited to places: others may be elsewhere.',
        4,
      ),
    credential_count: count(
      'select count(*) from credentials c where c.org = :org and c.access_control_system_id = t.id',
    )
      .acrossPlaces()
      .describe('How many credentials were made for it. Null when your role is limited to places.', 120),
    settings: json(
      Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, maxProperties: 100 }),
    )
      .default({})
      .partlyHidden()
      .describe(
        'What the connector needs. A setting whose name contains secret, password, passphrase, token, credential or ' +
          'private, or ends in key, is a secret: it is stored, and every answer shows ••• in its place. Sent back, ' +
          '••• leaves it as it is; null removes it. Lists cannot hold secrets.',
        { address: '192.168.1.100', port: 60000 },
      ),
  },
  search: ['name', 'kind', 'vendor', 'model', 'description', 'external_id'],
  place: systemStandsThere,
  reaches: {
    rows: (places) =>
      sql`${raw(places.row)}.location_id is null and ${inSelected(
        `${places.row}.id`,
        sql`select rp.access_control_system_id from access_points rp where rp.org = :org
          and ${places.inBuildings('rp.building_id')}`,
      )}`,
    fields: [
      'id',
      'name',
      'kind',
      'vendor',
      'model',
      'location_id',
      'status',
      'last_seen_at',
      'connectivity',
      'last_sync_at',
    ],
  },
})

export type AccessControlSystem = RowOf<typeof accessControlSystems.fields>
