import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, Suspense, useState } from 'react'
import { call } from '../../api/client.ts'
import { useWords } from '../../i18n/language.tsx'
import { useView } from '../../resource/known-views.ts'
import { ShortList } from '../../resource/shown/short-list.tsx'
import { useAttempt } from '../../shell/attempt.ts'
import { ErrorNote } from '../../shell/error-note.tsx'
import { canUsePasskeys, makePasskey } from '../../shell/passkey.ts'

export function Passkeys() {
  const t = useWords()
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <Suspense>
        <Own />
      </Suspense>
      {canUsePasskeys() ? (
        <Group>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            {t.profile.addPasskey}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {t.profile.passkeysImpossible}
        </Text>
      )}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
    </>
  )
}

const Own = () => <ShortList view={useView('passkeys')} order="created_at.asc" />

/** What the device is called tells several passkeys apart later. */
function nameOfDevice(): string {
  // Browsers that know better what they run on say so here.
  const agent: { userAgentData?: { platform?: string }; platform: string } = navigator
  return (agent.userAgentData?.platform ?? agent.platform).slice(0, 100)
}

export function AddPasskey({ onClose, onAdded = onClose }: { onClose(): void; onAdded?(): void }) {
  const t = useWords()
  const client = useQueryClient()
  const [name, setName] = useState(nameOfDevice)
  const { isBusy, error, attempt } = useAttempt()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(async () => {
      const response = await makePasskey()
      await call('/api/v1/me/passkeys', { method: 'POST', body: { name, response } })
      await client.invalidateQueries()
      notifications.show({ message: t.profile.passkeyAdded(name), color: 'green' })
      onAdded()
    })
  }
  return (
    <Modal opened onClose={onClose} title={t.profile.addPasskey} closeButtonProps={{ 'aria-label': t.words.close }}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">{t.profile.addPasskeyText}</Text>
          <TextInput
            label={t.fields.name}
            description={t.profile.passkeyNameHint}
            maxLength={200}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            required
            withAsterisk={false}
            data-autofocus
          />
          {error && <ErrorNote error={error} title={t.profile.passkeyNotAdded} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t.words.cancel}
            </Button>
            <Button type="submit" loading={isBusy}>
              {t.profile.addPasskey}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
