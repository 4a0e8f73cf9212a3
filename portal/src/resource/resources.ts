import {
  type Icon,
  IconAddressBook,
  IconApps,
  IconBuilding,
  IconCalendar,
  IconClock,
  IconCpu,
  IconDevices,
  IconDoor,
  IconFingerprint,
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
  IconUsersGroup,
  IconWindow,
  IconWorldShare,
} from '@tabler/icons-react'
import type { bodies } from '../api/generated/bodies.ts'
import type { Permission } from '../api/generated/types.ts'

export type BodyName = keyof typeof bodies

/** What every part of the portal must know of a resource before its page is loaded: where it is, what it is called, who may see it. */
export interface Resource {
  readonly noun: string
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
}

const define = <const R extends Record<string, Omit<Resource, 'noun'>>>(all: R): { [K in keyof R]: Resource } =>
  Object.fromEntries(Object.entries(all).map(([noun, resource]) => [noun, { noun, ...resource }])) as never

export const resources = define({
  locations: {
    api: '/api/v1/locations',
    path: '/locations',
    icon: IconMap2,
    read: 'locations:read',
    write: 'locations:write',
    label: ['name'],
    create: 'LocationCreate',
    patch: 'LocationPatch',
  },
  buildings: {
    api: '/api/v1/buildings',
    path: '/buildings',
    icon: IconBuilding,
    read: 'buildings:read',
    write: 'buildings:write',
    label: ['name'],
    create: 'BuildingCreate',
    patch: 'BuildingPatch',
  },
  spaces: {
    api: '/api/v1/spaces',
    path: '/spaces',
    icon: IconWindow,
    read: 'spaces:read',
    write: 'spaces:write',
    label: ['name'],
    create: 'SpaceCreate',
    patch: 'SpacePatch',
    isBare: true,
  },
  'access-points': {
    api: '/api/v1/access-points',
    path: '/access-points',
    icon: IconDoor,
    read: 'access-points:read',
    write: 'access-points:write',
    label: ['label', 'name'],
    create: 'AccessPointCreate',
    patch: 'AccessPointPatch',
  },
  'locking-system': {
    api: '/api/v1/locking-system',
    path: '/locking-system',
    icon: IconLock,
    read: 'locking-system:read',
    write: 'locking-system:write',
    label: ['name'],
    create: 'LockingSystemCreate',
    patch: 'LockingSystemPatch',
  },
  cylinders: {
    api: '/api/v1/cylinders',
    path: '/cylinders',
    icon: IconSquareKey,
    read: 'cylinders:read',
    write: 'cylinders:write',
    label: ['number', 'label'],
    create: 'CylinderCreate',
    patch: 'CylinderPatch',
  },
  'key-types': {
    api: '/api/v1/key-types',
    path: '/key-types',
    icon: IconHierarchy,
    read: 'key-types:read',
    write: 'key-types:write',
    label: ['code', 'name'],
    create: 'KeyTypeCreate',
    patch: 'KeyTypePatch',
  },
  keys: {
    api: '/api/v1/keys',
    path: '/keys',
    icon: IconKey,
    read: 'keys:read',
    write: 'keys:write',
    label: ['key_type_code', 'number'],
    create: 'KeyCreate',
    patch: 'KeyPatch',
  },
  'key-handovers': {
    api: '/api/v1/key-handovers',
    path: '/key-handovers',
    icon: IconNotebook,
    read: 'keys:read',
    label: ['id'],
  },
  'access-control-systems': {
    api: '/api/v1/access-control-systems',
    path: '/access-control-systems',
    icon: IconCpu,
    read: 'access-control-systems:read',
    write: 'access-control-systems:write',
    label: ['name'],
    create: 'AccessControlSystemCreate',
    patch: 'AccessControlSystemPatch',
  },
  credentials: {
    api: '/api/v1/credentials',
    path: '/credentials',
    icon: IconId,
    read: 'credentials:read',
    write: 'credentials:write',
    label: ['label', 'number'],
    create: 'CredentialCreate',
    patch: 'CredentialPatch',
  },
  individuals: {
    api: '/api/v1/individuals',
    path: '/individuals',
    icon: IconUser,
    read: 'individuals:read',
    write: 'individuals:write',
    label: ['display_name'],
    create: 'IndividualCreate',
    patch: 'IndividualPatch',
  },
  'access-groups': {
    api: '/api/v1/access-groups',
    path: '/access-groups',
    icon: IconUsersGroup,
    read: 'access-groups:read',
    write: 'access-groups:write',
    label: ['name'],
    create: 'AccessGroupCreate',
    patch: 'AccessGroupPatch',
  },
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
  'access-grants': {
    api: '/api/v1/access-grants',
    path: '/access-grants',
    icon: IconShieldCheck,
    read: 'access-grants:read',
    write: 'access-grants:write',
    label: [],
    create: 'AccessGrantCreate',
    patch: 'AccessGrantPatch',
  },
  schedules: {
    api: '/api/v1/schedules',
    path: '/schedules',
    icon: IconClock,
    read: 'schedules:read',
    write: 'schedules:write',
    label: ['name'],
    create: 'ScheduleCreate',
    patch: 'SchedulePatch',
  },
  calendars: {
    api: '/api/v1/calendars',
    path: '/calendars',
    icon: IconCalendar,
    read: 'calendars:read',
    write: 'calendars:write',
    label: ['name'],
    create: 'CalendarCreate',
    patch: 'CalendarPatch',
  },
  lockdowns: {
    api: '/api/v1/lockdowns',
    path: '/lockdowns',
    icon: IconUrgent,
    read: 'lockdowns:read',
    write: 'lockdowns:write',
    label: [],
    create: 'LockdownCreate',
    patch: 'LockdownPatch',
  },
  'who-can-open': {
    api: '/api/v1/access-points/:parent_id/who-can-open',
    icon: IconUser,
    read: 'access-points:audience',
    label: ['display_name'],
  },
  'who-can-enter': {
    api: '/api/v1/spaces/:parent_id/who-can-enter',
    icon: IconUser,
    read: 'access-points:audience',
    label: ['display_name'],
  },
  'can-open': {
    api: '/api/v1/individuals/:parent_id/can-open',
    icon: IconDoor,
    read: 'access-points:audience',
    label: ['label', 'name'],
  },
  organization: {
    api: '/api/v1/organization',
    icon: IconSettings,
    read: 'organization:read',
    write: 'organization:write',
    label: ['name'],
    patch: 'OrganizationPatch',
  },
  users: {
    api: '/api/v1/users',
    path: '/user-management/users',
    icon: IconUserCog,
    read: 'users:read',
    write: 'users:write',
    label: ['name'],
    create: 'UserCreate',
    patch: 'UserPatch',
  },
  'service-users': {
    api: '/api/v1/service-users',
    path: '/user-management/service-users',
    icon: IconRobot,
    read: 'service-users:read',
    write: 'service-users:write',
    label: ['name'],
    create: 'ServiceUserCreate',
    patch: 'ServiceUserPatch',
  },
  tokens: {
    api: '/api/v1/service-users/:parent_id/tokens',
    icon: IconTicket,
    read: 'tokens:read',
    write: 'tokens:write',
    label: ['name'],
    create: 'TokenCreate',
  },
  roles: {
    api: '/api/v1/roles',
    path: '/user-management/roles',
    icon: IconShieldLock,
    read: 'roles:read',
    write: 'roles:write',
    label: ['name'],
    create: 'RoleCreate',
    patch: 'RolePatch',
  },
  'role-assignments': {
    api: '/api/v1/role-assignments',
    icon: IconShieldLock,
    read: 'role-assignments:read',
    write: 'role-assignments:write',
    label: ['role_name'],
    create: 'RoleAssignmentCreate',
  },
  'oauth-applications': {
    api: '/api/v1/oauth-applications',
    path: '/oauth-applications',
    icon: IconApps,
    read: 'oauth-applications:read',
    write: 'oauth-applications:write',
    label: ['name'],
    create: 'OAuthApplicationCreate',
    patch: 'OAuthApplicationPatch',
  },
  'external-identities': {
    api: '/api/v1/external-identities',
    path: '/external-identities',
    icon: IconWorldShare,
    read: 'external-identities:read',
    write: 'external-identities:write',
    label: ['subject', 'issuer'],
    create: 'ExternalIdentityCreate',
    patch: 'ExternalIdentityPatch',
  },
  'oauth-grants': { api: '/api/v1/me/grants', icon: IconApps, read: 'self', write: 'self', label: ['application_name'] },
  sessions: { api: '/api/v1/sessions', icon: IconDevices, read: 'self', write: 'self', label: ['user_agent'] },
  passkeys: {
    api: '/api/v1/me/passkeys',
    icon: IconFingerprint,
    read: 'self',
    write: 'self',
    label: ['name'],
    patch: 'PasskeyPatch',
  },
  identities: { api: '/api/v1/me/identities', icon: IconLink, read: 'self', write: 'self', label: ['provider_name', 'email'] },
  'audit-log': { api: '/api/v1/audit-log', path: '/audit-log', icon: IconHistory, read: 'audit-log:read', label: ['action'] },
})

export type Noun = keyof typeof resources

/** Where the items of a resource are; those inside another item need its id. */
export const apiOf = ({ api }: Resource, parentId?: string): string => (parentId === undefined ? api : api.replace(':parent_id', parentId))

export const labelOf = ({ label }: Resource, item: object): string => {
  const values = label.map((field) => (item as Record<string, unknown>)[field]).filter((value) => typeof value === 'string' && value !== '')
  if (values.length > 0 || label.length === 0) return values.join(' · ')
  return String((item as { id?: string }).id ?? '').slice(0, 8)
}

/** Whether its fields may be absent: what can be changed has a version, unless it is seen in part by somebody limited to places. */
export const mayBeUnseen = ({ patch, isBare }: Resource): boolean => patch !== undefined && !isBare

export const isSeenInPart = (resource: Resource, item: object): boolean =>
  mayBeUnseen(resource) && (item as { version?: number }).version === undefined

export const pathTo = ({ path }: Resource, id: string): string | undefined => (path === undefined ? undefined : `${path}/${id}`)

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
export const resourceByNoun = (noun: string): Resource | undefined => (resources as Record<string, Resource>)[noun]
