import type { Address } from '../../typed.ts'
import '../estate.css'
import { Alert, Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconBuilding, IconMap2, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { useMay } from '../../api/me.ts'
import type { Item } from '../../api/queries.ts'
import { useWords } from '../../i18n/language.tsx'
import { useAbsence } from '../../resource/absence.tsx'
import { EmptyState } from '../../resource/empty-state.tsx'
import { FormDrawer } from '../../resource/forms/form-drawer-lazy.ts'
import { SearchInput } from '../../resource/inputs/search-input.tsx'
import { useView } from '../../resource/known-views.ts'
import { useMayCreate } from '../../resource/own-places.ts'
import { useReferenced } from '../../resource/reference.tsx'
import { apiOf, pathTo, resources } from '../../resource/resources.ts'
import { ErrorNote } from '../../shell/error-note.tsx'
import { Page } from '../../shell/page.tsx'
import { type NewBelow, PlacePane } from './place-pane.tsx'
import { PlaceTreeView } from './place-tree-view.tsx'
import { asPlace, useSpacesIn } from './spaces-in.ts'
import { type Place, type PlaceTree, pathOf, treeOptions, visibleIn } from './tree.ts'

/** What is open stays open while the tab lives, also after a look at another page. */
let opened: ReadonlySet<string> | undefined
const SMALL = 12
/** As in styles.css: below it there is no room for a tree and a pane. */
const NARROW = '(max-width: 61.99em)'

/** Of a small estate all but the spaces of plain buildings is seen, of a large one the first two levels. */
function openAtFirst(tree: PlaceTree): ReadonlySet<string> {
  const places = tree.byId.size <= SMALL ? [...tree.byId.values()] : tree.roots
  return new Set(places.filter(({ below }) => below.length > 0).map(({ id }) => id))
}

/** Locations, their buildings and wings and the spaces in them as one tree; beside it what is chosen. */
export function PlacesPage() {
  const t = useWords()
  const may = useMay()
  const mayCreate = useMayCreate()
  const absence = useAbsence()
  const navigate = useNavigate()
  const isNarrow = useMediaQuery(NARROW) ?? false
  const { selected, new: isNew } = useSearch({ strict: false })
  const { data: tree, error, refetch } = useQuery(treeOptions(may('locations:read'), may('buildings:read')))
  const [open, setOpen] = useState<ReadonlySet<string> | undefined>(opened)
  const [text, setText] = useState('')
  const [creating, setCreating] = useState<NewBelow>()
  const chosen = useReferenced(
    resources.spaces,
    tree && selected !== undefined && !tree.byId.has(selected) ? selected : undefined,
  ).data
  const space = useMemo(() => (chosen ? asPlace(chosen) : undefined), [chosen])
  const place = selected === undefined ? (isNarrow ? undefined : tree?.roots[0]) : (tree?.byId.get(selected) ?? space)
  const isOpen = open ?? (tree ? openAtFirst(tree) : new Set<string>())
  const remember = (next: ReadonlySet<string>) => {
    opened = next
    setOpen(next)
  }
  const search = (more: Record<string, string | undefined>, replace = true) =>
    void navigate({ to: '.', search: (now: Address) => ({ ...now, ...more }), replace, resetScroll: false })

  // A shared link leads to a place that may be folded away.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each choice
  useEffect(() => {
    if (!tree || !place) return
    const above = pathOf(tree, place).slice(0, -1)
    if (above.some(({ id }) => !isOpen.has(id))) remember(new Set([...isOpen, ...above.map(({ id }) => id)]))
  }, [tree, place])

  const choose = (one: Place) => {
    if (isNarrow) void navigate({ to: pathTo(resources[one.noun], one.id) ?? '/' })
    else search({ selected: one.id })
  }
  const { spaces, isSearching } = useSpacesIn(tree, isOpen, text)
  const rows = useMemo(() => (tree ? visibleIn(tree, isOpen, text, spaces) : []), [tree, isOpen, text, spaces])
  const current: NewBelow | undefined =
    isNew === undefined || !mayCreate(resources.locations) ? creating : { noun: 'locations', initial: {} }
  const close = () => {
    setCreating(undefined)
    if (isNew !== undefined) search({ new: undefined })
  }
  const isEmpty = tree !== undefined && tree.byId.size === 0
  const createLocation = mayCreate(resources.locations) && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => setCreating({ noun: 'locations', initial: {} })}
    >
      {t.form.create(t.resources.locations.one)}
    </Button>
  )
  return (
    <Page
      title={t.estate.places}
      actions={
        !isEmpty && (
          <>
            {/* Elsewhere it stands with the place that is chosen. */}
            {isNarrow && mayCreate(resources.buildings) && (
              <Button
                variant="default"
                leftSection={<IconBuilding size={16} aria-hidden />}
                onClick={() => setCreating({ noun: 'buildings', initial: {} })}
              >
                {t.form.create(t.resources.buildings.one)}
              </Button>
            )}
            {createLocation}
          </>
        )
      }
    >
      {error ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : isEmpty ? (
        <EmptyState
          icon={<IconMap2 size={28} aria-hidden />}
          title={absence(resources.locations, t.list.nothingYet(t.resources.locations.many))}
          text={t.resources.locations.empty}
        >
          {createLocation}
        </EmptyState>
      ) : (
        <div className="places">
          <Paper withBorder className="places-tree">
            <SearchInput label={t.estate.findPlace} value={text} onChange={setText} m="xs" />
            {tree ? (
              <PlaceTreeView
                rows={rows}
                selected={place?.id}
                onChoose={choose}
                onToggle={(one, isToOpen) => {
                  const next = new Set(isOpen)
                  if (isToOpen) next.add(one.id)
                  else next.delete(one.id)
                  remember(next)
                }}
              />
            ) : (
              <TreeSkeleton />
            )}
            {tree && rows.length === 0 && !isSearching && (
              <Text size="sm" c="dimmed" p="sm">
                {t.form.nothingFound}
              </Text>
            )}
            {tree && !tree.isWhole && (
              <Alert color="yellow" m="xs" p="xs">
                {t.estate.treeNotWhole}
              </Alert>
            )}
          </Paper>
          {!isNarrow && (
            <div>
              {tree && place ? (
                <PlacePane key={place.id} tree={tree} place={place} onCreate={setCreating} />
              ) : (
                <EmptyState icon={<IconMap2 size={28} aria-hidden />} text={t.estate.choosePlace} />
              )}
            </div>
          )}
        </div>
      )}
      {current && (
        <Suspense>
          <NewPlace
            what={current}
            onClose={close}
            onCreated={(item) => {
              const above = Object.values(current.initial).filter((value) => typeof value === 'string')
              remember(new Set([...isOpen, ...above]))
              // Whoever makes a space or a door makes the next one in the same place.
              if (current.noun === 'spaces' || current.noun === 'access-points') return
              if (!isNarrow) search({ selected: item.id, new: undefined })
            }}
          />
        </Suspense>
      )}
    </Page>
  )
}

function NewPlace({ what, onClose, onCreated }: { what: NewBelow; onClose(): void; onCreated(item: Item): void }) {
  const view = useView(what.noun)
  return (
    <FormDrawer view={view} api={apiOf(view.resource)} initial={what.initial} onCreated={onCreated} onClose={onClose} />
  )
}

function TreeSkeleton() {
  return (
    <Stack gap={10} p="sm" aria-hidden>
      {[0, 1, 2, 3, 2, 3, 3, 1].map((level, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all alike
        <Group key={index} pl={level * 18}>
          <Skeleton height={14} width={160 - level * 12} />
        </Group>
      ))}
    </Stack>
  )
}
