import { Button, Divider, Stack } from '@mantine/core'
import { IconBuildingArch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, call, reasonOf } from '../api/client.ts'
import { waysOptions } from '../api/ways.ts'
import { useWords } from '../i18n/language.tsx'
import { useAttempt } from '../shell/attempt.ts'
import { ErrorNote } from '../shell/error-note.tsx'

interface SignOn {
  provider: string
  return_to: string
  invitation?: string
  /** Where one account is known to several. */
  organization?: string
}

/** Sends the browser to the provider. */
export async function goToProvider(body: SignOn): Promise<void> {
  const { data } = await call<{ url: string }>('/api/v1/login/sso', {
    method: 'POST',
    body,
    withoutKey: true,
    mayBeLoggedOut: true,
  })
  location.assign(data.url)
}

interface SingleSignOnProps {
  returnTo: string
  /** The token of an invitation that is accepted this way. */
  invitation?: string
  /** The invitation does not work any more. */
  onDead?: () => void
}

/** A button for each provider that the service knows; none: nothing. */
export function SingleSignOn({ invitation, returnTo, onDead }: SingleSignOnProps) {
  const t = useWords()
  const providers = useQuery(waysOptions).data?.providers ?? []
  const [chosen, setChosen] = useState<string>()
  const { isBusy, error, attempt } = useAttempt((failure) => {
    const isDead = reasonOf(failure) === 'invalid_link'
    if (isDead) onDead?.()
    return isDead
  })
  if (providers.length === 0) return null
  const goTo = (provider: string) => {
    setChosen(provider)
    void attempt(() =>
      goToProvider({ provider, return_to: returnTo, ...(invitation === undefined ? {} : { invitation }) }),
    )
  }
  return (
    <Stack gap="xs">
      {invitation !== undefined && <Divider label={t.login.or} />}
      {error && <ErrorNote error={error} />}
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          variant="default"
          leftSection={<IconBuildingArch size={17} aria-hidden />}
          loading={isBusy && chosen === id}
          onClick={() => goTo(id)}
        >
          {invitation === undefined ? t.login.sso(name) : t.login.acceptWith(name)}
        </Button>
      ))}
    </Stack>
  )
}

/** What went wrong on the way back from a provider: the service leaves it in the address. */
export function useSignOnFailure(): { provider: string; reason: string; error: Error } | undefined {
  const t = useWords()
  const { sso, reason, request } = useSearch({ strict: false })
  const ways = useQuery(waysOptions)
  if (sso === undefined || reason === undefined || ways.isPending) return undefined
  const name = ways.data?.providers.find(({ id }) => id === sso)?.name ?? t.login.provider
  const say = t.login.ssoFailed[reason] ?? t.login.ssoFailedOtherwise
  // Anybody can make such an address: of what it says only what has the form of a number is shown.
  const reqId = /^req_\w{1,40}$/.exec(request ?? '')?.[0]
  return { provider: sso, reason, error: new ApiError(say(name), { status: 401, code: 'SIGN_ON', reqId }) }
}
