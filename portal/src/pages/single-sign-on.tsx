import { Button, Divider, Stack } from '@mantine/core'
import { IconBuildingArch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { useWords } from '../i18n/language.tsx'
import { ErrorNote } from '../shell/error-note.tsx'
import { waysOptions } from './ways.ts'

interface SingleSignOnProps {
  /** The token of an invitation that is accepted this way. */
  invitation?: string
  returnTo: string
}

/** A button for each provider that the service knows; none: nothing. */
export function SingleSignOn({ invitation, returnTo }: SingleSignOnProps) {
  const t = useWords()
  const providers = useQuery(waysOptions).data?.providers ?? []
  const [error, setError] = useState<Error>()
  if (providers.length === 0) return null
  const goTo = async (provider: string) => {
    try {
      const { data } = await call<{ url: string }>('/api/v1/login/sso', {
        method: 'POST',
        body: { provider, return_to: returnTo, ...(invitation === undefined ? {} : { invitation }) },
        withoutKey: true,
        mayBeLoggedOut: true,
      })
      location.assign(data.url)
    } catch (failure) {
      setError(failure as Error)
    }
  }
  return (
    <Stack gap="xs">
      {invitation !== undefined && <Divider label={t.login.or} />}
      {error && <ErrorNote error={error} />}
      {providers.map(({ id, name }) => (
        <Button key={id} variant="default" leftSection={<IconBuildingArch size={17} aria-hidden />} onClick={() => void goTo(id)}>
          {t.login.sso(name)}
        </Button>
      ))}
    </Stack>
  )
}
