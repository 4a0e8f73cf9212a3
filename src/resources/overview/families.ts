import { daysAfter } from '../../db/day.ts'
import type { Resource } from '../../db/resource.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { accessControlSystems } from '../access-control-systems/schema.ts'
import { accessGrants } from '../access-grants/schema.ts'
import { accessGroups } from '../access-groups/schema.ts'
import { accessPoints } from '../access-points/schema.ts'
import { buildings } from '../buildings/schema.ts'
import { credentials } from '../credentials/schema.ts'
import { cylinders } from '../cylinders/schema.ts'
import { individuals } from '../individuals/schema.ts'
import { keys } from '../keys/schema.ts'
import { locations } from '../locations/schema.ts'
import { CARD_DAYS, lockingSystems } from '../locking-system/schema.ts'
import { spaces } from '../spaces/schema.ts'

export interface Family {
  resource: Resource
  /** The field whose values are counted one by one. */
  by?: string
  /** What else is counted: those that a condition on `t` holds for, by which field, on a day. */
  also?: Readonly<Record<string, { on: string; where: (today: string) => Sql }>>
}

/** What the overview counts, as the lists count it. */
export const families: Readonly<Record<string, Family>> = {
  locations: { resource: locations },
  buildings: { resource: buildings },
  spaces: { resource: spaces },
  access_points: {
    resource: accessPoints,
    by: 'connectivity',
    also: {
      in_alarm: { on: 'in_alarm', where: () => sql`beside.in_alarm` },
      needs_service: { on: 'needs_service', where: () => sql`beside.needs_service` },
    },
  },
  access_control_systems: { resource: accessControlSystems, by: 'status' },
  individuals: { resource: individuals, by: 'status' },
  credentials: { resource: credentials, by: 'status_type' },
  access_groups: { resource: accessGroups },
  access_grants: { resource: accessGrants, by: 'status' },
  locking_systems: {
    resource: lockingSystems,
    by: 'status',
    also: {
      security_cards_expired: {
        on: 'security_card_expires_on',
        where: (today) => sql`t.status <> 'retired' and t.security_card_expires_on < ${today}`,
      },
      security_cards_expiring_within_90_days: {
        on: 'security_card_expires_on',
        where: (today) =>
          sql`t.status <> 'retired' and t.security_card_expires_on >= ${today} and t.security_card_expires_on <=
            ${daysAfter(today, CARD_DAYS)}`,
      },
    },
  },
  cylinders: { resource: cylinders, by: 'status' },
  keys: {
    resource: keys,
    by: 'status',
    also: {
      overdue: { on: 'due_back_on', where: (today) => sql`t.status = 'issued' and t.due_back_on < ${today}` },
    },
  },
}

export const valuesOf = ({ resource, by = '' }: Family): readonly string[] => resource.fields[by]?.spec.values ?? []
