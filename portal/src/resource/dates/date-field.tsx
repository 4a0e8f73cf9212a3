import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { dayTyped, dayWritten } from '../../i18n/typed-date.ts'
import { MonthGrid } from './month-grid.tsx'

export interface DateFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** 2026-05-04, or nothing. */
  value: string
  onChange(day: string): void
}

/** A day, typed as its reader writes days or chosen from a month: the same everywhere, on every device. */
export function DateField({ value, onChange, error, ...props }: DateFieldProps) {
  const t = useWords()
  const { language } = useLanguage()
  const { today } = useFormat()
  const [text, setText] = useState(() => dayWritten(value, language))
  const [isOpen, setOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const known = dayTyped(text, today()) ?? ''
  // What is chosen elsewhere (a preset, another item) is shown; what is being typed is not rewritten under one's hands.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the value changes, not while somebody types
  useEffect(() => {
    if (value !== known) setText(dayWritten(value, language))
  }, [value, language])
  const isNoDay = text.trim() !== '' && known === ''
  const choose = (day: string) => {
    setText(dayWritten(day, language))
    onChange(day)
    setOpen(false)
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || !event.altKey) return
    event.preventDefault()
    setOpen(true)
  }
  return (
    <TextInput
      {...props}
      ref={input}
      placeholder={t.time.dateForm}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      error={error ?? (isNoDay && !isOpen ? t.time.noDay : undefined)}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        const day = currentTarget.value.trim() === '' ? '' : dayTyped(currentTarget.value, today())
        if (day !== undefined) onChange(day)
        else if (value !== '') onChange('')
      }}
      onBlur={() => known !== '' && setText(dayWritten(known, language))}
      onKeyDown={onKeyDown}
      rightSection={
        <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus withRoles shadow="md">
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t.time.openCalendar}
              onClick={() => setOpen((now) => !now)}
            >
              <IconCalendar size={16} aria-hidden />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown aria-label={t.time.calendar}>
            <MonthGrid value={known} onChoose={choose} />
          </Popover.Dropdown>
        </Popover>
      }
    />
  )
}
