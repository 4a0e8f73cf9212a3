import { Loader, Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ListQuery, listOptions } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { useReferenced } from './reference.tsx'
import { apiOf, labelOf, type Resource } from './resources.ts'

interface ReferenceInputProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  to: Resource
  /** Only these are offered. */
  among?: ListQuery | undefined
  value: string | null
  onChange(id: string | null): void
}

const SHOWN = '20'

/** Chooses an item of another resource; the service searches. */
export function ReferenceInput({ to, among, value, onChange, ...props }: ReferenceInputProps) {
  const t = useWords()
  const [text, setText] = useState('')
  const chosen = useReferenced(to, value).data
  const chosenLabel = chosen ? labelOf(to, chosen) : undefined
  const wanted = text === chosenLabel ? '' : text
  const [typed] = useDebouncedValue(wanted, 150)
  const [isOpen, setOpen] = useState(false)
  const query = { ...queryFor(to, typed), ...among }
  const { data, isFetching, isPlaceholderData } = useQuery({ ...listOptions(apiOf(to), query), enabled: isOpen })
  const items = data?.items ?? []
  const options = items.map((item) => ({ value: item.id, label: labelOf(to, item), hint: hintOf(item) }))
  const isElsewhere = value !== null && chosenLabel !== undefined && !items.some(({ id }) => id === value)
  if (isElsewhere) options.unshift({ value, label: chosenLabel, hint: '' })
  const isAnswered = data !== undefined && !isPlaceholderData && wanted === typed
  const isSearched = isAnswered && typed !== ''
  return (
    <Select
      placeholder={t.form.typeToSearch}
      {...props}
      data={options}
      value={value}
      onChange={onChange}
      searchable
      clearable={props.clearable ?? !props.required}
      clearButtonProps={{ size: '24px', 'aria-label': t.form.clear, 'aria-hidden': false, tabIndex: 0 }}
      searchValue={text}
      onSearchChange={setText}
      onDropdownOpen={() => setOpen(true)}
      // The service has searched already; until its answer is there, what does not fit is not offered: Enter must not take it.
      filter={({ options: all }) => {
        if (!isAnswered) return all.filter((one) => fits(one, wanted))
        return isSearched && isElsewhere ? all.slice(1) : all
      }}
      // When it is there, Enter takes the first: Mantine looks for it whenever this becomes true.
      selectFirstOptionOnChange={isSearched}
      // Where there is nothing to take yet, it does not send the form instead.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && isExpanded(event.currentTarget)) event.preventDefault()
      }}
      nothingFoundMessage={isFetching ? `${t.words.loading} …` : t.form.nothingFound}
      rightSection={isFetching && isOpen ? <Loader size={14} /> : undefined}
      renderOption={({ option }) => (
        <span className="reference-option">
          {option.label}
          {'hint' in option && option.hint !== '' && <small>{String(option.hint)}</small>}
        </span>
      )}
    />
  )
}

const isExpanded = (input: HTMLElement): boolean => input.getAttribute('aria-expanded') === 'true'

const fits = (option: object, typed: string): boolean =>
  'label' in option && String(option.label).toLowerCase().includes(typed.trim().toLowerCase())

export function queryFor({ isBare, label }: Resource, typed: string): Record<string, string> {
  const [first = 'id'] = label
  const base: Record<string, string> = isBare ? { limit: SHOWN } : { limit: SHOWN, order: first }
  return typed === '' ? base : { ...base, search: typed }
}

/** Two rooms may have one name: what tells them apart. */
export const hintOf = (item: Record<string, unknown>): string =>
  [item.building, item.address, item.email, item.slug].find((value): value is string => typeof value === 'string' && value !== '') ?? ''
