import { Alert, Button, Checkbox, Group, List, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, call } from '../api/client.ts'
import type { OAuthConsent, OAuthNext, Permission } from '../api/generated/types.ts'
import { useWords } from '../i18n/language.tsx'
import { permissionWords } from '../i18n/permission-words.ts'
import { ErrorNote } from '../shell/error-note.tsx'
import { Gate } from '../shell/gate.tsx'
import { errorIn } from '../typed.ts'

/** An application asks to act for me: who it is, what it wants, where I am sent; I may give less than it asks for. */
export function ConsentPage() {
  const t = useWords()
  const { uid = '' } = useParams({ strict: false })
  const { href } = useLocation()
  const { data, error } = useQuery({
    queryKey: ['consent', uid],
    queryFn: async () => (await call<OAuthConsent>(pathOf(uid), { mayBeLoggedOut: true })).data,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error instanceof ApiError && error.status === 401)
    return <Navigate to="/login" search={{ return: href }} replace />
  if (error) {
    const isGone = error instanceof ApiError && error.status === 404
    return (
      <Gate title={t.login.consentFailed} text={isGone ? t.login.consentGone : undefined}>
        {!isGone && <ErrorNote error={error} />}
      </Gate>
    )
  }
  if (!data) {
    return (
      <Gate title={t.login.consentTitle('…')}>
        <Skeleton height={180} />
      </Gate>
    )
  }
  return <Question consent={data} />
}

const pathOf = (uid: string): string => `/api/v1/oauth/interactions/${encodeURIComponent(uid)}`

function Question({ consent }: { consent: OAuthConsent }) {
  const t = useWords()
  const { application, user, identity, permissions, redirect_uri } = consent
  const held = permissions.filter(({ is_held }) => is_held)
  const lacking = permissions.filter(({ is_held }) => !is_held)
  const [given, setGiven] = useState<readonly Permission[]>(held.map(({ name }) => name))
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState<'confirm' | 'abort'>()
  const sentenceOf = ({ name, description }: { name: Permission; description: string }) =>
    permissionWords(t)[name] ?? description
  const scopes: Record<string, string> = t.login.identityScopes
  const answer = async (what: 'confirm' | 'abort') => {
    setBusy(what)
    setError(undefined)
    try {
      const { data } = await call<OAuthNext>(`${pathOf(consent.uid)}/${what}`, {
        method: 'POST',
        body: what === 'confirm' ? { permissions: given } : {},
        withoutKey: true,
        mayBeLoggedOut: true,
      })
      location.assign(data.next)
    } catch (failure) {
      setError(errorIn(failure))
      setBusy(undefined)
    }
  }
  return (
    <Gate title={t.login.consentTitle(application.name)} text={application.description ?? undefined}>
      <Stack gap="md">
        <Text size="sm">{t.login.consentWho(user.name, user.email)}</Text>
        {identity.length > 0 && (
          <div>
            <Text size="sm" fw={600} mb={4}>
              {t.login.consentKnows}
            </Text>
            <List size="sm">
              {identity.map(({ scope, description }) => (
                <List.Item key={scope}>{scopes[scope] ?? description}</List.Item>
              ))}
            </List>
          </div>
        )}
        {held.length > 0 && (
          <Checkbox.Group
            label={t.login.consentDoes}
            description={t.login.consentLess}
            inputWrapperOrder={['label', 'description', 'input', 'error']}
            value={[...given]}
            onChange={(names) => setGiven(held.map(({ name }) => name).filter((name) => names.includes(name)))}
          >
            <Stack gap={8} mt="xs">
              {held.map((one) => (
                <Checkbox key={one.name} size="sm" value={one.name} label={sentenceOf(one)} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        {lacking.length > 0 && (
          <Alert color="gray" title={t.login.consentLacking}>
            <List size="sm">
              {lacking.map((one) => (
                <List.Item key={one.name}>{sentenceOf(one)}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        <Text size="xs" c="dimmed" className="wrap-anywhere">
          {t.login.consentSentTo} <b>{hostOf(redirect_uri)}</b>
        </Text>
        {error && <ErrorNote error={error} />}
        <Group grow>
          <Button
            variant="default"
            loading={busy === 'abort'}
            disabled={busy === 'confirm'}
            onClick={() => void answer('abort')}
          >
            {t.login.consentRefuse}
          </Button>
          <Button loading={busy === 'confirm'} disabled={busy === 'abort'} onClick={() => void answer('confirm')}>
            {t.login.consentAgree}
          </Button>
        </Group>
      </Stack>
    </Gate>
  )
}

/** Where people know an address by: its host, or the scheme of an app. */
function hostOf(uri: string): string {
  const { host, protocol } = new URL(uri)
  return host === '' || !protocol.startsWith('http') ? uri : host
}
