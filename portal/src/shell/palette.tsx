import { Highlight, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight } from '@mantine/spotlight'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../api/me.ts'
import { type Item, listOptions } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { labelOf, type Noun, pathTo, type Resource, resources } from '../resource/resources.ts'
import { useHasView } from '../resource/views.tsx'
import { useNavigation, useUserManagement } from './navigation.ts'
import { paletteStore } from './open-palette.ts'

/** What can be found by name, in this order. */
const searched: readonly Noun[] = [
  'spaces',
  'access-points',
  'individuals',
  'buildings',
  'credentials',
  'locking-system',
  'access-control-systems',
]
const creatable: readonly Noun[] = ['individuals', 'credentials', 'spaces', 'access-points', 'buildings', 'access-grants', 'service-users']
const FOUND = '5'

/** Ctrl+K: any space, door, person or page. */
export function Palette() {
  const t = useWords()
  const may = useMay()
  const hasView = useHasView()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [typed] = useDebouncedValue(text.trim(), 120)
  const pages = [...useNavigation().flatMap(({ entries }) => entries), ...useUserManagement()]
  const reachable = searched.filter((noun) => hasView(noun) && may(resources[noun].read))
  const results = useQueries({
    queries: reachable.map((noun) => ({
      ...listOptions(resources[noun].api, { search: typed, limit: FOUND }),
      enabled: typed.length >= 2,
    })),
  })
  const matches = (title: string) => title.toLowerCase().includes(text.trim().toLowerCase())
  const go = (to: string, search?: Record<string, string>) => void navigate({ to, ...(search ? { search: search as never } : {}) })
  const shownPages = pages.filter(({ title }) => matches(title))
  const shownCreatable = creatable
    .filter((noun) => hasView(noun) && may(resources[noun].write))
    .map((noun) => ({ noun, title: t.form.create(t.resources[noun].one) }))
    .filter(({ title }) => text.trim() !== '' && matches(title))
  const found = typed.length < 2 ? [] : reachable.map((noun, index) => ({ noun, items: results[index]?.data?.items ?? [] }))
  const isNothing = shownPages.length + shownCreatable.length + found.reduce((sum, { items }) => sum + items.length, 0) === 0
  return (
    <Spotlight.Root
      attributes={{ content: { 'aria-label': t.palette.open } }}
      store={paletteStore}
      query={text}
      onQueryChange={setText}
      shortcut={['mod + K']}
      scrollable
      maxHeight={420}
      clearQueryOnClose
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
    >
      <Spotlight.Search
        placeholder={t.palette.placeholder}
        aria-label={t.palette.placeholder}
        leftSection={<IconSearch size={18} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {found.map(({ noun, items }) =>
          items.length === 0 ? null : (
            <Spotlight.ActionsGroup key={noun} label={t.resources[noun].many}>
              {items.map((item) => (
                <Found key={item.id} resource={resources[noun]} item={item} typed={typed} onGo={go} />
              ))}
            </Spotlight.ActionsGroup>
          ),
        )}
        {shownPages.length > 0 && (
          <Spotlight.ActionsGroup label={t.palette.pages}>
            {shownPages.map(({ title, to, icon: Icon }) => (
              <Spotlight.Action key={to} label={title} leftSection={<Icon size={18} stroke={1.6} aria-hidden />} onClick={() => go(to)} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {shownCreatable.length > 0 && (
          <Spotlight.ActionsGroup label={t.palette.create}>
            {shownCreatable.map(({ noun, title }) => (
              <Spotlight.Action
                key={noun}
                label={title}
                leftSection={<IconPlus size={18} aria-hidden />}
                onClick={() => go(resources[noun].path ?? '/', { new: '1' })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {isNothing && (
          <Spotlight.Empty>{results.some(({ isFetching }) => isFetching) ? `${t.words.loading} …` : t.palette.nothing}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

function Found({ resource, item, typed, onGo }: { resource: Resource; item: Item; typed: string; onGo(to: string): void }) {
  const where = [item.location, item.building, item.email, item.address].filter((value) => typeof value === 'string' && value !== '')
  const path = pathTo(resource, item.id)
  return (
    <Spotlight.Action onClick={() => path && onGo(path)}>
      <div className="found">
        <resource.icon size={18} stroke={1.6} aria-hidden />
        <div>
          <Highlight highlight={typed.split(/\s+/)} size="sm" inherit={false}>
            {labelOf(resource, item)}
          </Highlight>
          {where.length > 0 && (
            <Text size="xs" c="dimmed" truncate>
              {where.join(' · ')}
            </Text>
          )}
        </div>
      </div>
    </Spotlight.Action>
  )
}
