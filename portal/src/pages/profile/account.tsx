import { Button, Group, Select, Stack, TextInput, type TextInputProps } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useMe } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { languageNames, languages } from '../../i18n/load.ts'
import type { Language } from '../../i18n/messages.ts'
import { ErrorNote, useFaultText } from '../../shell/error-note.tsx'

const hintBelow: NonNullable<TextInputProps['inputWrapperOrder']> = ['label', 'input', 'description', 'error']

/** Name and language. The address is what one logs in with: an administrator changes it. */
export function Account() {
  const { t, language, speak } = useLanguage()
  const me = useMe()
  const change = useChange()
  const [name, setName] = useState(me.name)
  const [chosen, setChosen] = useState<Language>(me.user?.language ?? language)
  const isChanged = name !== me.name || chosen !== (me.user?.language ?? language)
  const fault = useFaultText()(change.error, 'name')
  const save = async (event: FormEvent) => {
    event.preventDefault()
    await change.mutateAsync({ method: 'PATCH', path: '/api/v1/me', body: { name, language: chosen } })
    speak(chosen)
    notifications.show({ message: t.profile.saved, color: 'green' })
  }
  return (
    <form onSubmit={(event) => void save(event).catch(() => undefined)}>
      <Stack gap="sm">
        <div className="form-grid">
          <div data-half>
            <TextInput
              label={t.fields.name}
              autoComplete="name"
              maxLength={200}
              value={name}
              error={fault}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              required
              withAsterisk={false}
            />
          </div>
          <div data-half>
            <TextInput
              label={t.fields.email}
              description={t.profile.emailHint}
              inputWrapperOrder={hintBelow}
              value={me.user?.email ?? ''}
              readOnly
              variant="filled"
            />
          </div>
          <div data-half>
            <Select
              label={t.language.label}
              description={t.profile.languageHint}
              inputWrapperOrder={hintBelow}
              data={languages.map((one) => ({ value: one, label: languageNames[one] }))}
              value={chosen}
              onChange={(value) => setChosen(value ?? 'en')}
              allowDeselect={false}
            />
          </div>
        </div>
        {change.error && !fault && <ErrorNote error={change.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending} disabled={!isChanged}>
            {t.form.saveButton}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
