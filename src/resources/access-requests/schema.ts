import { common, oneOf, prose, type RowOf, reference, text, timestamp, uuid } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { accessGrants } from '../access-grants/schema.ts'

export const accessRequests = defineResource({
  noun: 'access-requests',
  table: 'access_requests',
  singular: 'access request',
  plural: 'access requests',
  description:
    'Somebody asks for access to a place, for themselves or for another; whoever may give access there approves or ' +
    'denies it. An approved request names the grant that it became. Requests are kept.',
  fields: {
    ...common,
    individual_id: reference('individuals').required().fixedAtCreation().describe('Who is to get access.'),
    access_point_id: reference('access_points')
      .nullable()
      .fixedAtCreation()
      .describe('To what: one access point. Give exactly one place.', null),
    space_id: reference('spaces').nullable().fixedAtCreation().describe('To what: a space.', null),
    building_id: reference('buildings').nullable().fixedAtCreation().describe('To what: a building and its wings.'),
    location_id: reference('locations')
      .nullable()
      .fixedAtCreation()
      .describe('To what: a location and those below it.', null),
    schedule_id: reference('schedules').nullable().describe('At which hours; null: always.', null),
    valid_from: timestamp().nullable().describe('From when on; null: from the approval.', null),
    valid_until: timestamp().nullable().describe('Until when; null: without end.', '2027-12-31T23:00:00.000Z'),
    reason: prose().required().describe('What it is needed for.', 'Renovation of the second floor'),
    requested_by: text(400).readOnly().describe('Who asked.', 'Ada Lovelace'),
    requester_id: uuid().nullable().readOnly().describe('The user or service user who asked; null: the system itself.'),
    status: oneOf('open', 'approved', 'denied', 'withdrawn').readOnly().describe('How it stands.', 'open'),
    decided_at: timestamp().nullable().readOnly().describe('When it was approved, denied or withdrawn.', null),
    decided_by: text(400).nullable().readOnly().describe('By whom.', null),
    decision_note: prose().nullable().readOnly().describe('What they said to it.', null),
    access_grant_id: reference('access_grants').nullable().readOnly().describe('The grant that it became.', null),
  },
  search: ['reason', 'requested_by', 'decision_note', 'external_id'],
  searchThrough: ['individual_id', 'access_point_id', 'space_id', 'building_id', 'location_id'],
  // Where the grant would be.
  ...(accessGrants.place ? { place: accessGrants.place } : {}),
})

export type AccessRequest = RowOf<typeof accessRequests.fields>
