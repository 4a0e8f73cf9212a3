import { Alert, Paper, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { OAuthApplication } from '../../api/generated/types.ts'
import { useWords } from '../../i18n/language.tsx'
import { defineView } from '../../resource/define-view.ts'
import { PermissionList } from '../../resource/inputs/permissions-input.tsx'
import { resources } from '../../resource/resources.ts'
import { ShownOnce } from '../../resource/shown/shown-once.tsx'
import { Nothing } from '../../resource/shown/value.tsx'
import { reactivate, suspend } from '../shared-actions.ts'

/** What whoever runs the application enters there. */
function ClientFacts({ data }: { data: Record<string, unknown> }) {
  const t = useWords()
  return (
    <>
      <ShownOnce value={String(data.id)} label={t.identity.clientId} caption={t.identity.clientId} />
      {typeof data.client_secret === 'string' ? (
        <ShownOnce
          value={data.client_secret}
          label={t.identity.clientSecret}
          caption={t.identity.clientSecret}
          warning={t.identity.clientSecretWarning}
        />
      ) : (
        <Text size="sm">{t.identity.publicHasNoSecret}</Text>
      )}
      <Text size="sm" c="dimmed">
        {t.identity.discovery} <code>{`${location.origin}/oauth/.well-known/openid-configuration`}</code>
      </Text>
    </>
  )
}

function Secret({ application: { secret_last_four } }: { application: OAuthApplication }) {
  if (secret_last_four === null) return <Nothing />
  return <span className="code">{`acs_sec_…${secret_last_four}`}</span>
}

function Permissions({ application }: { application: OAuthApplication }) {
  const t = useWords()
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="sm">
        {t.identity.mayAskFor}
      </Title>
      {application.permissions.length === 0 ? (
        <Alert color="yellow">{t.identity.mayAskForNothing}</Alert>
      ) : (
        <PermissionList permissions={application.permissions} />
      )}
    </Paper>
  )
}

export const oauthApplications = defineView<OAuthApplication>({
  resource: resources['oauth-applications'],
  columns: ['name', 'kind', 'status', 'description', { field: 'service_user_id', isExtra: true }, 'created_at'],
  order: 'name.asc',
  filters: [
    { field: 'kind', kind: 'values', values: ['confidential', 'public'] },
    { field: 'status', kind: 'values', values: ['active', 'suspended'] },
  ],
  form: [
    {
      fields: [
        'name',
        { field: 'description', hint: (t) => t.identity.applicationDescriptionHint },
        { field: 'kind', hint: (t) => t.identity.applicationKindHint },
        { field: 'redirect_uris', hint: (t) => t.identity.redirectHint },
        {
          field: 'service_user_id',
          hint: (t) => t.identity.actsAsHint,
          when: ({ kind }, given) => (kind ?? given.kind) !== 'public',
        },
        { field: 'permissions', hint: (t) => t.identity.applicationPermissionsHint },
        'external_id',
      ],
    },
  ],
  createdTitle: (t) => t.identity.applicationMade,
  created: ({ data }) => <ClientFacts data={data} />,
  detail: {
    badges: ['status'],
    sections: [
      {
        facts: [
          { key: 'client', title: (t) => t.identity.clientId, render: ({ id }) => <span className="code">{id}</span> },
          'kind',
          'description',
          'redirect_uris',
          { field: 'service_user_id', title: (t) => t.identity.actsAs },
          {
            key: 'secret',
            title: (t) => t.identity.clientSecret,
            render: (application) => <Secret application={application} />,
          },
          'secret_created_at',
          'previous_secret_expires_at',
          'external_id',
        ],
      },
    ],
    extra: (application) => <Permissions application={application} />,
  },
  actions: [
    {
      name: 'rotate-secret',
      label: (t) => t.identity.newSecret,
      icon: IconRefresh,
      permission: 'oauth-applications:write',
      when: ({ kind }) => kind === 'confidential',
      isPrimary: true,
      isSecret: true,
      title: (t, name) => t.identity.newSecretTitle(name),
      text: (t) => t.identity.newSecretText,
      form: {
        body: 'OAuthApplicationSecretRotate',
        sections: [{ fields: [{ field: 'grace_seconds', label: (t) => t.identity.secretGrace }] }],
        initial: () => ({ grace_seconds: 3600 }),
      },
      done: (t) => t.identity.secretMade,
      resultTitle: (t) => t.identity.secretMade,
      result: ({ data }) => <ClientFacts data={data} />,
    },
    suspend('identity', {
      permission: 'oauth-applications:write',
      when: ({ status }) => status === 'active',
      text: (t) => t.identity.suspendApplicationText,
      patch: { status: 'suspended' },
    }),
    reactivate('identity', {
      permission: 'oauth-applications:write',
      when: ({ status }) => status === 'suspended',
      text: (t) => t.identity.reactivateApplicationText,
      patch: { status: 'active' },
    }),
  ],
})
