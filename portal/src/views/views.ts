import type { ViewLoaders } from '../resource/views.tsx'

/** The resources that have pages. One line each: routes, navigation and the palette follow from it. */
export const views: ViewLoaders = {
  buildings: async () => (await import('./buildings.tsx')).buildings,
  spaces: async () => (await import('./spaces.tsx')).spaces,
  users: async () => (await import('./users.tsx')).users,
  roles: async () => (await import('./roles.tsx')).roles,
  'role-assignments': async () => (await import('./role-assignments.tsx')).roleAssignments,
  individuals: async () => (await import('./individuals.tsx')).individuals,
  credentials: async () => (await import('./credentials.tsx')).credentials,
  'access-groups': async () => (await import('./access-groups.tsx')).accessGroups,
  'access-group-members': async () => (await import('./access-group-members.tsx')).accessGroupMembers,
  memberships: async () => (await import('./memberships.tsx')).memberships,
  'access-grants': async () => (await import('./access-grants.tsx')).accessGrants,
  'service-users': async () => (await import('./service-users.tsx')).serviceUsers,
  passkeys: async () => (await import('./passkeys.tsx')).passkeys,
  identities: async () => (await import('./identities.tsx')).identities,
  sessions: async () => (await import('./sessions.tsx')).sessions,
  'oauth-applications': async () => (await import('./oauth-applications.tsx')).oauthApplications,
  'oauth-grants': async () => (await import('./oauth-grants.tsx')).oauthGrants,
  'external-identities': async () => (await import('./external-identities.tsx')).externalIdentities,
  tokens: async () => (await import('./tokens.tsx')).tokens,
  'audit-log': async () => (await import('./audit-log.tsx')).auditLog,
}
