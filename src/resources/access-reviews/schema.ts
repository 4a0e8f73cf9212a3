import {
  boolean,
  common,
  count,
  date,
  integer,
  line,
  name,
  oneOf,
  prose,
  type RowOf,
  reference,
  text,
  timestamp,
  uuid,
} from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { lyingAt } from '../../db/scope.ts'
import { raw, sql } from '../../db/sql.ts'

const lines = (condition = '') =>
  count(`select count(*) from access_review_lines l where l.org = :org and l.access_review_id = t.id${condition}`)

export const accessReviews = defineResource({
  noun: 'access-reviews',
  table: 'access_reviews',
  singular: 'access review',
  plural: 'access reviews',
  description:
    'A campaign: who may open what at a building or a location is taken down when it starts, and each line is ' +
    'confirmed or revoked. A closed review is evidence: its report is signed with the key of the audit log.',
  fields: {
    ...common,
    name: name().required().describe('What it is called.', 'Main building, spring 2027'),
    building_id: reference('buildings')
      .nullable()
      .fixedAtCreation()
      .describe('Where: a building and its wings. Give exactly one place.'),
    location_id: reference('locations')
      .nullable()
      .fixedAtCreation()
      .describe('Where: a location and those below it.', null),
    due_on: date().required().describe('Until when it is to be done.', '2099-03-31'),
    reviewer: line(200)
      .nullable()
      .describe('Who is to go through it; whoever may write access reviews there can.', 'Ada Lovelace'),
    status: oneOf('draft', 'running', 'closed', 'cancelled').readOnly().describe('How it stands.', 'running'),
    line_count: lines().describe('How many lines there are.', 120),
    open_count: lines(` and l.decision = 'open'`).describe('How many are to be decided.', 20),
    confirmed_count: lines(` and l.decision = 'confirmed'`).describe('How many were confirmed.', 90),
    revoked_count: lines(` and l.decision = 'revoked'`).describe('How many were revoked.', 10),
    started_at: timestamp().nullable().readOnly().describe('As of when it was taken down who may open what.'),
    started_by: text(400).nullable().readOnly().describe('By whom.', 'Ada Lovelace'),
    closed_at: timestamp().nullable().readOnly().describe('When it was closed or cancelled.', null),
    closed_by: text(400).nullable().readOnly().describe('By whom.', null),
  },
  search: ['name', 'reviewer', 'external_id'],
  place: lyingAt,
})

export type AccessReview = RowOf<typeof accessReviews.fields>

const { external_id: _, ...kept } = common

/** Whether what a line tells of is over. */
export const ENDED = `case t.means
    when 'grant' then exists (select 1 from access_grants g where g.org = :org and g.id = t.access_grant_id
      and (g.revoked_at is not null or g.valid_until <= :now))
    when 'group' then not exists (select 1 from access_group_members m where m.org = :org
    and m.access_group_id = t.access_group_id and m.individual_id = t.individual_id
      and (m.valid_until is null or m.valid_until > :now))
    else not exists (select 1 from keys k where k.org = :org and k.id = t.key_id and k.individual_id = t.individual_id
      and k.status = 'issued') end`

export const accessReviewLines = defineResource({
  noun: 'access-review-lines',
  table: 'access_review_lines',
  permissions: { read: 'access-reviews:read', write: 'access-reviews:write' },
  singular: 'access review line',
  plural: 'access review lines',
  description:
    'One way in of one person, as it was when the review started: a grant of their own, a membership of a group that ' +
    'was given access there, or a key. Together they are everybody whom `who-can-open` names at a door there.',
  fields: {
    ...kept,
    access_review_id: reference('access_reviews').readOnly().owned().describe('The review.'),
    individual_id: reference('individuals').readOnly().describe('Who.'),
    display_name: name().readOnly().describe('What they were called then.', 'Ada Lovelace'),
    means: oneOf('grant', 'group', 'key')
      .readOnly()
      .describe('By what: a grant of their own, a group, or a key.', 'grant'),
    what: text(1000)
      .readOnly()
      .describe('The place that was given, the group or the key, as it was called then.', 'Main building'),
    access_grant_id: reference('access_grants').nullable().readOnly().describe('The grant.'),
    access_group_id: uuid().nullable().readOnly().describe('The group.', null),
    access_group_member_id: uuid().nullable().readOnly().describe('The membership.', null),
    key_id: uuid().nullable().readOnly().describe('The key.', null),
    doors: integer(0, Number.MAX_SAFE_INTEGER).readOnly().describe('How many doors there it opened then.', 12),
    decision: oneOf('open', 'confirmed', 'revoked').readOnly().describe('What was decided.', 'open'),
    decided_at: timestamp().nullable().readOnly().describe('When.', null),
    decided_by: text(400).nullable().readOnly().describe('By whom.', null),
    note: prose().nullable().readOnly().describe('What they said to it.', null),
    is_ended: boolean()
      .derived(ENDED)
      .describe(
        'Whether it is over by now: a key that was revoked is still in their hands until it is given back.',
        false,
      ),
    may_revoke: boolean()
      .decorated()
      .describe(
        'Whether you may revoke it: that ends the grant or the membership, and needs your own right where that lies.',
        true,
      ),
  },
  search: ['display_name', 'what'],
  defaultOrder: ['display_name', 'id'],
  // A line is where its review is.
  place: (places) => sql`${raw(places.row)}.access_review_id in (
    select lr.id from access_reviews lr where lr.org = :org and (${lyingAt({ ...places, row: 'lr' })}))`,
})

export type AccessReviewLine = RowOf<typeof accessReviewLines.fields>
