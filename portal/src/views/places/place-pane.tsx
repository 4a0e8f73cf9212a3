import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconArrowUpRight, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/me.ts'
import { type Item, itemOptions, type ListQuery, listOptions } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { HeaderActions } from '../../resource/actions.tsx'
import { Facts } from '../../resource/detail-page.tsx'
import { useHasView, useView } from '../../resource/known-views.ts'
import { useMayCreate } from '../../resource/own-places.ts'
import { apiOf, type Noun, pathTo, resources } from '../../resource/resources.ts'
import { countBelow, type Place, type PlaceNoun, type PlaceTree, pathOf } from './tree.ts'

/** What is about to be made, and what it has from where it is made. */
export interface NewBelow {
  noun: Extract<Noun, 'locations' | 'buildings' | 'spaces' | 'access-points'>
  initial: Record<string, unknown>
}

interface PlacePaneProps {
  tree: PlaceTree
  place: Place
  onCreate(what: NewBelow): void
}

/** The chosen place: what it is, what is in it, and what can be added below it. */
export function PlacePane({ tree, place, onCreate }: PlacePaneProps) {
  const t = useWords()
  const view = useView(place.noun)
  const api = apiOf(view.resource)
  const { data } = useQuery(itemOptions<Item>(api, place.id))
  const path = pathOf(tree, place)
  return (
    <Stack gap="md">
      <div className="page-header">
        <div>
          <Text size="sm" c="dimmed">
            {[t.resources[place.noun].one, ...path.slice(0, -1).map(({ name }) => name)].join(' · ')}
          </Text>
          <Title order={2} size="h2">
            {place.name}
          </Title>
        </div>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconArrowUpRight size={16} aria-hidden />}
            renderRoot={(props) => <Link to={pathTo(view.resource, place.id) ?? '/'} {...props} />}
          >
            {t.estate.openPage}
          </Button>
          {data && <HeaderActions view={view} item={data.item} api={api} etag={data.etag} />}
        </Group>
      </div>
      {place.noun !== 'spaces' && <Counts place={place} />}
      <AddBelow tree={tree} place={place} onCreate={onCreate} />
      {data && <Facts view={view} item={data.item} />}
    </Stack>
  )
}

function AddBelow({ tree, place, onCreate }: PlacePaneProps) {
  const t = useWords()
  const mayCreate = useMayCreate()
  const location = pathOf(tree, place).findLast(({ noun }) => noun === 'locations')
  const offers: Record<PlaceNoun, Array<NewBelow & { label: string }>> = {
    locations: [
      { noun: 'buildings', label: t.form.create(t.resources.buildings.one), initial: { location_id: place.id } },
      { noun: 'locations', label: t.estate.createBelow, initial: { parent_id: place.id } },
    ],
    buildings: [
      { noun: 'spaces', label: t.form.create(t.resources.spaces.one), initial: { building_id: place.id } },
      {
        noun: 'buildings',
        label: t.estate.createWing,
        initial: { parent_id: place.id, ...(location ? { location_id: location.id } : {}) },
      },
    ],
    spaces: [
      {
        noun: 'access-points',
        label: t.form.create(t.resources['access-points'].one),
        initial: { space_id: place.id },
      },
    ],
  }
  const possible = offers[place.noun].filter(({ noun }) => mayCreate(resources[noun]))
  if (possible.length === 0) return null
  return (
    <Group gap="xs">
      {possible.map(({ label, ...what }) => (
        <Button
          key={label}
          variant="light"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => onCreate(what)}
        >
          {label}
        </Button>
      ))}
    </Group>
  )
}

/** Itself and its wings: spaces are counted so, too. */
const idsFrom = (place: Place): string[] => [place.id, ...place.below.flatMap(idsFrom)]

function Counts({ place }: { place: Place }) {
  const t = useWords()
  const isLocation = place.noun === 'locations'
  const page = pathTo(resources[place.noun], place.id) ?? '/'
  return (
    <Paper withBorder className="counts">
      {isLocation && (
        <Counted noun="buildings" path={page} search={{ tab: 'buildings' }} count={countBelow(place, 'buildings')} />
      )}
      <Listed
        noun="spaces"
        query={isLocation ? { location_id: place.id } : { building_id: place.id }}
        path={page}
        search={{ tab: 'spaces' }}
      />
      {!isLocation && (
        <Listed
          noun="access-points"
          query={{ within_building: place.id }}
          path={resources['access-points'].path ?? '/'}
          search={{ building_id: place.below.length > 0 ? `in.(${idsFrom(place).join(',')})` : `eq.${place.id}` }}
        />
      )}
      {!isLocation && place.below.length > 0 && (
        <Counted
          noun="buildings"
          path={page}
          search={{ tab: 'wings' }}
          count={place.below.length}
          label={place.below.length === 1 ? t.estate.wing : t.estate.wings}
        />
      )}
    </Paper>
  )
}

function Listed({ noun, query, path, search }: Omit<CountedProps, 'count' | 'label'> & { query: ListQuery }) {
  const may = useMay()
  const hasView = useHasView()
  const isSeen = may(resources[noun].read) && hasView(noun)
  const { data } = useQuery({ ...listOptions(resources[noun].api, { ...query, limit: '1' }), enabled: isSeen })
  return isSeen ? <Counted noun={noun} path={path} search={search} count={data?.total} /> : null
}

interface CountedProps {
  noun: Noun
  path: string
  search: Record<string, string>
  count: number | undefined
  label?: string
}

function Counted({ noun, path, search, count, label }: CountedProps) {
  const t = useWords()
  const format = useFormat()
  return (
    <Link to={path} search={search} className="count">
      <b>{count === undefined ? '…' : format.number(count)}</b>
      <span>{label ?? (count === 1 ? t.resources[noun].one : t.resources[noun].many)}</span>
    </Link>
  )
}
