import { Text } from '@mantine/core'
import type { OAuthGrant } from '../../api/generated/types.ts'
import { useWords } from '../../i18n/language.tsx'
import { permissionWords } from '../../i18n/permission-words.ts'
import { defineView } from '../../resource/define-view.ts'
import { resources } from '../../resource/resources.ts'
import { Nothing } from '../../resource/shown/value.tsx'

function MayDo({ grant: { permissions } }: { grant: OAuthGrant }) {
  const t = useWords()
  if (permissions.length === 0) return <Nothing word={t.identity.onlyIdentity} />
  return (
    <Text inherit lineClamp={2} title={permissions.map((name) => permissionWords(t)[name] ?? name).join('\n')}>
      {permissions.map((name) => permissionWords(t)[name] ?? name).join(' ')}
    </Text>
  )
}

/** My own, on my profile: what I let applications do for me. */
export const oauthGrants = defineView<OAuthGrant>({
  resource: resources['oauth-grants'],
  columns: [
    {
      key: 'application',
      title: (t) => t.resources['oauth-applications'].one,
      render: ({ application_name }) => application_name,
    },
    { key: 'permissions', title: (t) => t.profile.mayDo, render: (grant) => <MayDo grant={grant} /> },
    'last_used_at',
    'expires_at',
  ],
  deletion: {
    label: (t) => t.profile.endAccess,
    title: (t, name) => t.profile.endAccessTitle(name),
    text: (t) => t.profile.endAccessText,
    done: (t, name) => t.profile.accessEnded(name),
  },
})
