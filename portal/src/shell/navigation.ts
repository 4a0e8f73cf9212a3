import {
  type Icon,
  IconActivityHeartbeat,
  IconDoorEnter,
  IconFileImport,
  IconHandGrab,
  IconLayoutDashboard,
  IconSettings,
  IconUserShield,
} from '@tabler/icons-react'
import { useMay } from '../api/me.ts'
import { useWords } from '../i18n/language.tsx'
import type { Messages } from '../i18n/messages.ts'
import { useHasView } from '../resource/known-views.ts'
import { type Noun, type Resource, resources } from '../resource/resources.ts'

/** What stands in the navigation, in groups. What has no page yet, or may not be seen, is left out. */
const groups: ReadonlyArray<{ title: (t: Messages) => string; nouns: readonly Noun[] }> = [
  {
    title: (t) => t.nav.access,
    nouns: [
      'individuals',
      'credentials',
      'access-groups',
      'access-grants',
      'access-requests',
      'access-reviews',
      'schedules',
      'calendars',
    ],
  },
  { title: (t) => t.nav.happening, nouns: ['visits', 'alarms', 'access-events', 'lockdowns'] },
  {
    title: (t) => t.nav.estate,
    nouns: ['locations', 'buildings', 'spaces', 'access-points', 'access-control-systems'],
  },
  { title: (t) => t.nav.locking, nouns: ['keys', 'key-handovers', 'key-types', 'cylinders', 'locking-system'] },
]

/** Under User Management Settings, in the words and order of the organization menu. */
const userManagement: readonly Noun[] = ['users', 'service-users', 'roles']

export interface NavigationEntry {
  title: string
  to: string
  icon: Icon
}

const entryOf = (t: Messages, resource: Resource): NavigationEntry => ({
  title: t.resources[resource.noun].many,
  to: resource.path ?? '/',
  icon: resource.icon,
})

function useVisible(): (nouns: readonly Noun[]) => Resource[] {
  const may = useMay()
  const hasView = useHasView()
  return (nouns) => nouns.filter((noun) => hasView(noun) && may(resources[noun].read)).map((noun) => resources[noun])
}

export function useNavigation(): Array<{ title: string; entries: NavigationEntry[] }> {
  const t = useWords()
  const visible = useVisible()
  const may = useMay()
  const live =
    may('access-events:read') || may('alarms:read') ? '/live' : may('floor-plans:read') ? '/live/plans' : undefined
  const management = { title: t.shell.userManagement, to: '/user-management', icon: IconUserShield }
  return [
    {
      title: '',
      entries: [
        ...(may('access-points:audience')
          ? [{ title: t.opening.title, to: '/who-can-open', icon: IconDoorEnter }]
          : []),
        ...(may('keys:handover') && may('keys:read')
          ? [{ title: t.nav.keyDesk, to: '/key-desk', icon: IconHandGrab }]
          : []),
        ...(live ? [{ title: t.nav.live, to: live, icon: IconActivityHeartbeat }] : []),
        { title: t.nav.overview, to: '/', icon: IconLayoutDashboard },
      ],
    },
    ...groups.map(({ title, nouns }) => ({
      title: title(t),
      entries: visible(nouns).map((resource) => entryOf(t, resource)),
    })),
    {
      title: t.nav.administration,
      entries: [
        ...(visible(userManagement).length > 0 ? [management] : []),
        ...visible(['webhooks', 'oauth-applications', 'external-identities', 'audit-log']).map((one) =>
          entryOf(t, one),
        ),
        ...(may('imports:write') && may('imports:read')
          ? [{ title: t.nav.import, to: '/import', icon: IconFileImport }]
          : []),
        ...(may('organization:read')
          ? [{ title: t.shell.organizationSettings, to: '/organization', icon: IconSettings }]
          : []),
      ],
    },
  ].filter(({ entries }) => entries.length > 0)
}

export function useUserManagement(): NavigationEntry[] {
  const t = useWords()
  const visible = useVisible()
  return visible(userManagement).map((resource) => entryOf(t, resource))
}
