import { Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { PasswordField } from '../../shell/password-field.tsx'
import { RemoveRow, RowsInput } from './rows-input.tsx'

/** What the service shows in place of a secret; sent back, it leaves the secret as it is. */
const HIDDEN = '•••'
const secretName = /secret|password|passphrase|token|credential|private|key$/i

interface Row {
  key: number
  name: string
  value: unknown
  /** Known to the service under this name: to be removed there, not only left out. */
  stored: string | undefined
}

interface SettingsInputProps {
  label: string
  description: string | undefined
  error: string | undefined
  value: Record<string, unknown>
  onChange(value: Record<string, unknown>): void
}

let lastKey = 0

const rowsOf = (value: Record<string, unknown>): Row[] =>
  Object.entries(value)
    .filter(([, one]) => one !== null)
    .map(([name, one]) => ({ key: ++lastKey, name, value: one, stored: name }))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Numbers, yes and no, and structures are written as in JSON; all else is text. A secret is always text. */
function typedValue(name: string, text: string): unknown {
  if (secretName.test(name) || !/^(-?\d+(\.\d+)?|true|false|[[{].*)$/s.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Names and values that a connector needs. Secrets never come back from the service: they are only replaced. */
export function SettingsInput({ label, description, error, value, onChange }: SettingsInputProps) {
  const t = useWords()
  const [rows, setRows] = useState(() => rowsOf(value))
  const [stored] = useState(() => Object.keys(value))
  const set = (next: Row[]) => {
    setRows(next)
    const given = Object.fromEntries(next.filter(({ name }) => name !== '').map(({ name, value: one }) => [name, one]))
    const gone = stored.filter((name) => !(name in given)).map((name) => [name, null])
    onChange({ ...Object.fromEntries(gone), ...given })
  }
  const change = (row: Row, more: Partial<Row>) => set(rows.map((one) => (one === row ? { ...one, ...more } : one)))
  return (
    <RowsInput
      label={label}
      description={description}
      error={error}
      add={t.form.settingAdd}
      onAdd={() => setRows([...rows, { key: ++lastKey, name: '', value: '', stored: undefined }])}
    >
      {rows.map((row) => {
        const isHidden = row.value === HIDDEN
        const valueProps = {
          'aria-label': t.form.settingValue(row.name),
          value: isHidden ? '' : textOf(row.value),
          placeholder: isHidden ? t.form.settingStored : t.form.settingValue(''),
          autoComplete: 'off',
          onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
            change(row, { value: typedValue(row.name, currentTarget.value) }),
        }
        return (
          <Group key={row.key} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={t.form.settingName}
              placeholder={t.form.settingName}
              value={row.name}
              readOnly={row.stored !== undefined}
              className="setting-name"
              autoComplete="off"
              onChange={({ currentTarget }) => change(row, { name: currentTarget.value.trim() })}
            />
            {secretName.test(row.name) ? (
              <PasswordField {...valueProps} autoComplete="new-password" flex={1} />
            ) : (
              <TextInput {...valueProps} flex={1} />
            )}
            <RemoveRow label={t.form.settingRemove(row.name)} onRemove={() => set(rows.filter((one) => one !== row))} />
          </Group>
        )
      })}
    </RowsInput>
  )
}

/** The same, to read. */
export function SettingsList({ value }: { value: Record<string, unknown> }) {
  const t = useWords()
  const entries = Object.entries(value)
  if (entries.length === 0) return <>{t.words.none}</>
  return (
    <dl className="settings-list">
      {entries.map(([name, one]) => (
        <div key={name}>
          <dt className="code setting-label">{name}</dt>
          <dd className="code setting-text">{one === HIDDEN ? t.form.settingHidden : textOf(one)}</dd>
        </div>
      ))}
    </dl>
  )
}
