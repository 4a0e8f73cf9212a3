import { Alert, Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import type { Identity } from '../../api/generated/types.ts'
import { useMe } from '../../api/me.ts'
import { listOptions, useChange } from '../../api/queries.ts'
import { waysOptions } from '../../api/ways.ts'
import { useWords } from '../../i18n/language.tsx'
import { useView } from '../../resource/known-views.ts'
import { resources } from '../../resource/resources.ts'
import { ShortList } from '../../resource/shown/short-list.tsx'
import { ErrorNote } from '../../shell/error-note.tsx'
import { useSignOnFailure } from '../single-sign-on.tsx'
import { Section } from './section.tsx'

const ORDER = 'created_at.asc'

/** Single sign-on, where the service has any. */
export function Identities() {
  const t = useWords()
  const { user } = useMe()
  const { data: ways } = useQuery(waysOptions)
  const { data: own } = useQuery(listOptions<Identity>(resources.identities.api, { limit: '100', order: ORDER }))
  const connect = useChange<{ url: string }>()
  const providers = ways?.providers ?? []
  if (providers.length === 0 && (user?.identities ?? 0) === 0) return null
  const isConnected = (id: string) => own?.items.some(({ provider }) => provider === id) ?? false
  const goTo = async (provider: string) => {
    const body = { provider, return_to: `/profile?connected=${provider}` }
    const { data } = await connect.mutateAsync({ method: 'POST', path: '/api/v1/me/identities', body })
    location.assign(data.url)
  }
  return (
    <Section title={t.resources.identities.many} text={t.profile.identitiesText}>
      <CameBack isConnected={isConnected} />
      <Suspense>
        <Own />
      </Suspense>
      {connect.error && <ErrorNote error={connect.error} />}
      <Group gap="xs">
        {providers.map(({ id, name }) => (
          <Button
            key={id}
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => void goTo(id).catch(() => undefined)}
          >
            {isConnected(id) ? t.profile.connectAnother(name) : t.profile.connect(name)}
          </Button>
        ))}
      </Group>
    </Section>
  )
}

/** How it went at the provider; the page is long, and this is what its reader waits for. */
function CameBack({ isConnected }: { isConnected(provider: string): boolean }) {
  const t = useWords()
  const failed = useSignOnFailure()
  const { connected } = useSearch({ strict: false })
  const name = useQuery(waysOptions).data?.providers.find(({ id }) => id === connected)?.name
  const isDone = connected !== undefined && name !== undefined && isConnected(connected)
  const place = useRef<HTMLDivElement>(null)
  const isShown = isDone || failed !== undefined
  useEffect(() => {
    if (isShown) place.current?.scrollIntoView({ block: 'center' })
  }, [isShown])
  if (!isShown) return null
  return (
    <div ref={place}>
      {failed ? (
        <ErrorNote error={failed.error} />
      ) : (
        <Alert color="green" role="status" p="xs">
          {t.profile.connected(name ?? '')}
        </Alert>
      )}
    </div>
  )
}

const Own = () => <ShortList view={useView('identities')} order={ORDER} />
