import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { timeTyped } from '../../i18n/typed-date.ts'

interface TimeFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** 08:30, 24:00, or nothing. */
  value: string
  onChange(time: string): void
}

/** A time of the day by 24 hours, as far as 24:00, which the browser's own inputs do not know. */
export function TimeField({ value, onChange, error, ...props }: TimeFieldProps) {
  const t = useWords()
  const [text, setText] = useState(value)
  const known = timeTyped(text) ?? ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the value changes, not while somebody types
  useEffect(() => {
    if (value !== known) setText(value)
  }, [value])
  return (
    <TextInput
      {...props}
      inputMode="numeric"
      autoComplete="off"
      maxLength={5}
      placeholder="00:00"
      value={text}
      error={error ?? (text.trim() !== '' && known === '' ? t.time.noTime : undefined)}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        const time = currentTarget.value.trim() === '' ? '' : timeTyped(currentTarget.value)
        if (time !== undefined && (currentTarget.value.length === 5 || time === '')) onChange(time)
      }}
      onBlur={() => {
        if (known === '') return
        setText(known)
        if (known !== value) onChange(known)
      }}
      className={`time-field ${props.className ?? ''}`}
    />
  )
}
