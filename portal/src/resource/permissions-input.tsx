import { Checkbox, Group, Input, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { Permission } from '../api/generated/types.ts'
import { useMe } from '../api/me.ts'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { resourceByNoun } from './resources.ts'

interface PermissionsInputProps {
  label: string
  description?: string | undefined
  error?: string | undefined
  value: readonly string[]
  onChange(value: string[]): void
}

/** Every permission with a sentence, by resource. Nobody gives more than they have, so only their own are offered. */
export function PermissionsInput({ label, description, error, value, onChange }: PermissionsInputProps) {
  const t = useWords()
  const format = useFormat()
  const mine = useMe().permissions.map(({ permission }) => permission)
  const [text, setText] = useState('')
  const offered = [...new Set([...mine, ...(value as Permission[])])].sort()
  const found = offered.filter((permission) => `${permission} ${t.permissions[permission]}`.toLowerCase().includes(text.toLowerCase()))
  const groups = Map.groupBy(found, (permission) => permission.slice(0, permission.indexOf(':')))
  const toggle = (some: readonly string[], isOn: boolean) =>
    onChange(isOn ? [...new Set([...value, ...some])].sort() : value.filter((one) => !some.includes(one)))
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Stack gap="xs" mt={4} className="permissions" role="group" aria-label={label}>
        <Group gap="xs" justify="space-between">
          <TextInput
            size="xs"
            aria-label={t.identity.permissionsSearch}
            placeholder={t.identity.permissionsSearch}
            leftSection={<IconSearch size={13} aria-hidden />}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Text size="xs" c="dimmed">
            {t.identity.permissionsChosen(format.number(value.length), format.number(offered.length))}
          </Text>
        </Group>
        <ScrollArea.Autosize mah={320} type="auto">
          <Stack gap="sm">
            {[...groups].map(([noun, some]) => {
              const chosen = some.filter((one) => value.includes(one)).length
              return (
                <Stack key={noun} gap={6}>
                  <Checkbox
                    size="xs"
                    fw={600}
                    label={(resourceByNoun(noun) && t.resources[noun as keyof typeof t.resources].many) ?? noun}
                    checked={chosen === some.length}
                    indeterminate={chosen > 0 && chosen < some.length}
                    onChange={({ currentTarget }) => toggle(some, currentTarget.checked)}
                  />
                  {some.map((permission) => (
                    <Checkbox
                      key={permission}
                      size="xs"
                      ml="lg"
                      label={t.permissions[permission]}
                      description={permission}
                      checked={value.includes(permission)}
                      onChange={({ currentTarget }) => toggle([permission], currentTarget.checked)}
                    />
                  ))}
                </Stack>
              )
            })}
          </Stack>
        </ScrollArea.Autosize>
      </Stack>
    </Input.Wrapper>
  )
}
