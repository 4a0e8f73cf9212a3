import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import type { AccessGrant, AccessPoint, Building, Location, Space } from '../api/generated/types.ts'
import { useMay } from '../api/me.ts'
import { listOptions } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import type { ColumnDef } from '../resource/define-view.ts'
import { type Resource, resources } from '../resource/resources.ts'
import { ErrorNote } from '../shell/error-note.tsx'
import { GrantEnd, grantColumns, targetOfGrant } from './grant.tsx'
import { GrantSection } from './grant-table.tsx'
import { KeyHolders } from './key-holders.tsx'
import { type GrantQuestion, inList, useGrants } from './use-grants.ts'

const columns: ReadonlyArray<ColumnDef<AccessGrant>> = [
  { ...grantColumns.who, key: 'who' },
  { key: 'through', title: (t) => t.people.givenOn, render: (grant) => <GrantEnd end={targetOfGrant(grant)} /> },
  grantColumns.effect,
  grantColumns.status,
  'reason',
]

/** Who gets into a space and why: grants on its doors, on it, on its building and on all locations above; and keys. */
export function WhoGetsIntoSpace({ space }: { space: Pick<Space, 'id' | 'building_id'> }) {
  const doors = useQuery(listOptions<AccessPoint>(resources['access-points'].api, { space_id: `eq.${space.id}`, limit: '100' }))
  if (doors.error) return <ErrorNote error={doors.error} />
  return <WhoGetsIn space={space} doors={doors.data?.items.map(({ id }) => id)} />
}

/** The same of one door. */
export function WhoOpensDoor({ door }: { door: Pick<AccessPoint, 'id' | 'space_id'> }) {
  const space = useQuery(listOptions<Space>(resources.spaces.api, { space_ids: door.space_id, limit: '1' }))
  if (space.error) return <ErrorNote error={space.error} />
  return <WhoGetsIn space={space.data?.items[0]} doors={[door.id]} />
}

function WhoGetsIn({ space, doors }: { space: Pick<Space, 'id' | 'building_id'> | undefined; doors: readonly string[] | undefined }) {
  const t = useWords()
  const may = useMay()
  const above = useQuery({
    queryKey: ['list', 'above', space?.building_id],
    queryFn: () => placesAbove(space?.building_id ?? ''),
    enabled: space !== undefined,
  })
  const seesKeys = may('keys:read') && may('key-types:read') && may('cylinders:read')
  const isKnown = space !== undefined && doors !== undefined && above.data !== undefined
  const { grants, isCut, error } = useGrants(isKnown ? questionsFor(space.id, doors, above.data) : undefined)
  const failure = above.error ?? error
  if (failure) return <ErrorNote error={failure} />
  return (
    <Stack gap="md">
      <GrantSection grants={grants} isCut={isCut} columns={columns} empty={t.people.nobodyGetsIn} />
      {doors && (seesKeys ? <KeyHolders doors={doors} /> : <KeysNotSeen />)}
    </Stack>
  )
}

/** Keys open doors whether one may see them or not. */
function KeysNotSeen() {
  const t = useWords()
  return (
    <Text size="sm" c="dimmed">
      {t.people.keysNotSeen}
    </Text>
  )
}

interface Above {
  buildings: string[]
  locations: string[]
}

const questionsFor = (spaceId: string, doors: readonly string[], { buildings, locations }: Above): GrantQuestion[] => [
  { space_id: `eq.${spaceId}` },
  ...(doors.length > 0 ? [{ access_point_id: inList(doors) }] : []),
  ...(buildings.length > 0 ? [{ building_id: inList(buildings) }] : []),
  ...(locations.length > 0 ? [{ location_id: inList(locations) }] : []),
]

/** The building with those it is a wing of, and all locations around it; as far as they may be seen. */
async function placesAbove(buildingId: string): Promise<Above> {
  const buildings = await chain<Building>(resources.buildings, buildingId)
  const locations = await chain<Location>(resources.locations, buildings[0]?.location_id ?? null)
  return { buildings: buildings.map(({ id }) => id), locations: locations.map(({ id }) => id) }
}

async function chain<T extends { id: string; parent_id: string | null }>({ api }: Resource, start: string | null): Promise<T[]> {
  const found: T[] = []
  for (let id = start; id !== null; ) {
    const item = await call<T>(`${api}/${id}`).then(
      ({ data }) => data,
      () => undefined,
    )
    if (!item) break
    found.push(item)
    id = item.parent_id
  }
  return found
}
