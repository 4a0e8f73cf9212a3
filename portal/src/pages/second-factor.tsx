import { Anchor, Button, Divider, Stack, Text, TextInput } from '@mantine/core'
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { call, person } from '../api/client.ts'
import type { TotpEnrolment } from '../api/generated/types.ts'
import { MeContext, useMe } from '../api/me.ts'
import { meOptions, useChange } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { secondFactorWords } from '../i18n/second-factor-words.ts'
import { useAttempt } from '../shell/attempt.ts'
import { ErrorNote } from '../shell/error-note.tsx'
import { Gate } from '../shell/gate.tsx'
import { askForPasskey, canUsePasskeys, isDeclined } from '../shell/passkey.ts'
import { useEnter } from './enter.ts'
import { Codes, Enrol } from './profile/authenticator.tsx'
import { AddPasskey } from './profile/passkeys.tsx'

/**
 * A second factor is demanded of whoever has logged in: they set one up, or give the one they have; then on to where
 * they wanted to go.
 */
export function SecondFactorPage() {
  const { data: me } = useSuspenseQuery(meOptions)
  const { return: to } = useSearch({ strict: false })
  const enter = useEnter()
  const goOn = () => void enter(to)
  // As it was when the page opened: of what was set up the recovery codes are still to be read.
  const [awaited] = useState(me.session?.awaited_factor ?? null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever comes here without need goes on, once
  useEffect(() => {
    if (awaited === null) goOn()
  }, [])
  return (
    <MeContext value={me}>
      {awaited === 'set_up' && <SetUp onDone={goOn} />}
      {awaited === 'confirm' && <Confirm onDone={goOn} />}
    </MeContext>
  )
}

type Open = { kind: 'enrol'; made: TotpEnrolment } | { kind: 'codes'; codes: readonly string[] } | { kind: 'passkey' }

function SetUp({ onDone }: { onDone(): void }) {
  const t = useWords()
  const begin = useChange<TotpEnrolment>()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const start = async () => {
    const { data } = await begin.mutateAsync({ method: 'POST', path: '/api/v1/me/totp', body: {} })
    setOpen({ kind: 'enrol', made: data })
  }
  return (
    <Gate title={secondFactorWords(t).factorTitle} text={secondFactorWords(t).factorText}>
      <Stack gap="xs">
        <Button
          leftSection={<IconDeviceMobile size={17} aria-hidden />}
          loading={begin.isPending}
          onClick={() => void start().catch(() => undefined)}
        >
          {t.profile.enableFactor}
        </Button>
        <Text size="xs" c="dimmed">
          {secondFactorWords(t).factorApp}
        </Text>
      </Stack>
      {begin.error && <ErrorNote error={begin.error} />}
      {canUsePasskeys() && (
        <Stack gap="xs">
          <Button
            variant="default"
            leftSection={<IconFingerprint size={17} aria-hidden />}
            onClick={() => setOpen({ kind: 'passkey' })}
          >
            {t.profile.addPasskey}
          </Button>
          <Text size="xs" c="dimmed">
            {secondFactorWords(t).factorPasskey}
          </Text>
        </Stack>
      )}
      <WayOut />
      {open?.kind === 'enrol' && (
        <Enrol made={open.made} onConfirmed={(codes) => setOpen({ kind: 'codes', codes })} onClose={close} />
      )}
      {open?.kind === 'codes' && <Codes codes={open.codes} onClose={onDone} />}
      {open?.kind === 'passkey' && <AddPasskey onAdded={onDone} onClose={close} />}
    </Gate>
  )
}

function Confirm({ onDone }: { onDone(): void }) {
  const t = useWords()
  const { user } = useMe()
  const [isRecovery, setRecovery] = useState(false)
  const [code, setCode] = useState('')
  const { isBusy, error, attempt, forget } = useAttempt(isDeclined)
  const hasApp = user?.mfa ?? false
  const hasPasskey = (user?.passkeys ?? 0) > 0 && canUsePasskeys()
  const prove = (path: string, proof: () => Promise<object>) =>
    void attempt(async () => {
      await call(path, { method: 'POST', body: await proof(), withoutKey: true })
      onDone()
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    prove('/api/v1/me/confirm-code', async () => ({ code: code.trim() }))
  }
  const appText = isRecovery ? t.login.recoveryText : t.login.codeText
  const input = isRecovery
    ? ({ label: t.login.recoveryCode, autoComplete: 'off', maxLength: 40 } as const)
    : ({ label: t.login.code, inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 10 } as const)
  return (
    <Gate title={t.login.codeTitle} text={hasApp ? appText : secondFactorWords(t).factorByPasskey}>
      {hasApp && (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <TextInput
              key={String(isRecovery)}
              {...input}
              value={code}
              onChange={({ currentTarget }) => setCode(currentTarget.value)}
              required
              withAsterisk={false}
              autoFocus
            />
            <Button type="submit" loading={isBusy} fullWidth>
              {t.confirmIdentity.button}
            </Button>
            <Anchor
              component="button"
              type="button"
              size="sm"
              onClick={() => {
                setCode('')
                forget()
                setRecovery(!isRecovery)
              }}
            >
              {isRecovery ? t.login.useApp : t.login.useRecovery}
            </Anchor>
          </Stack>
        </form>
      )}
      {error && <ErrorNote error={error} />}
      {hasApp && hasPasskey && <Divider label={t.login.or} />}
      {hasPasskey && (
        <Button
          variant={hasApp ? 'default' : 'filled'}
          disabled={isBusy}
          leftSection={<IconFingerprint size={17} aria-hidden />}
          onClick={() => prove('/api/v1/me/confirm-passkey', async () => ({ response: await askForPasskey() }))}
        >
          {t.login.confirmByPasskey}
        </Button>
      )}
      <WayOut />
    </Gate>
  )
}

/** Whoever has not got it at hand. */
function WayOut() {
  const t = useWords()
  const { user } = useMe()
  return (
    <Text size="sm" c="dimmed">
      {user?.email} ·{' '}
      <Anchor component="button" type="button" size="sm" onClick={() => void person.logOut()}>
        {t.shell.logOut}
      </Anchor>
    </Text>
  )
}
