import { Group } from '@mantine/core'
import type { Session } from '../../api/generated/types.ts'
import { useWords } from '../../i18n/language.tsx'
import { defineView } from '../../resource/define-view.ts'
import { resources } from '../../resource/resources.ts'
import { ToneBadge } from '../../resource/shown/status-badge.tsx'

const browsers: ReadonlyArray<[RegExp, string]> = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: ReadonlyArray<[RegExp, string]> = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]
const found = (all: ReadonlyArray<[RegExp, string]>, text: string) =>
  all.find(([expression]) => expression.test(text))?.[1]

/** "Firefox · Linux" says more than what a browser calls itself. */
function Device({ session: { user_agent, is_current } }: { session: Session }) {
  const t = useWords()
  const text = user_agent ?? ''
  const name =
    [found(browsers, text), found(systems, text)].filter(Boolean).join(' · ') || text || t.profile.unknownDevice
  return (
    <Group gap="xs" title={text}>
      {name}
      {is_current && <ToneBadge tone="good">{t.fields.is_current}</ToneBadge>}
    </Group>
  )
}

/** My own, on my profile. */
export const sessions = defineView<Session>({
  resource: resources.sessions,
  columns: [
    { field: 'user_agent', render: (session) => <Device session={session} /> },
    'address',
    { field: 'last_seen_at', title: (t) => t.profile.lastActive },
    { field: 'created_at', title: (t) => t.profile.loggedInAt },
  ],
  // The way out of this one is "Log out".
  isFixed: ({ is_current }) => is_current,
  deletion: {
    label: (t) => t.profile.endSession,
    title: (t) => t.profile.endSessionTitle,
    text: (t) => t.profile.endSessionText,
    done: (t) => t.profile.sessionEnded,
  },
})
