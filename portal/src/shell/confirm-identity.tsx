import { Button, Divider, Group, Modal, Stack, Text } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../api/client.ts'
import { meOptions } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { useAttempt } from './attempt.ts'
import { ErrorNote } from './error-note.tsx'
import { askForPasskey, canUsePasskeys, isDeclined } from './passkey.ts'
import { PasswordField } from './password-field.tsx'

/**
 * Asks who it is again, by password or passkey, when a dangerous change wants that to have been lately; then the change
 * is repeated.
 */
export function ConfirmIdentity({ onAnswer }: { onAnswer(isConfirmed: boolean): void }) {
  const t = useWords()
  const user = useQueryClient().getQueryData(meOptions.queryKey)?.user
  const [password, setPassword] = useState('')
  const { isBusy, error, attempt } = useAttempt(isDeclined)
  const hasPassword = user?.has_password ?? true
  const hasPasskey = (user?.passkeys ?? 0) > 0 && canUsePasskeys()

  const prove = (path: string, proof: () => Promise<object>) =>
    void attempt(async () => {
      await call(path, { method: 'POST', body: await proof(), withoutKey: true })
      onAnswer(true)
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A dialog above a form: React would hand the event on to it.
    event.stopPropagation()
    prove('/api/v1/me/confirm-password', async () => ({ password }))
  }
  const byPasskey = () => prove('/api/v1/me/confirm-passkey', async () => ({ response: await askForPasskey() }))
  return (
    <Modal
      opened
      onClose={() => onAnswer(false)}
      title={t.confirmIdentity.title}
      zIndex={400}
      closeButtonProps={{ 'aria-label': t.words.close }}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">{t.confirmIdentity.text}</Text>
          {hasPassword && (
            <PasswordField
              label={t.confirmIdentity.password}
              autoComplete="current-password"
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
              required
              withAsterisk={false}
              data-autofocus
            />
          )}
          {error && <ErrorNote error={error} />}
          {!hasPassword && !hasPasskey && <Text size="sm">{t.login.confirmByLogin}</Text>}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => onAnswer(false)}>
              {t.words.cancel}
            </Button>
            {hasPassword && (
              <Button type="submit" loading={isBusy}>
                {t.confirmIdentity.button}
              </Button>
            )}
          </Group>
          {hasPasskey && (
            <>
              {hasPassword && <Divider label={t.login.or} />}
              <Button
                variant="default"
                disabled={isBusy}
                leftSection={<IconFingerprint size={17} aria-hidden />}
                onClick={byPasskey}
                {...(hasPassword ? {} : { 'data-autofocus': true })}
              >
                {t.login.confirmByPasskey}
              </Button>
            </>
          )}
        </Stack>
      </form>
    </Modal>
  )
}
