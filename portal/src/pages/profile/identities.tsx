import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useMe } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { useWords } from '../../i18n/language.tsx'
import { ShortList } from '../../resource/short-list.tsx'
import { useView } from '../../resource/views.tsx'
import { ErrorNote } from '../../shell/error-note.tsx'
import { waysOptions } from '../ways.ts'
import { Section } from './section.tsx'

/** Single sign-on, where the service has any. */
export function Identities() {
  const t = useWords()
  const { user } = useMe()
  const { data: ways } = useQuery(waysOptions)
  const connect = useChange<{ url: string }>()
  const providers = ways?.providers ?? []
  if (providers.length === 0 && (user?.identities ?? 0) === 0) return null
  const goTo = async (provider: string) => {
    const { data } = await connect.mutateAsync({ method: 'POST', path: '/api/v1/me/identities', body: { provider, return_to: '/profile' } })
    location.assign(data.url)
  }
  return (
    <Section title={t.resources.identities.many} text={t.profile.identitiesText}>
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
            {t.profile.connect(name)}
          </Button>
        ))}
      </Group>
    </Section>
  )
}

const Own = () => <ShortList view={useView('identities')} order="created_at.asc" />
