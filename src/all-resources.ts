import { auditLog } from './audit/schema.ts'
import type { Resource } from './db/resource.ts'
import { externalIdentities } from './identity/external-identities/schema.ts'
import { oauthGrants } from './identity/oauth/grants-schema.ts'
import { oauthApplications } from './identity/oauth-applications/schema.ts'
import { organization } from './identity/organization/schema.ts'
import { passkeys } from './identity/passkeys/schema.ts'
import { roleAssignments } from './identity/role-assignments/schema.ts'
import { roles } from './identity/roles/schema.ts'
import { serviceUsers } from './identity/service-users/schema.ts'
import { sessions } from './identity/sessions/schema.ts'
import { identities } from './identity/sign-on/schema.ts'
import { tokens } from './identity/tokens/schema.ts'
import { users } from './identity/users/schema.ts'
import { accessControlSystems } from './resources/access-control-systems/schema.ts'
import { accessEvents } from './resources/access-events/schema.ts'
import { accessGrants } from './resources/access-grants/schema.ts'
import { accessGroupMembers, accessGroups } from './resources/access-groups/schema.ts'
import { accessPoints } from './resources/access-points/schema.ts'
import { accessRequests } from './resources/access-requests/schema.ts'
import { accessReviewLines, accessReviews } from './resources/access-reviews/schema.ts'
import { alarms } from './resources/alarms/schema.ts'
import { buildings } from './resources/buildings/schema.ts'
import { calendars } from './resources/calendars/schema.ts'
import { commands } from './resources/commands/schema.ts'
import { credentials } from './resources/credentials/schema.ts'
import { cylinders } from './resources/cylinders/schema.ts'
import { floorPlanPositions, floorPlans } from './resources/floor-plans/schema.ts'
import { imports } from './resources/imports/schema.ts'
import { individuals } from './resources/individuals/schema.ts'
import { keyHandovers } from './resources/key-handovers/schema.ts'
import { keyTypes } from './resources/key-types/schema.ts'
import { keys } from './resources/keys/schema.ts'
import { locations } from './resources/locations/schema.ts'
import { lockdowns } from './resources/lockdowns/schema.ts'
import { lockingSystems } from './resources/locking-system/schema.ts'
import { occupants } from './resources/presence/schema.ts'
import { schedules } from './resources/schedules/schema.ts'
import { spaces } from './resources/spaces/schema.ts'
import { visits } from './resources/visits/schema.ts'
import { webhookDeliveries, webhooks } from './resources/webhooks/schema.ts'

/** Everything that has items of its own: what is not in this list cannot be listed, referred to or told of. */
export const allResources: readonly Resource[] = [
  auditLog,
  roles,
  serviceUsers,
  users,
  externalIdentities,
  oauthApplications,
  oauthGrants,
  roleAssignments,
  sessions,
  organization,
  passkeys,
  tokens,
  identities,
  accessControlSystems,
  accessPoints,
  credentials,
  individuals,
  accessGrants,
  lockingSystems,
  keys,
  accessEvents,
  accessGroups,
  accessGroupMembers,
  accessRequests,
  accessReviews,
  accessReviewLines,
  alarms,
  buildings,
  calendars,
  commands,
  cylinders,
  floorPlans,
  floorPlanPositions,
  imports,
  keyHandovers,
  visits,
  keyTypes,
  locations,
  lockdowns,
  spaces,
  occupants,
  schedules,
  webhooks,
  webhookDeliveries,
]
