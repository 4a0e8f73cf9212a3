import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { durationTyped } from '../../i18n/duration.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'

interface DurationFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** As the API counts it; what is no duration stays as it was typed. */
  value: number | string
  /** How many seconds the API counts by. */
  unit: number
  onChange(value: number | string): void
}

/** How long, typed and shown as people say it: `5 s`, `2 min`. */
export function DurationField({ value, unit, onChange, ...props }: DurationFieldProps) {
  const t = useWords()
  const format = useFormat()
  const [typed, setTyped] = useState<string>()
  const told = typeof value === 'number' ? format.duration(value * unit) : value
  return (
    <TextInput
      {...props}
      autoComplete="off"
      maxLength={60}
      placeholder={t.time.durationExample}
      value={typed ?? told}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text)
        const seconds = durationTyped(text, unit)
        onChange(seconds === undefined || seconds % unit !== 0 ? text.trim() : seconds / unit)
      }}
      // What was understood is seen as soon as it is left.
      onBlur={() => setTyped(undefined)}
    />
  )
}
