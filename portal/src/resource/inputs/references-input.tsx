import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { ListQuery } from '../../api/queries.ts'
import { useWords } from '../../i18n/language.tsx'
import { useReferencedAll } from '../reference.tsx'
import { labelOf, type Resource } from '../resources.ts'
import { OfferedOption, useOffered } from './reference-input.tsx'

export interface Chosen {
  value: string
  label: string
}

interface ReferencesInputProps {
  to: Resource
  label: string
  /** Labelled above, as in a form. */
  isField?: boolean
  description?: string | undefined
  error?: string | undefined
  among?: ListQuery | undefined
  /** Only what one may change oneself is offered. */
  isOwn?: boolean
  chosen: readonly Chosen[]
  onChange(chosen: Chosen[]): void
}

/** Chooses several items of another resource; the service searches. */
export function ReferencesInput(props: ReferencesInputProps) {
  const { to, label, isField = false, description, error, among, isOwn = false, chosen, onChange } = props
  const t = useWords()
  const [text, setText] = useState('')
  const [typed] = useDebouncedValue(text, 150)
  const [isOpen, setOpen] = useState(false)
  const { items, isFetching, isAnswered } = useOffered(to, typed, among, isOpen, isOwn)
  const found = items.map((item) => ({ value: item.id, label: labelOf(to, item), item }))
  // What is chosen keeps its name while something else is searched.
  const options = [
    ...found,
    ...chosen
      .filter(({ value }) => !found.some((one) => one.value === value))
      .map((one) => ({ ...one, item: undefined })),
  ]
  return (
    <MultiSelect
      {...(isField ? { label, description, error } : { 'aria-label': label })}
      placeholder={chosen.length > 0 ? '' : isField ? t.form.typeToSearch : label}
      data={options}
      value={chosen.map(({ value }) => value)}
      onChange={(values) => {
        onChange(values.flatMap((value) => options.find((one) => one.value === value) ?? []))
        // Who has typed has found it: the list goes, and covers nothing below. Who looks through it may take more.
        if (text !== '') setOpen(false)
        setText('')
      }}
      searchable
      clearable
      hidePickedOptions
      searchValue={text}
      onSearchChange={setText}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      filter={({ options: all }) => all}
      // Once the service has answered, Enter takes the first.
      selectFirstOptionOnChange={typed !== '' && text === typed && isAnswered}
      nothingFoundMessage={isFetching ? `${t.words.loading} …` : t.form.nothingFound}
      renderOption={({ option }) => <OfferedOption to={to} option={option} />}
      className="references-input"
    />
  )
}

interface ReferencesFieldProps {
  to: Resource
  label: string
  description?: string | undefined
  error?: string | undefined
  among?: ListQuery | undefined
  value: readonly string[]
  onChange(ids: string[]): void
}

/** The same as a field of a form: what is chosen is known by its ids. */
export function ReferencesField({ to, label, description, error, among, value, onChange }: ReferencesFieldProps) {
  const known = useReferencedAll(to, value)
  const chosen = value.map((id, index) => {
    const item = known[index]
    return { value: id, label: item ? labelOf(to, item) : '…' }
  })
  return (
    <ReferencesInput
      to={to}
      label={label}
      isField
      description={description}
      error={error}
      among={among}
      chosen={chosen}
      onChange={(next) => onChange(next.map((one) => one.value))}
    />
  )
}
