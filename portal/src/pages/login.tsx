import { Alert, Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { call, reasonOf } from '../api/client.ts'
import { useWords } from '../i18n/language.tsx'
import { useAttempt } from '../shell/attempt.ts'
import { ErrorNote } from '../shell/error-note.tsx'
import { Gate } from '../shell/gate.tsx'
import { askForPasskey, canUsePasskeys, isDeclined } from '../shell/passkey.ts'
import { safeReturn, useEnter } from './enter.ts'
import { SingleSignOn } from './single-sign-on.tsx'
import { waysOptions } from './ways.ts'

/** What the service still wants to know before it lets somebody in. */
type Step = 'password' | 'code' | 'recovery' | 'organization'

export function LoginPage() {
  const t = useWords()
  const enter = useEnter()
  const search = useSearch({ strict: false }) as { return?: string; state?: string }
  const ways = useQuery(waysOptions).data
  const [step, setStep] = useState<Step>('password')
  const [given, setGiven] = useState({ email: '', password: '', code: '', organization: '' })
  const set = (name: keyof typeof given) => (event: { currentTarget: { value: string } }) =>
    setGiven({ ...given, [name]: event.currentTarget.value })

  const { isBusy, error, attempt, forget } = useAttempt((failure) => {
    const reason = reasonOf(failure)
    if (reason === 'mfa_required' && step !== 'code' && step !== 'recovery') setStep('code')
    else if (reason === 'login.organization_needed') setStep('organization')
    else return isDeclined(failure)
    return true
  })
  const post = (path: string, body: object) => call(path, { method: 'POST', body, withoutKey: true, mayBeLoggedOut: true })

  const logIn = (event: FormEvent) => {
    event.preventDefault()
    const { code, organization, ...rest } = given
    const body = { ...rest, ...(code === '' ? {} : { code: code.trim() }), ...(organization === '' ? {} : { organization }) }
    void attempt(async () => {
      await post('/api/v1/login', body)
      await enter(search.return)
    })
  }
  const byPasskey = () =>
    attempt(async () => {
      await post('/api/v1/login/passkey', { response: await askForPasskey() })
      await enter(search.return)
    })
  const titles = { password: t.login.title, code: t.login.codeTitle, recovery: t.login.codeTitle, organization: t.login.organization }
  const texts = { password: undefined, code: t.login.codeText, recovery: t.login.recoveryText, organization: t.login.organizationText }
  const asked = step === 'organization' ? 'organization' : 'code'
  const inputs = {
    code: { label: t.login.code, inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 10 },
    recovery: { label: t.login.recoveryCode, autoComplete: 'off', maxLength: 40 },
    organization: { label: t.login.organization, autoComplete: 'organization' },
  } as const
  return (
    <Gate title={titles[step]} text={texts[step]}>
      {step === 'password' && <Notice state={search.state} />}
      <form onSubmit={logIn}>
        <Stack gap="sm">
          {step === 'password' && (
            <>
              <TextInput
                label={t.login.email}
                type="email"
                autoComplete="username webauthn"
                value={given.email}
                onChange={set('email')}
                required
                withAsterisk={false}
                autoFocus
              />
              <PasswordInput
                label={t.login.password}
                autoComplete="current-password"
                value={given.password}
                onChange={set('password')}
                required
                withAsterisk={false}
              />
            </>
          )}
          {step !== 'password' && (
            <TextInput key={step} {...inputs[step]} value={given[asked]} onChange={set(asked)} required withAsterisk={false} autoFocus />
          )}
          {error && <ErrorNote error={error} />}
          <Button type="submit" loading={isBusy} fullWidth mt={4}>
            {t.login.button}
          </Button>
        </Stack>
      </form>
      {(step === 'code' || step === 'recovery') && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => {
            setGiven({ ...given, code: '' })
            forget()
            setStep(step === 'code' ? 'recovery' : 'code')
          }}
        >
          {step === 'code' ? t.login.useRecovery : t.login.useApp}
        </Anchor>
      )}
      {step === 'password' && (
        <OtherWays
          hasProviders={(ways?.providers.length ?? 0) > 0}
          isBusy={isBusy}
          returnTo={safeReturn(search.return)}
          onPasskey={() => void byPasskey()}
        />
      )}
      {step === 'password' && <Forgotten isByMail={ways?.password_reset ?? false} email={given.email} />}
    </Gate>
  )
}

function Notice({ state }: { state: string | undefined }) {
  const t = useWords()
  const texts: Record<string, string> = { expired: t.login.expired, 'logged-out': t.login.loggedOut, 'password-set': t.login.passwordSet }
  const text = texts[state ?? '']
  if (text === undefined) return null
  return (
    <Alert color={state === 'expired' ? 'yellow' : 'green'} role="status" p="xs">
      {text}
    </Alert>
  )
}

interface OtherWaysProps {
  hasProviders: boolean
  isBusy: boolean
  returnTo: string
  onPasskey(): void
}

function OtherWays({ hasProviders, isBusy, returnTo, onPasskey }: OtherWaysProps) {
  const t = useWords()
  if (!canUsePasskeys() && !hasProviders) return null
  return (
    <Stack gap="xs">
      <Divider label={t.login.or} />
      {canUsePasskeys() && (
        <Button variant="default" disabled={isBusy} leftSection={<IconFingerprint size={17} aria-hidden />} onClick={onPasskey}>
          {t.login.passkey}
        </Button>
      )}
      <SingleSignOn returnTo={returnTo} />
    </Stack>
  )
}

/** With mail a link is sent; without, an administrator hands one out. */
function Forgotten({ isByMail, email }: { isByMail: boolean; email: string }) {
  const t = useWords()
  const [state, setState] = useState<'idle' | 'sent' | 'nameless' | Error>('idle')
  if (!isByMail) {
    return (
      <Text size="xs" c="dimmed">
        {t.login.forgotten}
      </Text>
    )
  }
  const send = () =>
    call('/api/v1/login/forgot-password', { method: 'POST', body: { email }, withoutKey: true, mayBeLoggedOut: true }).then(
      () => setState('sent'),
      (error: Error) => setState(error),
    )
  if (state === 'sent')
    return (
      <Alert color="green" role="status">
        {t.login.resetSent}
      </Alert>
    )
  return (
    <>
      {state instanceof Error && <ErrorNote error={state} />}
      {state === 'nameless' && (
        <Text size="sm" role="alert">
          {t.login.resetNeedsEmail}
        </Text>
      )}
      <Anchor component="button" type="button" size="sm" onClick={() => (email === '' ? setState('nameless') : void send())}>
        {t.login.resetByMail}
      </Anchor>
    </>
  )
}
