import type { Resource } from '../db/resource.ts'
import { accessControlSystems } from '../resources/access-control-systems/schema.ts'
import { accessGrants } from '../resources/access-grants/schema.ts'
import { accessGroupMembers, accessGroups } from '../resources/access-groups/schema.ts'
import { accessPoints } from '../resources/access-points/schema.ts'
import { accessRequests } from '../resources/access-requests/schema.ts'
import { accessReviewLines, accessReviews } from '../resources/access-reviews/schema.ts'
import { buildings } from '../resources/buildings/schema.ts'
import { calendars } from '../resources/calendars/schema.ts'
import { credentials } from '../resources/credentials/schema.ts'
import { cylinders } from '../resources/cylinders/schema.ts'
import { floorPlanPositions, floorPlans } from '../resources/floor-plans/schema.ts'
import { individuals } from '../resources/individuals/schema.ts'
import { keyHandovers } from '../resources/key-handovers/schema.ts'
import { keyTypes } from '../resources/key-types/schema.ts'
import { keys } from '../resources/keys/schema.ts'
import { locations } from '../resources/locations/schema.ts'
import { lockdowns } from '../resources/lockdowns/schema.ts'
import { lockingSystems } from '../resources/locking-system/schema.ts'
import { schedules } from '../resources/schedules/schema.ts'
import { spaces } from '../resources/spaces/schema.ts'
import type { DemoTable } from './world.ts'

/** What is stored in each table that the demo fills; it says what a search looks through. */
export const resources: Readonly<Record<DemoTable, Resource>> = {
  access_control_systems: accessControlSystems,
  access_grants: accessGrants,
  access_group_members: accessGroupMembers,
  access_groups: accessGroups,
  access_points: accessPoints,
  access_requests: accessRequests,
  access_review_lines: accessReviewLines,
  access_reviews: accessReviews,
  buildings,
  calendars,
  credentials,
  cylinders,
  floor_plan_positions: floorPlanPositions,
  floor_plans: floorPlans,
  individuals,
  key_handovers: keyHandovers,
  key_types: keyTypes,
  keys,
  locations,
  lockdowns,
  locking_systems: lockingSystems,
  schedules,
  spaces,
}
