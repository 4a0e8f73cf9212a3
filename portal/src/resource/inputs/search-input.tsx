import { type MantineSpacing, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

interface SearchInputProps {
  label: string
  value: string
  onChange(value: string): void
  className?: string
  size?: 'xs' | 'sm'
  m?: MantineSpacing
}

/** Narrows what is shown beside it. */
export function SearchInput({ label, value, onChange, size = 'sm', ...look }: SearchInputProps) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={size === 'xs' ? 13 : 15} aria-hidden />}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      size={size}
      {...look}
    />
  )
}
