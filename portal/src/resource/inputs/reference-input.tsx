import { type ComboboxItem, Loader, Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Suspense, use, useState } from 'react'
import { type Item, type ListQuery, listOptions } from '../../api/queries.ts'
import { useWords } from '../../i18n/language.tsx'
import { CreateFormContext } from '../forms/create-form.ts'
import { ItemHint } from '../item-hint.tsx'
import { useHasView, useView } from '../known-views.ts'
import { useMayCreate } from '../own-places.ts'
import { useReferenced } from '../reference.tsx'
import { apiOf, isSeenInPart, labelOf, type Resource } from '../resources.ts'

interface ReferenceInputProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  to: Resource
  /** Only these are offered. */
  among?: ListQuery | undefined
  /** Only what one may change oneself is offered. */
  isOwn?: boolean
  value: string | null
  onChange(id: string | null): void
}

const SHOWN = '20'
const CREATE = 'create'

interface Offered {
  value: string
  label: string
  item?: Item | null | undefined
}

/** Chooses an item of another resource; the service searches. */
export function ReferenceInput({ to, among, isOwn = false, value, onChange, ...props }: ReferenceInputProps) {
  const t = useWords()
  const [text, setText] = useState('')
  const chosen = useReferenced(to, value).data
  const chosenLabel = chosen ? labelOf(to, chosen) : undefined
  const wanted = text === chosenLabel ? '' : text
  const [typed] = useDebouncedValue(wanted, 150)
  const [isOpen, setOpen] = useState(false)
  const [creating, setCreating] = useState<string>()
  const mayCreate = useMayCreate()
  const hasView = useHasView()
  const { items, isFetching, isAnswered: isFound } = useOffered(to, typed, among, isOpen, isOwn)
  const options: Offered[] = items.map((item) => ({ value: item.id, label: labelOf(to, item), item }))
  const isElsewhere = value !== null && chosenLabel !== undefined && !items.some(({ id }) => id === value)
  if (isElsewhere) options.unshift({ value, label: chosenLabel, item: chosen })
  const isAnswered = isFound && wanted === typed
  const isSearched = isAnswered && typed !== ''
  const canCreate = isSearched && items.length === 0 && hasView(to.noun) && mayCreate(to)
  const select = (
    <Select
      placeholder={t.form.typeToSearch}
      {...props}
      data={
        canCreate
          ? [...options, { value: CREATE, label: t.form.createNamed(t.resources[to.noun].one, typed) }]
          : options
      }
      value={value}
      onChange={(next) => (next === CREATE ? setCreating(typed) : onChange(next))}
      searchable
      clearable={props.clearable ?? !props.required}
      clearButtonProps={{ size: '24px', 'aria-label': t.form.clear, 'aria-hidden': false, tabIndex: 0 }}
      searchValue={text}
      onSearchChange={setText}
      onDropdownOpen={() => setOpen(true)}
      // The service has searched already; until its answer is there, what does not fit is not offered: Enter must not
      // take it.
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
      renderOption={({ option }) => <OfferedOption to={to} option={option} />}
    />
  )
  if (creating === undefined) return select
  return (
    <>
      {select}
      <Suspense>
        <CreateNamed
          to={to}
          among={among}
          name={creating}
          onCreated={({ id }) => onChange(id)}
          onClose={() => setCreating(undefined)}
        />
      </Suspense>
    </>
  )
}

/** One that is offered: its name, and what tells it from others of that name. */
export function OfferedOption({
  to,
  option,
}: {
  to: Resource
  option: { label: string; item?: Item | null } | ComboboxItem
}) {
  return (
    <span className="reference-option">
      {option.label}
      {'item' in option && <ItemHint resource={to} item={option.item} />}
    </span>
  )
}

interface CreateNamedProps {
  to: Resource
  among: ListQuery | undefined
  name: string
  onCreated(item: Item): void
  onClose(): void
}

/** A new one is such as those that are offered: a visitor among visitors. */
const valuesOf = (among: ListQuery = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(among).flatMap(([field, value]) =>
      String(value).startsWith('eq.') ? [[field, String(value).slice(3)]] : [],
    ),
  )

/** What nobody has made yet is made here, by the name that was typed. */
function CreateNamed({ to, among, name, onCreated, onClose }: CreateNamedProps) {
  const view = useView(to.noun)
  const [initial] = useState(() => ({ ...valuesOf(among), [to.label[0] ?? 'name']: name }))
  const Form = use(CreateFormContext)
  return Form && <Form view={view} api={apiOf(to)} initial={initial} onCreated={onCreated} onClose={onClose} />
}

const isExpanded = (input: HTMLElement): boolean => input.getAttribute('aria-expanded') === 'true'

const fits = (option: object, typed: string): boolean =>
  'label' in option && String(option.label).toLowerCase().includes(typed.trim().toLowerCase())

export function queryFor({ isBare, label }: Resource, typed: string): Record<string, string> {
  const [first = 'id'] = label
  const base: Record<string, string> = isBare ? { limit: SHOWN } : { limit: SHOWN, order: first }
  return typed === '' ? base : { ...base, search: typed }
}

/** Whose name begins with what was typed comes first, though others hold it too. */
export function useOffered(to: Resource, typed: string, among: ListQuery | undefined, isOpen: boolean, isOwn: boolean) {
  const [first = 'id'] = to.label
  const found = useQuery({ ...listOptions(apiOf(to), { ...queryFor(to, typed), ...among }), enabled: isOpen })
  const isByPrefix = typed !== '' && !to.isBare && !/[*,()"\\]/.test(typed)
  const prefixed = useQuery({
    ...listOptions(apiOf(to), { limit: SHOWN, order: first, [first]: `ilike.${typed}*`, ...among }),
    enabled: isOpen && isByPrefix,
    retry: false,
  })
  const begins = (item: Item) => labelOf(to, item).toLowerCase().startsWith(typed.toLowerCase())
  const all = [...(isByPrefix ? (prefixed.data?.items ?? []) : []), ...(found.data?.items ?? [])]
  const offered = isOwn ? all.filter((item) => !isSeenInPart(to, item)) : all
  const items = [...new Map(offered.map((item) => [item.id, item])).values()].toSorted(
    (a, b) => Number(begins(b)) - Number(begins(a)),
  )
  return {
    items: found.data === undefined ? [] : items,
    isFetching: found.isFetching || prefixed.isFetching,
    isAnswered: found.data !== undefined && !found.isPlaceholderData && !(isByPrefix && prefixed.isFetching),
  }
}
