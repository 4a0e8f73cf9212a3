import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call, reasonOf } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { useWords } from '../../i18n/language.tsx'
import { useAttempt } from '../../shell/attempt.ts'
import { ErrorNote, useFaultText } from '../../shell/error-note.tsx'
import { PasswordField } from '../../shell/password-field.tsx'
import { NewPassword } from '../new-password.tsx'

export function Password() {
  const t = useWords()
  const hasPassword = useMe().user?.has_password ?? true
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {!hasPassword && <Alert color="brand">{t.profile.noPassword}</Alert>}
      <Group>
        <Button variant="default" onClick={() => setOpen(true)}>
          {hasPassword ? t.profile.changePassword : t.profile.setPassword}
        </Button>
      </Group>
      {isOpen && <ChangePassword hasPassword={hasPassword} onClose={() => setOpen(false)} />}
    </>
  )
}

function ChangePassword({ hasPassword, onClose }: { hasPassword: boolean; onClose(): void }) {
  const t = useWords()
  const client = useQueryClient()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const { isBusy, error, attempt } = useAttempt()
  const fault = useFaultText()(error, 'new_password')
  const isWrong = reasonOf(error) === 'wrong_password'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(async () => {
      const body = { new_password: next, ...(hasPassword ? { current_password: current } : {}) }
      await call('/api/v1/me/password', { method: 'POST', body, withoutKey: true })
      notifications.show({ message: t.profile.passwordChanged, color: 'green' })
      await client.invalidateQueries()
      onClose()
    })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={hasPassword ? t.profile.changePassword : t.profile.setPassword}
      closeButtonProps={{ 'aria-label': t.words.close }}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          {hasPassword && (
            <PasswordField
              label={t.profile.currentPassword}
              autoComplete="current-password"
              value={current}
              error={isWrong ? (t.errors.byReason.wrong_password ?? error?.message) : undefined}
              onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
              required
              withAsterisk={false}
              data-autofocus
            />
          )}
          <NewPassword value={next} label={t.login.newPassword} error={fault} onChange={setNext} />
          {error && !fault && !isWrong && <ErrorNote error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t.words.cancel}
            </Button>
            <Button type="submit" loading={isBusy}>
              {hasPassword ? t.profile.changePassword : t.profile.setPassword}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
