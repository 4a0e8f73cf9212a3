import { Highlight, Modal, Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type Icon, IconCornerDownLeft, IconPlus, IconSearch } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { useMay, useMe } from '../api/me.ts'
import { type Item, listOptions } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { ItemHint } from '../resource/item-hint.tsx'
import { useHasView } from '../resource/known-views.ts'
import { useMayCreate } from '../resource/own-places.ts'
import { useReferenced } from '../resource/reference.tsx'
import { labelOf, type Noun, pathTo, type Resource, resources } from '../resource/resources.ts'
import { useNavigation, useUserManagement } from './navigation.ts'
import { readRecent } from './recent.ts'

/** What can be found by name, in this order. */
const searched: readonly Noun[] = [
  'spaces',
  'access-points',
  'individuals',
  'buildings',
  'credentials',
  'keys',
  'access-groups',
  'locations',
  'locking-system',
  'cylinders',
  'key-types',
  'access-control-systems',
  'users',
  'service-users',
]
const FOUND = '5'
const SHORTEST = 2

interface Entry {
  key: string
  title: string
  hint?: ReactNode
  icon: Icon
  to: string
  search?: Record<string, string>
}

interface EntryGroup {
  title: string
  entries: Entry[]
}

/** Ctrl+K: any space, door, person, key, credential, building, page or thing to create, without the mouse. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const t = useWords()
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      size={600}
      yOffset="12vh"
      padding={0}
      radius="lg"
      overlayProps={{ backgroundOpacity: 0.35 }}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': t.palette.open } }}
      className="palette"
    >
      <Search onClose={onClose} />
    </Modal>
  )
}

/** At once, not when the dialog thinks of it: what is typed right after Ctrl+K is meant for here. */
const focus = (input: HTMLInputElement | null) => input?.focus()

function Search({ onClose }: { onClose(): void }) {
  const t = useWords()
  const navigate = useNavigate()
  const id = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const [typed] = useDebouncedValue(text.trim(), 100)
  const found = useFound(typed)
  const groups = [...useRecent(text === ''), ...found.groups, ...usePages(text.trim())].filter(
    ({ entries }) => entries.length > 0,
  )
  const entries = groups.flatMap((group) => group.entries)
  const active = Math.min(chosen, entries.length - 1)
  const optionId = (index: number) => `${id}-${index}`
  useEffect(() => {
    document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' })
  })

  const go = ({ to, search }: Entry) => {
    onClose()
    void navigate({ to, ...(search ? { search } : {}) })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: entries.length - 1 }[event.key]
    if (next !== undefined && entries.length > 0) {
      event.preventDefault()
      setChosen((next + entries.length) % entries.length)
    }
    const entry = entries[active]
    if (event.key === 'Enter' && entry && !event.nativeEvent.isComposing) {
      event.preventDefault()
      go(entry)
    }
  }
  let index = -1
  return (
    <>
      <div className="palette-search">
        <IconSearch size={18} aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-label={t.palette.placeholder}
          aria-expanded={entries.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={entries.length > 0 ? optionId(active) : undefined}
          placeholder={t.palette.placeholder}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
          autoComplete="off"
          spellCheck={false}
          ref={focus}
          data-autofocus
        />
      </div>
      <div className="palette-list" id={id} role="listbox" aria-label={t.palette.open}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
          <div key={group.title} role="group" aria-label={group.title}>
            <div className="palette-title" aria-hidden>
              {group.title}
            </div>
            {group.entries.map((entry) => {
              index++
              const own = index
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, which keeps the focus
                <div
                  key={entry.key}
                  id={optionId(own)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={own === active}
                  className="palette-option"
                  onMouseMove={() => own !== active && setChosen(own)}
                  onClick={() => go(entry)}
                >
                  <entry.icon size={18} stroke={1.6} aria-hidden />
                  <div>
                    <Highlight highlight={typed === '' ? [] : typed.split(/\s+/)} size="sm" truncate>
                      {entry.title}
                    </Highlight>
                    {entry.hint !== undefined && (
                      <Text size="xs" c="dimmed" truncate>
                        {entry.hint}
                      </Text>
                    )}
                  </div>
                  {own === active && <IconCornerDownLeft size={14} aria-hidden className="palette-enter" />}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      {found.isAway && (
        <Text size="sm" c="red" ta="center" p="sm" role="alert">
          {t.errors.unreachable}
        </Text>
      )}
      {entries.length === 0 && !found.isAway && (
        <Text size="sm" c="dimmed" ta="center" p="lg">
          {found.isFetching || text.trim() !== typed ? `${t.words.loading} …` : t.palette.nothing}
        </Text>
      )}
      {found.isFetching && entries.length > 0 && <Skeleton height={2} radius={0} aria-hidden />}
      <VisuallyHidden role="status">{text === '' ? '' : t.palette.results(entries.length)}</VisuallyHidden>
    </>
  )
}

/** The service searches every kind of thing that this person may see. */
function useFound(typed: string): { groups: EntryGroup[]; isFetching: boolean; isAway: boolean } {
  const t = useWords()
  const may = useMay()
  const hasView = useHasView()
  const reachable = searched.filter((noun) => hasView(noun) && may(resources[noun].read))
  const isSearching = typed.length >= SHORTEST
  const results = useQueries({
    queries: reachable.map((noun) => ({
      ...listOptions(resources[noun].api, { search: typed, limit: FOUND }),
      enabled: isSearching,
    })),
  })
  const groups = reachable.map((noun, index) => ({
    title: t.resources[noun].many,
    entries: isSearching ? (results[index]?.data?.items ?? []).map((item) => entryOf(resources[noun], item)) : [],
  }))
  return {
    groups,
    isFetching: isSearching && results.some(({ isFetching }) => isFetching),
    isAway:
      isSearching &&
      results.some(({ error }) => error instanceof ApiError && (error.status === 0 || error.status >= 500)),
  }
}

/** Two things may have one name: what tells them apart stands below it. */
const entryOf = (resource: Resource, item: Item): Entry => ({
  key: item.id,
  title: labelOf(resource, item),
  hint: <ItemHint resource={resource} item={item} />,
  icon: resource.icon,
  to: pathTo(resource, item.id) ?? '/',
})

/** Pages, and what can be made. Nothing typed: all pages. */
function usePages(text: string): EntryGroup[] {
  const t = useWords()
  const mayCreate = useMayCreate()
  const hasView = useHasView()
  const pages = [...useNavigation().flatMap(({ entries }) => entries), ...useUserManagement()]
  const words = text.toLowerCase().split(/\s+/)
  const matches = ({ title }: { title: string }) => words.every((word) => title.toLowerCase().includes(word))
  const creatable = Object.values(resources).filter(
    (resource) => resource.path !== undefined && hasView(resource.noun) && mayCreate(resource),
  )
  const creations = creatable.map(({ noun, path = '/' }) => ({
    key: `new-${noun}`,
    title: t.form.create(t.resources[noun].one),
    icon: IconPlus,
    to: path,
    search: { new: '1' },
  }))
  return [
    { title: t.palette.pages, entries: pages.filter(matches).map((page) => ({ key: page.to, ...page })) },
    { title: t.palette.create, entries: text === '' ? [] : creations.filter(matches) },
  ]
}

/** Where one was last, by the names that things have now. */
function useRecent(isAsked: boolean): EntryGroup[] {
  const t = useWords()
  const hasView = useHasView()
  const me = useMe()
  const [kept] = useState(() => readRecent(me, 'seen').filter(({ noun }) => hasView(noun)))
  const items = [useOne(kept[0]), useOne(kept[1]), useOne(kept[2]), useOne(kept[3]), useOne(kept[4]), useOne(kept[5])]
  const entries = items.flatMap((item, index) => {
    const one = kept[index]
    return item && one ? [entryOf(resources[one.noun], item)] : []
  })
  return isAsked ? [{ title: t.palette.recent, entries }] : []
}

const useOne = (recent: { noun: Noun; id: string } | undefined): Item | null | undefined =>
  useReferenced(resources[recent?.noun ?? 'spaces'], recent?.id).data
