import type { ViewLoaders } from '../resource/views.tsx'

/** The resources that have pages. One line each: routes, navigation and the palette follow from it. */
export const views: ViewLoaders = {
  buildings: async () => (await import('./buildings.tsx')).buildings,
  spaces: async () => (await import('./spaces.tsx')).spaces,
  'service-users': async () => (await import('./service-users.tsx')).serviceUsers,
  tokens: async () => (await import('./tokens.tsx')).tokens,
  'audit-log': async () => (await import('./audit-log.tsx')).auditLog,
}
