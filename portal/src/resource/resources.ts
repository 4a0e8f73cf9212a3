import {
  type Icon,
  IconActivity,
  IconAddressBook,
  IconApps,
  IconBellRinging,
  IconBuilding,
  IconCalendar,
  IconChecklist,
  IconClock,
  IconCommand,
  IconCpu,
  IconDevices,
  IconDoor,
  IconFingerprint,
  IconHandStop,
  IconHierarchy,
  IconHistory,
  IconId,
  IconKey,
  IconLink,
  IconLock,
  IconMap2,
  IconNotebook,
  IconRobot,
  IconSettings,
  IconShieldCheck,
  IconShieldLock,
  IconSquareKey,
  IconTicket,
  IconUrgent,
  IconUser,
  IconUserCog,
  IconUserPlus,
  IconUsersGroup,
  IconWebhook,
  IconWindow,
  IconWorldShare,
} from '@tabler/icons-react'
import type { bodies } from '../api/generated/bodies.ts'
import type { Permission } from '../api/generated/types.ts'
import { givenName } from '../i18n/given-names.ts'
import { inWords, isKeyOf } from '../typed.ts'

export type BodyName = keyof typeof bodies

/**
 * What every part of the portal must know of a resource before its page is loaded: where it is, what it is called, who
 * may see it.
 */
export interface Resource {
  readonly noun: Noun
  readonly api: string
  /** Where its pages are; without one it is shown inside another's page only. */
  readonly path?: string
  readonly icon: Icon
  /** `self`: everybody has their own. */
  readonly read: Permission | 'self'
  readonly write?: Permission | 'self'
  /** What an item is called: these fields, as far as they have a value. None: it has no name, its kind must do. */
  readonly label: readonly string[]
  readonly create?: BodyName
  readonly patch?: BodyName
  /** spec.md's list of spaces takes bare values for its filters, and no order. */
  readonly isBare?: boolean
  /** Its items may be called as the service calls them, in English. */
  readonly hasGivenNames?: boolean
}

const define = <const R extends Record<string, Omit<Resource, 'noun'>>>(all: R): { [K in keyof R]: Resource } =>
  Object.fromEntries(Object.entries(all).map(([noun, resource]) => [noun, { noun, ...resource }])) as never

type Managed = {
  [P in Permission]: P extends `${infer N}:write` ? (`${N}:read` extends Permission ? N : never) : never
}[Permission]
type Body = {
  [P in BodyName]: P extends `${infer N}Patch` ? (`${N}Create` extends BodyName ? N : never) : never
}[BodyName]

/** What has a list, a page, and permissions and bodies that are called after it. */
const usual = <N extends Managed, B extends Body>(noun: N, icon: Icon, body: B, ...label: string[]) => ({
  api: `/api/v1/${noun}`,
  path: `/${noun}`,
  icon,
  read: `${noun}:read` as const,
  write: `${noun}:write` as const,
  label: label.length === 0 ? ['name'] : label,
  create: `${body}Create` as const,
  patch: `${body}Patch` as const,
})

/** An answer worked out for an item of another resource: who can open a door. */
const answered = (of: string, question: string, icon: Icon, ...label: string[]) => ({
  api: `/api/v1/${of}/:parent_id/${question}`,
  icon,
  read: 'access-points:audience' as const,
  label,
})

/** What happens has no name: what it is and where must do. */
const happening = <N extends string>(noun: N, icon: Icon) => ({
  api: `/api/v1/${noun}`,
  path: `/${noun}`,
  icon,
  label: [],
})

export const resources = define({
  locations: usual('locations', IconMap2, 'Location'),
  buildings: usual('buildings', IconBuilding, 'Building'),
  spaces: { ...usual('spaces', IconWindow, 'Space'), isBare: true },
  'access-points': usual('access-points', IconDoor, 'AccessPoint', 'label', 'name'),
  'floor-plans': {
    api: '/api/v1/floor-plans',
    icon: IconMap2,
    read: 'floor-plans:read',
    write: 'floor-plans:write',
    label: ['name', 'floor'],
    create: 'FloorPlanCreate',
    patch: 'FloorPlanPatch',
  },
  'locking-system': usual('locking-system', IconLock, 'LockingSystem'),
  cylinders: usual('cylinders', IconSquareKey, 'Cylinder', 'number', 'label'),
  'key-types': usual('key-types', IconHierarchy, 'KeyType', 'code', 'name'),
  keys: usual('keys', IconKey, 'Key', 'key_type_code', 'number'),
  'key-handovers': {
    api: '/api/v1/key-handovers',
    path: '/key-handovers',
    icon: IconNotebook,
    read: 'keys:read',
    label: ['id'],
  },
  'access-control-systems': usual('access-control-systems', IconCpu, 'AccessControlSystem'),
  credentials: usual('credentials', IconId, 'Credential', 'label', 'number'),
  individuals: usual('individuals', IconUser, 'Individual', 'display_name'),
  'access-groups': usual('access-groups', IconUsersGroup, 'AccessGroup'),
  'access-group-members': {
    api: '/api/v1/access-groups/:parent_id/members',
    icon: IconAddressBook,
    read: 'access-groups:read',
    write: 'access-groups:write',
    label: [],
    create: 'AccessGroupMemberCreate',
    patch: 'AccessGroupMemberPatch',
  },
  memberships: {
    api: '/api/v1/access-group-members',
    icon: IconUsersGroup,
    read: 'access-groups:read',
    write: 'access-groups:write',
    label: [],
  },
  'access-grants': { ...usual('access-grants', IconShieldCheck, 'AccessGrant'), label: [] },
  'access-requests': { ...usual('access-requests', IconHandStop, 'AccessRequest'), label: [] },
  'access-events': { ...happening('access-events', IconActivity), read: 'access-events:read' },
  alarms: { ...happening('alarms', IconBellRinging), read: 'alarms:read' },
  commands: { api: '/api/v1/commands', icon: IconCommand, read: 'commands:read', label: [] },
  visits: {
    ...happening('visits', IconUserPlus),
    read: 'visits:read',
    write: 'visits:write',
    create: 'VisitCreate',
    patch: 'VisitPatch',
  },
  'access-reviews': usual('access-reviews', IconChecklist, 'AccessReview'),
  'access-review-lines': {
    api: '/api/v1/access-review-lines',
    icon: IconChecklist,
    read: 'access-reviews:read',
    write: 'access-reviews:write',
    label: ['display_name', 'what'],
  },
  schedules: usual('schedules', IconClock, 'Schedule'),
  calendars: usual('calendars', IconCalendar, 'Calendar'),
  lockdowns: { ...usual('lockdowns', IconUrgent, 'Lockdown'), label: [] },
  'who-can-open': answered('access-points', 'who-can-open', IconUser, 'display_name'),
  'who-can-enter': answered('spaces', 'who-can-enter', IconUser, 'display_name'),
  'can-open': answered('individuals', 'can-open', IconDoor, 'label', 'name'),
  'who-can-open-changes': answered('access-points', 'who-can-open/changes', IconUser, 'display_name'),
  'who-can-enter-changes': answered('spaces', 'who-can-enter/changes', IconUser, 'display_name'),
  'can-open-changes': answered('individuals', 'can-open/changes', IconDoor, 'label', 'name'),
  organization: {
    api: '/api/v1/organization',
    icon: IconSettings,
    read: 'organization:read',
    write: 'organization:write',
    label: ['name'],
    patch: 'OrganizationPatch',
  },
  users: { ...usual('users', IconUserCog, 'User'), path: '/user-management/users' },
  'service-users': { ...usual('service-users', IconRobot, 'ServiceUser'), path: '/user-management/service-users' },
  tokens: {
    api: '/api/v1/service-users/:parent_id/tokens',
    icon: IconTicket,
    read: 'tokens:read',
    write: 'tokens:write',
    label: ['name'],
    create: 'TokenCreate',
  },
  roles: { ...usual('roles', IconShieldLock, 'Role'), path: '/user-management/roles', hasGivenNames: true },
  'role-assignments': {
    api: '/api/v1/role-assignments',
    icon: IconShieldLock,
    read: 'role-assignments:read',
    write: 'role-assignments:write',
    label: ['role_name'],
    hasGivenNames: true,
    create: 'RoleAssignmentCreate',
  },
  'oauth-applications': usual('oauth-applications', IconApps, 'OAuthApplication'),
  webhooks: usual('webhooks', IconWebhook, 'Webhook', 'url'),
  'webhook-deliveries': {
    api: '/api/v1/webhooks/:parent_id/deliveries',
    icon: IconWebhook,
    read: 'webhooks:read',
    label: ['type'],
  },
  'external-identities': usual('external-identities', IconWorldShare, 'ExternalIdentity', 'subject', 'issuer'),
  'oauth-grants': {
    api: '/api/v1/me/grants',
    icon: IconApps,
    read: 'self',
    write: 'self',
    label: ['application_name'],
  },
  sessions: { api: '/api/v1/sessions', icon: IconDevices, read: 'self', write: 'self', label: ['user_agent'] },
  passkeys: {
    api: '/api/v1/me/passkeys',
    icon: IconFingerprint,
    read: 'self',
    write: 'self',
    label: ['name'],
    patch: 'PasskeyPatch',
  },
  identities: {
    api: '/api/v1/me/identities',
    icon: IconLink,
    read: 'self',
    write: 'self',
    label: ['provider_name', 'email'],
  },
  'audit-log': {
    api: '/api/v1/audit-log',
    path: '/audit-log',
    icon: IconHistory,
    read: 'audit-log:read',
    label: ['action'],
  },
})

export type Noun = keyof typeof resources

/** Where the items of a resource are; those inside another item need its id. */
export const apiOf = ({ api }: Resource, parentId?: string): string =>
  parentId === undefined ? api : api.replace(':parent_id', parentId)

export const labelOf = ({ label, hasGivenNames }: Resource, item: object): string => {
  const values = label.map((field) => valueIn(item, field)).filter((value) => typeof value === 'string' && value !== '')
  const name = values.join(' · ')
  if (name !== '' || label.length === 0) return hasGivenNames ? givenName(name) : name
  return String(valueIn(item, 'id') ?? '').slice(0, 8)
}

const valueIn = (item: object, field: string): unknown => (isKeyOf(item, field) ? item[field] : undefined)

/**
 * Whether its fields may be absent: what can be changed has a version, unless it is seen in part by somebody limited to
 * places.
 */
export const mayBeUnseen = ({ patch, isBare }: Resource): boolean => patch !== undefined && !isBare

export const isSeenInPart = (resource: Resource, item: object): boolean =>
  mayBeUnseen(resource) && valueIn(item, 'version') === undefined

export const pathTo = ({ path }: Resource, id: string): string | undefined =>
  path === undefined ? undefined : `${path}/${id}`

/** What a field that ends in `_id` refers to. `parent_id` refers to its own kind. */
const targets: Partial<Record<string, Noun>> = {
  location_id: 'locations',
  building_id: 'buildings',
  space_id: 'spaces',
  from_space_id: 'spaces',
  access_point_id: 'access-points',
  locking_system_id: 'locking-system',
  key_type_id: 'key-types',
  key_id: 'keys',
  access_control_system_id: 'access-control-systems',
  individual_id: 'individuals',
  manager_id: 'individuals',
  visitor_id: 'individuals',
  host_id: 'individuals',
  credential_id: 'credentials',
  access_group_id: 'access-groups',
  user_id: 'users',
  service_user_id: 'service-users',
  role_id: 'roles',
  application_id: 'oauth-applications',
  schedule_id: 'schedules',
  unlock_schedule_id: 'schedules',
  calendar_id: 'calendars',
}

export function targetOf(field: string, own: Resource): Resource | undefined {
  if (field === 'parent_id') return own
  const noun = targets[field]
  return noun && resources[noun]
}

/** The resource whose noun the API uses in texts, such as the audit log's `resource`. */
export const resourceByNoun = (noun: string): Resource | undefined => inWords(resources, noun)
