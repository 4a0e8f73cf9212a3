import { common, json, oneOf, prose, type RowOf, reference, timestamp } from '../../core/fields.ts'
import { Type } from '../../core/schema.ts'
import { defineResource, type PlacesSql } from '../../db/resource.ts'
import { doorStandsThere, spaceLiesThere } from '../../db/scope.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'

const place = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }))

/** One place: exactly one of the four. */
export const VisitPlaces = Type.Array(
  Type.Object(
    {
      location_id: place('A location with all below it.'),
      building_id: place('A building and its wings.'),
      space_id: place('A space.'),
      access_point_id: place('One access point.'),
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems: 20 },
)

/** The grants of a visit. */
const grants = (
  row: string,
): Sql => sql`select g.* from visit_places v join access_grants g on g.org = :org and g.id = v.access_grant_id
  where v.org = :org and v.visit_id = ${raw(row)}.id`

const inside = (places: PlacesSql): Sql => sql`
  coalesce(${places.inLocations('o.location_id')}, false) or coalesce(${places.inBuildings('o.building_id')}, false)
  or ${spaceLiesThere(places, 'o.space_id')} or ${doorStandsThere(places, 'o.access_point_id')}`

export const visits = defineResource({
  noun: 'visits',
  table: 'visits',
  singular: 'visit',
  plural: 'visits',
  description:
    'Who comes to see whom, when and where. A visit gives the visitor a way in for its time: a QR code or a PIN, and ' +
    'a grant for each place, which all end with it. Whoever is limited to some of its places sees that somebody is ' +
    'expected, and not where else they go.',
  fields: {
    ...common,
    visitor_id: reference('individuals')
      .required()
      .fixedAtCreation()
      .describe('Who comes: an individual of kind visitor.'),
    host_id: reference('individuals').required().describe('Whom they come to see.'),
    purpose: prose().nullable().describe('What for.', 'Maintenance of the lift'),
    valid_from: timestamp()
      .required()
      .fixedAtCreation()
      .describe('From when on they may come in.', '2027-06-16T08:00:00.000Z'),
    valid_until: timestamp().required().fixedAtCreation().describe('Until when.', '2027-06-16T17:00:00.000Z'),
    credential_type: oneOf('qr', 'pin', 'none')
      .fixedAtCreation()
      .describe('What lets them in: a QR code, a PIN, or what they carry already.', 'qr'),
    credential_id: reference('credentials').nullable().readOnly().describe('The credential that was made for it.'),
    places: json(VisitPlaces)
      .required()
      .fixedAtCreation()
      .describe('Where they may go: up to 20 places, each by one id.', [
        { building_id: '01997d2a-4c00-7000-8000-000000000001' },
      ]),
    arrived_at: timestamp().nullable().readOnly().describe('When they came.', null),
    left_at: timestamp().nullable().readOnly().describe('When they left.', null),
    cancelled_at: timestamp().nullable().readOnly().describe('When it was called off.', null),
    status: oneOf('planned', 'arrived', 'left', 'cancelled', 'expired')
      .derived(
        `case when t.cancelled_at is not null then 'cancelled' when t.left_at is not null then 'left'
          when t.valid_until <= :now then 'expired' when t.arrived_at is not null then 'arrived' else 'planned' end`,
      )
      .describe('How it stands.', 'planned'),
  },
  search: ['purpose', 'external_id'],
  searchThrough: ['visitor_id', 'host_id'],
  // It lies where all of its places lie: whoever ends it ends what it gives at each of them. At each of them they are
  // expected.
  place: (places) =>
    sql`exists (${grants(places.row)}) and not exists (select 1 from (${grants(places.row)}) o
      where not (${inside(places)}))`,
  reaches: {
    rows: (places) => sql`exists (select 1 from (${grants(places.row)}) o where ${inside(places)})`,
    fields: [
      'id',
      'external_id',
      'visitor_id',
      'host_id',
      'purpose',
      'valid_from',
      'valid_until',
      'credential_type',
      'arrived_at',
      'left_at',
      'cancelled_at',
      'status',
    ],
  },
})

export type Visit = RowOf<typeof visits.fields>
