import type { ViewLoaders } from '../resource/views.tsx'

/** The resources that have pages. One line each: routes, navigation and the palette follow from it. */
export const views: ViewLoaders = {
  locations: async () => (await import('./locations.tsx')).locations,
  buildings: async () => (await import('./buildings.tsx')).buildings,
  spaces: async () => (await import('./spaces.tsx')).spaces,
  'access-points': async () => (await import('./access-points.tsx')).accessPoints,
  'locking-system': async () => (await import('./locking-system.tsx')).lockingSystem,
  cylinders: async () => (await import('./cylinders.tsx')).cylinders,
  'key-types': async () => (await import('./key-types.tsx')).keyTypes,
  keys: async () => (await import('./keys.tsx')).keys,
  'key-handovers': async () => (await import('./key-handovers.tsx')).keyHandovers,
  'access-control-systems': async () => (await import('./access-control-systems.tsx')).accessControlSystems,
  individuals: async () => (await import('./individuals.tsx')).individuals,
  credentials: async () => (await import('./credentials.tsx')).credentials,
  'access-groups': async () => (await import('./access-groups.tsx')).accessGroups,
  'access-group-members': async () => (await import('./access-group-members.tsx')).accessGroupMembers,
  memberships: async () => (await import('./memberships.tsx')).memberships,
  'access-grants': async () => (await import('./access-grants.tsx')).accessGrants,
  'service-users': async () => (await import('./service-users.tsx')).serviceUsers,
  tokens: async () => (await import('./tokens.tsx')).tokens,
  'audit-log': async () => (await import('./audit-log.tsx')).auditLog,
}
