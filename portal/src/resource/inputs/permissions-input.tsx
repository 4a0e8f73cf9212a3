import { Checkbox, Group, Input, ScrollArea, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Permission } from '../../api/generated/types.ts'
import { useMe } from '../../api/me.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { groupName, groupsOf, usePermissions } from '../permissions.ts'
import { SearchInput } from './search-input.tsx'

interface PermissionsInputProps {
  label: string
  description?: string | undefined
  error?: string | undefined
  value: readonly string[]
  onChange(value: string[]): void
}

/**
 * Every permission with its sentence, by resource. Nobody gives more than they have: what they lack is shown, and
 * cannot be chosen.
 */
export function PermissionsInput({ label, description, error, value, onChange }: PermissionsInputProps) {
  const t = useWords()
  const format = useFormat()
  const mine = new Set<string>(useMe().permissions.map(({ permission }) => permission))
  const [text, setText] = useState('')
  const all = usePermissions()
  const sentenceOf = new Map(all.map(({ name, sentence }) => [name, sentence]))
  const found = all.filter(({ name, sentence }) =>
    `${name} ${sentence}`.toLowerCase().includes(text.trim().toLowerCase()),
  )
  const canChange = (name: string) => mine.has(name) || value.includes(name)
  const toggle = (some: readonly string[], isOn: boolean) =>
    onChange(isOn ? [...new Set([...value, ...some])].sort() : value.filter((one) => !some.includes(one)))
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Stack gap="xs" mt={4} className="permissions" role="group" aria-label={label}>
        <Group gap="xs" justify="space-between">
          <SearchInput size="xs" label={t.identity.permissionsSearch} value={text} onChange={setText} />
          <Text size="xs" c="dimmed" role="status">
            {t.identity.permissionsChosen(format.number(value.length), format.number(all.length))}
          </Text>
        </Group>
        <ScrollArea.Autosize mah="45vh" type="auto" viewportProps={{ tabIndex: -1 }}>
          <Stack gap="sm">
            {groupsOf(found.map(({ name }) => name)).map(([noun, some]) => {
              const open = some.filter(canChange)
              const chosen = some.filter((one) => value.includes(one)).length
              return (
                <Stack key={noun} gap={6} role="group" aria-label={groupName(t, noun)}>
                  <Checkbox
                    size="xs"
                    fw={600}
                    label={groupName(t, noun)}
                    disabled={open.length === 0}
                    checked={chosen > 0 && chosen === some.length}
                    indeterminate={chosen > 0 && chosen < some.length}
                    onChange={({ currentTarget }) => toggle(open, currentTarget.checked)}
                  />
                  {some.map((permission) => (
                    <Checkbox
                      key={permission}
                      size="xs"
                      ml="lg"
                      label={sentenceOf.get(permission)}
                      description={
                        canChange(permission) ? permission : `${permission} · ${t.identity.permissionNotHeld}`
                      }
                      disabled={!canChange(permission)}
                      checked={value.includes(permission)}
                      onChange={({ currentTarget }) => toggle([permission], currentTarget.checked)}
                    />
                  ))}
                </Stack>
              )
            })}
            {found.length === 0 && (
              <Text size="xs" c="dimmed">
                {t.form.nothingFound}
              </Text>
            )}
          </Stack>
        </ScrollArea.Autosize>
      </Stack>
    </Input.Wrapper>
  )
}

/** What a role, a token or an application may do, to be read. */
export function PermissionList({ permissions }: { permissions: readonly Permission[] }) {
  const t = useWords()
  const sentenceOf = new Map(usePermissions().map(({ name, sentence }) => [name, sentence]))
  return (
    <div className="permission-list">
      {groupsOf(permissions).map(([noun, some]) => (
        <section key={noun} aria-label={groupName(t, noun)}>
          <Text component="h3" size="sm" fw={600} mb={4}>
            {groupName(t, noun)}
          </Text>
          <ul>
            {some.map((permission) => (
              <li key={permission}>
                {sentenceOf.get(permission) ?? permission}
                <span className="code">{permission}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
