import { Alert, Paper, Skeleton, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '../api/client.ts'
import type { Organization } from '../api/generated/types.ts'
import { useMay } from '../api/me.ts'
import { useWords } from '../i18n/language.tsx'
import { secondFactorWords } from '../i18n/second-factor-words.ts'
import { defineView } from '../resource/define-view.ts'
import { BodyForm } from '../resource/forms/body-form.tsx'
import { useConflict } from '../resource/forms/conflict.tsx'
import type { Values } from '../resource/forms/form-values.ts'
import { resources } from '../resource/resources.ts'
import { Value } from '../resource/shown/value.tsx'
import { ErrorNote } from '../shell/error-note.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { Page } from '../shell/page.tsx'
import { Environment } from './environment.tsx'

const PATH = resources.organization.api
const key = ['organization']

const view = defineView<Organization>({
  resource: resources.organization,
  columns: ['name'],
  form: [
    {
      fields: [
        'name',
        { field: 'time_zone', hint: (t) => t.identity.timeZoneHint, isHalf: true },
        { field: 'language', hint: (t) => t.identity.languageHint, isHalf: true },
        { field: 'max_token_days', hint: (t) => t.identity.maxTokenDaysHint },
        { field: 'require_second_factor', hint: (t) => secondFactorWords(t).organizationFactorHint },
      ],
    },
  ],
})

/** The organization's own settings: there is one, so there is no list. */
export function OrganizationPage() {
  const t = useWords()
  const may = useMay()
  const [round, setRound] = useState(0)
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call<Organization>(PATH, { signal }),
  })
  if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return <NotFound />
  return (
    <Page title={t.shell.organizationSettings}>
      {error ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : (
        <Paper withBorder p="md" maw={720}>
          {!data && <Skeleton height={260} />}
          {data &&
            (may('organization:write') ? (
              <Settings
                key={round}
                current={data.data}
                currentTag={data.etag}
                onStartOver={() => setRound(round + 1)}
              />
            ) : (
              <Facts organization={data.data} />
            ))}
        </Paper>
      )}
      <Environment />
    </Page>
  )
}

interface SettingsProps {
  current: Organization
  currentTag: string | undefined
  onStartOver(): void
}

function Settings({ current, currentTag, onStartOver }: SettingsProps) {
  const t = useWords()
  const client = useQueryClient()
  const conflict = useConflict()
  // As they were when the form opened: what is read again meanwhile takes nothing from whoever is typing.
  const [{ organization, etag }] = useState({ organization: current, etag: currentTag })
  const save = async (body: Values) => {
    if (Object.keys(body).length === 0) return
    const answer = await conflict.save((tag) => call(PATH, { method: 'PATCH', body, etag: tag }), etag)
    await client.invalidateQueries()
    if (answer) notifications.show({ message: t.identity.organizationSaved, color: 'green' })
    onStartOver()
  }
  return (
    <Stack gap="md">
      {organization.status === 'suspended' && <Alert color="yellow">{t.identity.organizationSuspended}</Alert>}
      <BodyForm
        view={view}
        body="OrganizationPatch"
        sections={view.form ?? []}
        item={organization}
        isEdit
        submitLabel={t.form.saveButton}
        onSubmit={save}
        onCancel={onStartOver}
        onDirty={() => {}}
      />
      {conflict.dialog}
    </Stack>
  )
}

function Facts({ organization }: { organization: Organization }) {
  const t = useWords()
  return (
    <dl className="facts">
      {(['name', 'time_zone', 'language', 'max_token_days', 'require_second_factor'] as const).map((field) => (
        <div key={field}>
          <dt>{t.fields[field]}</dt>
          <dd>
            <Value field={field} value={organization[field]} resource={resources.organization} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
