import { Loader, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconScan } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Individual, Key } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { listOptions } from '../../api/queries.ts'
import { deskWords } from '../../i18n/desk-words.ts'
import { useWords } from '../../i18n/language.tsx'
import { ItemHint, useItemHint } from '../../resource/item-hint.tsx'
import { useReferenced } from '../../resource/reference.tsx'
import { labelOf, resources } from '../../resource/resources.ts'

export type Found = { kind: 'key'; key: Key } | { kind: 'person'; person: Individual }

const SHOWN = '8'

/**
 * One box for keys and people: typed, or read by a scanner, which types and presses Enter. It is ready for the next one
 * at once.
 */
export function DeskSearch({ onFound }: { onFound(found: Found): void }) {
  const t = useWords()
  const may = useMay()
  const [text, setText] = useState('')
  const wanted = text.trim()
  const [typed] = useDebouncedValue(wanted, 120)
  const isAsked = typed !== ''
  const keys = useQuery({
    ...listOptions<Key>(resources.keys.api, { search: typed, limit: SHOWN, order: 'key_type_code.asc,number.asc' }),
    enabled: isAsked,
  })
  const people = useQuery({
    ...listOptions<Individual>(resources.individuals.api, { search: typed, limit: SHOWN, order: 'display_name.asc' }),
    enabled: isAsked && may('individuals:read'),
  })
  const isBusy = keys.isFetching || people.isFetching
  const isAnswered = isAsked && typed === wanted && !isBusy
  const found = new Map<string, Found>([
    ...exactFirst(isAsked ? (keys.data?.items ?? []) : [], typed).map((key) => [key.id, { kind: 'key', key }] as const),
    ...(isAsked ? (people.data?.items ?? []) : []).map((person) => [person.id, { kind: 'person', person }] as const),
  ])
  // A scanner presses Enter before anything is found: it is held until then.
  const [isEntered, setEntered] = useState(false)
  const take = (one: Found | undefined) => {
    setText('')
    setEntered(false)
    if (one) onFound(one)
  }
  const [first] = found.values()
  useEffect(() => {
    if (!isEntered || !isAnswered) return
    setEntered(false)
    // Two systems may have a key of one number: which one it is, is for whoever holds it to say.
    const called = first && [...found.values()].filter((one) => nameOf(one) === nameOf(first))
    if (first && called?.length === 1) take(first)
  })
  const optionsOf = (kind: Found['kind']) =>
    [...found].filter(([, one]) => one.kind === kind).map(([value, one]) => ({ value, label: nameOf(one) }))
  const groups = [
    { group: t.resources.keys.many, items: optionsOf('key') },
    { group: t.resources.individuals.many, items: optionsOf('person') },
  ].filter(({ items }) => items.length > 0)
  return (
    <Select
      label={deskWords(t).search}
      placeholder={deskWords(t).searchHint}
      leftSection={<IconScan size={18} aria-hidden />}
      size="md"
      data={groups}
      value={null}
      onChange={(id) => take(id === null ? undefined : found.get(id))}
      searchable
      searchValue={text}
      onSearchChange={(now) => {
        setText(now)
        setEntered(false)
      }}
      filter={({ options }) => options}
      selectFirstOptionOnChange={isAnswered}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        if (wanted !== '' && !isAnswered) setEntered(true)
      }}
      nothingFoundMessage={wanted === '' ? undefined : isAnswered ? t.form.nothingFound : `${t.words.loading} …`}
      rightSection={isBusy && isAsked ? <Loader size={14} /> : <span />}
      renderOption={({ option }) => (
        <span className="reference-option">
          {option.label}
          <Hint found={found.get(option.value)} />
        </span>
      )}
      data-autofocus
    />
  )
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s·]+/g, ' ')
    .trim()

/** A scanner sends the whole number: what is called just so comes before what merely holds it. */
const exactFirst = (keys: readonly Key[], typed: string): Key[] => {
  const rank = (key: Key) => (plain(labelOf(resources.keys, key)) === plain(typed) ? 0 : key.number === typed ? 1 : 2)
  return keys.toSorted((a, b) => rank(a) - rank(b))
}

const nameOf = (found: Found): string =>
  found.kind === 'key' ? labelOf(resources.keys, found.key) : labelOf(resources.individuals, found.person)

/** Of which system a key is, and where; a person by what tells namesakes apart. */
function Hint({ found }: { found: Found | undefined }) {
  if (found === undefined) return null
  return found.kind === 'key' ? (
    <KeyHint item={found.key} />
  ) : (
    <ItemHint resource={resources.individuals} item={found.person} />
  )
}

function KeyHint({ item }: { item: Key }) {
  const hint = useItemHint(resources.keys, item)
  const holder = useReferenced(resources.individuals, item.individual_id).data
  return (
    <small>{[hint, item.storage, holder && labelOf(resources.individuals, holder)].filter(Boolean).join(' / ')}</small>
  )
}
