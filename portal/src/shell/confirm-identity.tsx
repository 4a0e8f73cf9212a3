import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { ApiError, call, person } from '../api/client.ts'
import { useWords } from '../i18n/language.tsx'
import { ErrorNote } from './error-note.tsx'

/** Asks for the password again when a dangerous change wants it to have been given lately; then the change is repeated. */
export function ConfirmIdentity() {
  const t = useWords()
  const [answer, setAnswer] = useState<{ give(isConfirmed: boolean): void }>()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    person.confirm = () => new Promise<boolean>((resolve) => setAnswer({ give: resolve }))
  }, [])

  const finish = (isConfirmed: boolean) => {
    answer?.give(isConfirmed)
    setAnswer(undefined)
    setPassword('')
    setError(undefined)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // A dialog above a form: React would hand the event on to it.
    event.stopPropagation()
    setBusy(true)
    try {
      await call('/api/v1/me/confirm-password', { method: 'POST', body: { password }, withoutKey: true })
      finish(true)
    } catch (failure) {
      if (failure instanceof ApiError) setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      opened={answer !== undefined}
      onClose={() => finish(false)}
      title={t.confirmIdentity.title}
      zIndex={400}
      closeButtonProps={{ 'aria-label': t.words.close }}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">{t.confirmIdentity.text}</Text>
          <PasswordInput
            label={t.confirmIdentity.password}
            autoComplete="current-password"
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            required
            data-autofocus
          />
          {error && <ErrorNote error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => finish(false)}>
              {t.words.cancel}
            </Button>
            <Button type="submit" loading={isBusy}>
              {t.confirmIdentity.button}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
