import { Alert, Anchor, Button, Divider, Stack, Text, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { call, reasonOf } from '../api/client.ts'
import { waysOptions } from '../api/ways.ts'
import { useWords } from '../i18n/language.tsx'
import { useAttempt } from '../shell/attempt.ts'
import { ErrorNote } from '../shell/error-note.tsx'
import { Gate } from '../shell/gate.tsx'
import { askForPasskey, canUsePasskeys, isDeclined } from '../shell/passkey.ts'
import { PasswordField } from '../shell/password-field.tsx'
import { safeReturn, useEnter } from './enter.ts'
import { goToProvider, SingleSignOn, useSignOnFailure } from './single-sign-on.tsx'

/** What the service still wants to know before it lets somebody in. */
type Step = 'password' | 'code' | 'recovery' | 'organization'

export function LoginPage() {
  const t = useWords()
  const enter = useEnter()
  const search = useSearch({ strict: false })
  const ways = useQuery(waysOptions).data
  const failed = useSignOnFailure()
  // Whoever came back from a provider goes there again, once they have said which organization it is for.
  const [returning, setReturning] = useState(search.reason === 'login.organization_needed' ? search.sso : undefined)
  const [step, setStep] = useState<Step>(returning === undefined ? 'password' : 'organization')
  const emailInput = useRef<HTMLInputElement>(null)
  const [emailFault, setEmailFault] = useState<string>()
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
  const post = (path: string, body: object) =>
    call(path, { method: 'POST', body, withoutKey: true, mayBeLoggedOut: true })

  const logIn = (event: FormEvent) => {
    event.preventDefault()
    const { code, organization, ...rest } = given
    if (returning !== undefined && step === 'organization')
      return void attempt(() =>
        goToProvider({ provider: returning, organization, return_to: safeReturn(search.return) }),
      )
    const body = {
      ...rest,
      ...(code === '' ? {} : { code: code.trim() }),
      ...(organization === '' ? {} : { organization }),
    }
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
  const titles = {
    password: t.login.title,
    code: t.login.codeTitle,
    recovery: t.login.codeTitle,
    organization: t.login.organization,
  }
  const texts = {
    password: undefined,
    code: t.login.codeText,
    recovery: t.login.recoveryText,
    organization: t.login.organizationText,
  }
  const asked = step === 'organization' ? 'organization' : 'code'
  const inputs = {
    code: { label: t.login.code, inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 10 },
    recovery: { label: t.login.recoveryCode, autoComplete: 'off', maxLength: 40 },
    organization: { label: t.login.organization, autoComplete: 'organization' },
  } as const
  return (
    <Gate title={titles[step]} text={texts[step]}>
      {step === 'password' && !error && <Notice state={search.state} />}
      {step === 'password' && failed && !error && <ErrorNote error={failed.error} />}
      <form onSubmit={logIn}>
        <Stack gap="sm">
          {step === 'password' && (
            <>
              <TextInput
                label={t.login.email}
                type="email"
                autoComplete="username webauthn"
                value={given.email}
                ref={emailInput}
                error={emailFault}
                onChange={(event) => {
                  set('email')(event)
                  setEmailFault(undefined)
                }}
                required
                withAsterisk={false}
                autoFocus
              />
              <PasswordField
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
            <TextInput
              key={step}
              {...inputs[step]}
              value={given[asked]}
              onChange={set(asked)}
              required
              withAsterisk={false}
              autoFocus
            />
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
      {step === 'organization' && returning !== undefined && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => {
            setReturning(undefined)
            forget()
            setStep('password')
          }}
        >
          {t.login.anotherWay}
        </Anchor>
      )}
      {step === 'password' && ways && (
        <Forgotten
          isByMail={ways.password_reset}
          email={given.email}
          isReady={() => {
            const isGood = given.email !== '' && emailInput.current?.checkValidity() === true
            if (isGood) return true
            setEmailFault(t.login.resetNeedsEmail)
            emailInput.current?.focus()
            return false
          }}
        />
      )}
    </Gate>
  )
}

function Notice({ state }: { state: string | undefined }) {
  const t = useWords()
  const texts: Record<string, string> = {
    expired: t.login.expired,
    'logged-out': t.login.loggedOut,
    'password-set': t.login.passwordSet,
  }
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
        <Button
          variant="default"
          disabled={isBusy}
          leftSection={<IconFingerprint size={17} aria-hidden />}
          onClick={onPasskey}
        >
          {t.login.passkey}
        </Button>
      )}
      <SingleSignOn returnTo={returnTo} />
    </Stack>
  )
}

/** With mail a link is sent; without, an administrator hands one out. */
function Forgotten({ isByMail, email, isReady }: { isByMail: boolean; email: string; isReady(): boolean }) {
  const t = useWords()
  const [sentTo, setSentTo] = useState<string>()
  const { isBusy, error, attempt } = useAttempt()
  if (!isByMail) {
    return (
      <Text size="xs" c="dimmed">
        {t.login.forgotten}
      </Text>
    )
  }
  const send = () => {
    setSentTo(undefined)
    if (!isReady()) return
    void attempt(async () => {
      await call('/api/v1/login/forgot-password', {
        method: 'POST',
        body: { email },
        withoutKey: true,
        mayBeLoggedOut: true,
      })
      setSentTo(email)
    })
  }
  return (
    <Stack gap={0}>
      {error && <ErrorNote error={error} />}
      <Anchor component="button" type="button" size="sm" disabled={isBusy} onClick={send}>
        {sentTo === undefined ? t.login.resetByMail : t.login.resetAgain}
      </Anchor>
      <div role="status">
        {sentTo !== undefined && (
          <Alert color="green" p="xs" mt="sm">
            {t.login.resetSent(sentTo)}
          </Alert>
        )}
      </div>
    </Stack>
  )
}
