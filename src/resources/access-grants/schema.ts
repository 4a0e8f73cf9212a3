import { boolean, common, oneOf, prose, type RowOf, reference, timestamp } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { targetLiesThere } from '../../db/scope.ts'

export const accessGrants = defineResource({
  noun: 'access-grants',
  table: 'access_grants',
  singular: 'access grant',
  plural: 'access grants',
  description:
    'Who may open what, when, and for how long: one subject (an individual or an access group), one target (an ' +
    'access point, or a space, building or location with all access points below it). Subject and target are ' +
    'fixed; deny wins over allow. A grant that was in force is revoked, never deleted.',
  fields: {
    ...common,
    individual_id: reference('individuals')
      .nullable()
      .fixedAtCreation()
      .describe('Subject: an individual. Give this or access_group_id.'),
    access_group_id: reference('access_groups')
      .nullable()
      .fixedAtCreation()
      .describe('Subject: the members of an access group. Give this or individual_id.', null),
    access_point_id: reference('access_points')
      .nullable()
      .fixedAtCreation()
      .describe('Target: one access point. Give exactly one target.'),
    space_id: reference('spaces').nullable().fixedAtCreation().describe('Target: the access points of a space.', null),
    building_id: reference('buildings')
      .nullable()
      .fixedAtCreation()
      .describe('Target: all access points of a building and its wings.', null),
    location_id: reference('locations')
      .nullable()
      .fixedAtCreation()
      .describe('Target: all access points of a location and those below it.', null),
    schedule_id: reference('schedules').nullable().describe('At which hours; null: always.', null),
    valid_from: timestamp()
      .nullable()
      .describe('From when on; null: from the start. It can be moved only while the grant has not begun.'),
    valid_until: timestamp().nullable().describe('Until when; null: without end.', '2027-12-31T23:00:00.000Z'),
    effect: oneOf('allow', 'deny').describe('allow lets through; deny keeps out, whatever else allows.', 'allow'),
    requires_pin: boolean().default(false).describe('The PIN must be given too.', false),
    requires_second_person: boolean().default(false).describe('A second person who may pass must be there.', false),
    during_lockdown: boolean().default(false).describe('Lets through during a lockdown too.', false),
    reason: prose().nullable().describe('Why it was given.', 'Maintenance contract 2027'),
    revoked_at: timestamp().nullable().readOnly().describe('When it was revoked.'),
    status: oneOf('scheduled', 'active', 'expired', 'revoked')
      .derived(
        `case when t.revoked_at is not null then 'revoked' when t.valid_until <= :now then 'expired'
          when t.valid_from > :now then 'scheduled' else 'active' end`,
      )
      .describe('Derived: revoked, or what the window makes of it now.', 'active'),
  },
  search: ['reason', 'external_id'],
  searchThrough: ['individual_id', 'access_group_id', 'access_point_id', 'space_id', 'building_id', 'location_id'],
  // A grant is where its target is.
  place: targetLiesThere,
})

export type AccessGrant = RowOf<typeof accessGrants.fields>
