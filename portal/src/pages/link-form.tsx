import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { call, reasonOf } from '../api/client.ts'
import type { LinkAnswer } from '../api/generated/types.ts'
import { useWords } from '../i18n/language.tsx'
import { useAttempt } from '../shell/attempt.ts'
import { ErrorNote, useFaultText } from '../shell/error-note.tsx'
import { Gate } from '../shell/gate.tsx'

interface LinkFormProps<V extends Record<string, string>> {
  kind: LinkAnswer['kind']
  title: string
  text: (link: LinkAnswer | undefined) => string
  button: string
  path: string
  /** What to do where the link does not work any more. */
  deadText: string
  initial: V
  onDone(): Promise<void>
  /** Another way to use the link. */
  besides?: (token: string, onDead: () => void) => ReactNode
  children(
    values: V,
    set: (name: keyof V, value: string) => void,
    faultOf: (name: keyof V & string) => string | undefined,
    link: LinkAnswer | undefined,
  ): ReactNode
}

/**
 * The token is behind `#`, which is sent to nobody. It stays in the address: it works once, and a reload must not lose
 * it.
 */
function useLinkToken(): string {
  const [token] = useState(() => location.hash.slice(1))
  return token
}

/**
 * What the link is for, before anything is typed. Where that cannot be asked, the form is shown all the same: sending
 * it will tell.
 */
function useLink(kind: LinkAnswer['kind'], token: string) {
  return useQuery({
    queryKey: ['link', kind, token],
    queryFn: async () => {
      const options = { method: 'POST', body: { kind, token }, withoutKey: true, mayBeLoggedOut: true } as const
      return (await call<LinkAnswer>('/api/v1/login/link', options)).data
    },
    enabled: token !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** A page that a one-time link leads to: set-up, invitation, new password. */
export function LinkForm<V extends Record<string, string>>({
  kind,
  title,
  text,
  button,
  path,
  deadText,
  initial,
  onDone,
  besides,
  children,
}: LinkFormProps<V>) {
  const t = useWords()
  const token = useLinkToken()
  const [values, setValues] = useState(initial)
  const link = useLink(kind, token)
  const [isRefused, setRefused] = useState(false)
  const { isBusy, error, attempt } = useAttempt((failure) => {
    if (reasonOf(failure) !== 'invalid_link') return false
    setRefused(true)
    return true
  })
  const faultText = useFaultText()
  if (token === '') {
    return (
      <Gate title={title} text={t.login.linkMissing}>
        <Anchor size="sm" renderRoot={(props) => <Link to="/login" {...props} />}>
          {t.login.toLogin}
        </Anchor>
      </Gate>
    )
  }
  if (isRefused || reasonOf(link.error) === 'invalid_link') return <DeadLink text={deadText} />
  if (link.isPending) return <Gate title={title}>{null}</Gate>
  const faultOf = (name: keyof V & string) => faultText(error, name)
  const isPlaced = Object.keys(initial).some((name) => faultOf(name) !== undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(async () => {
      const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
      await call(path, { method: 'POST', body: { ...filled, token }, withoutKey: true, mayBeLoggedOut: true })
      await onDone()
    })
  }
  return (
    <Gate title={title} text={text(link.data)}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {link.data?.email && (
            <TextInput
              label={t.login.email}
              type="email"
              autoComplete="username"
              value={link.data.email}
              readOnly
              variant="filled"
            />
          )}
          {children(values, (name, value) => setValues({ ...values, [name]: value }), faultOf, link.data)}
          {error && !isPlaced && <ErrorNote error={error} />}
          <Button type="submit" loading={isBusy} fullWidth mt={4}>
            {button}
          </Button>
        </Stack>
      </form>
      {besides?.(token, () => setRefused(true))}
    </Gate>
  )
}

/** There is one way on: it has the focus. */
function DeadLink({ text }: { text: string }) {
  const t = useWords()
  const onward = useRef<HTMLAnchorElement>(null)
  useEffect(() => onward.current?.focus(), [])
  return (
    <Gate title={t.login.linkDead}>
      <Text size="sm" role="alert">
        {text}
      </Text>
      <Button renderRoot={(props) => <Link to="/login" {...props} ref={onward} />}>{t.login.toLogin}</Button>
    </Gate>
  )
}
