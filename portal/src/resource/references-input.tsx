import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listOptions } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { hintOf, queryFor } from './reference-input.tsx'
import { apiOf, labelOf, type Resource } from './resources.ts'

export interface Chosen {
  value: string
  label: string
}

interface ReferencesInputProps {
  to: Resource
  label: string
  chosen: readonly Chosen[]
  onChange(chosen: Chosen[]): void
}

/** Chooses several items of another resource; the service searches. */
export function ReferencesInput({ to, label, chosen, onChange }: ReferencesInputProps) {
  const t = useWords()
  const [text, setText] = useState('')
  const [typed] = useDebouncedValue(text, 150)
  const [isOpen, setOpen] = useState(false)
  const { data, isFetching, isPlaceholderData } = useQuery({ ...listOptions(apiOf(to), queryFor(to, typed)), enabled: isOpen })
  const found = (data?.items ?? []).map((item) => ({ value: item.id, label: labelOf(to, item), hint: hintOf(item) }))
  // What is chosen keeps its name while something else is searched.
  const options = [
    ...found,
    ...chosen.filter(({ value }) => !found.some((one) => one.value === value)).map((one) => ({ ...one, hint: '' })),
  ]
  return (
    <MultiSelect
      aria-label={label}
      placeholder={chosen.length === 0 ? label : ''}
      data={options}
      value={chosen.map(({ value }) => value)}
      onChange={(values) => {
        onChange(values.flatMap((value) => options.find((one) => one.value === value) ?? []))
        setText('')
      }}
      searchable
      clearable
      hidePickedOptions
      searchValue={text}
      onSearchChange={setText}
      onDropdownOpen={() => setOpen(true)}
      filter={({ options: all }) => all}
      // Once the service has answered, Enter takes the first.
      selectFirstOptionOnChange={typed !== '' && text === typed && data !== undefined && !isPlaceholderData}
      nothingFoundMessage={isFetching ? `${t.words.loading} …` : t.form.nothingFound}
      renderOption={({ option }) => (
        <span className="reference-option">
          {option.label}
          {'hint' in option && option.hint !== '' && <small>{String(option.hint)}</small>}
        </span>
      )}
      className="references-input"
    />
  )
}
