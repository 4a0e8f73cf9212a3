import { Stack, Text } from '@mantine/core'
import { IconDoorOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { AccessGrant, AccessPoint, Building, Cylinder, Key, Location, LockingPlan, Space } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import type { Item } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import type { Shown } from '../../resource/columns.ts'
import { EmptyState } from '../../resource/empty-state.tsx'
import { Reference } from '../../resource/reference.tsx'
import { labelOf, type Noun, pathTo, resources } from '../../resource/resources.ts'
import { StatusBadge } from '../../resource/status-badge.tsx'
import { DataTable } from '../../resource/table.tsx'
import { Nothing } from '../../resource/value.tsx'
import { ErrorNote } from '../../shell/error-note.tsx'
import { DueDate } from '../due-date.tsx'

const MOST = '100'

interface Way extends Item {
  individual_id: string | null
  access_group_id: string | null
  /** Of a grant: what it was given for. */
  target?: { noun: Noun; id: string }
  grant?: AccessGrant
  key?: Key
}

interface Ways {
  rows: Way[]
  isMore: boolean
}

/** Everybody whom a grant or a key lets through this door, and by what. */
export function WhoGetsThrough({ point }: { point: AccessPoint }) {
  const t = useWords()
  const format = useFormat()
  const may = useMay()
  const seesGrants = may('access-grants:read')
  const seesKeys = may('keys:read') && may('cylinders:read') && may('key-types:read')
  const { data, error, refetch } = useQuery({
    queryKey: ['who-gets-through', point.id, seesGrants, seesKeys],
    queryFn: async (): Promise<Ways> => {
      const [grants, keys] = await Promise.all([seesGrants ? grantsOf(point, may('spaces:read')) : none, seesKeys ? keysOf(point) : none])
      return { rows: [...grants.rows, ...keys.rows], isMore: grants.isMore || keys.isMore }
    },
  })
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (data?.rows.length === 0) {
    return <EmptyState icon={<IconDoorOff size={28} aria-hidden />} title={t.estate.nobodyTitle} text={t.estate.nobodyText} />
  }
  const column = (key: string, title: string, render: (way: Way) => React.ReactNode): Shown => ({
    key,
    title,
    field: undefined,
    render: render as Shown['render'],
    isExtra: false,
    isSortable: false,
    madeOf: [],
    align: undefined,
  })
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t.estate.whoText}
      </Text>
      <DataTable
        caption={t.estate.whoGetsThrough}
        resource={resources['access-grants']}
        columns={[
          column('who', t.estate.who, (way) => <Who way={way} />),
          column('by', t.estate.byWhat, (way) => <ByWhat way={way} point={point} />),
          column('status', t.fields.status, ({ grant, key }) =>
            grant ? (
              <StatusBadge field={grant.effect === 'deny' ? 'effect' : 'status'} value={grant.effect === 'deny' ? 'deny' : grant.status} />
            ) : key ? (
              <StatusBadge field="status" value={key.status} />
            ) : null,
          ),
          column('until', t.estate.until, ({ grant, key }) =>
            key ? <DueDate item={key} /> : grant?.valid_until ? format.moment(grant.valid_until) : <Nothing word={t.estate.noEnd} />,
          ),
        ]}
        items={data?.rows}
        skeletonRows={5}
        order=""
        onOrder={() => undefined}
        isStale={false}
        linkTo={({ individual_id, access_group_id }) =>
          individual_id
            ? pathTo(resources.individuals, String(individual_id))
            : access_group_id
              ? pathTo(resources['access-groups'], String(access_group_id))
              : undefined
        }
      />
      {data?.isMore && (
        <Text size="sm" c="dimmed">
          {t.estate.whoMore(MOST)}
        </Text>
      )}
    </Stack>
  )
}

function Who({ way }: { way: Way }) {
  const t = useWords()
  if (way.individual_id) return <Reference to={resources.individuals} id={way.individual_id} isPlain />
  if (!way.access_group_id) return <Nothing />
  return (
    <>
      {t.estate.groupPrefix} <Reference to={resources['access-groups']} id={way.access_group_id} isPlain />
    </>
  )
}

function ByWhat({ way: { key, target }, point }: { way: Way; point: AccessPoint }) {
  const t = useWords()
  if (key) {
    return (
      <span className="in-text">
        {t.resources.keys.one} <Reference to={resources.keys} id={key.id} fallback={labelOf(resources.keys, key)} />
      </span>
    )
  }
  if (!target) return null
  if (target.id === point.id) return t.estate.grantHere
  return (
    <span className="in-text">
      {t.estate.grantFor(t.resources[target.noun].one)} <Reference to={resources[target.noun]} id={target.id} />
    </span>
  )
}

const none: Ways = { rows: [], isMore: false }

const read = async <T,>(path: string): Promise<T> => (await call<T>(path)).data
const list = <T,>(noun: Noun, query: Record<string, string>): Promise<T[]> =>
  read<T[]>(`${resources[noun].api}?${new URLSearchParams({ ...query, limit: MOST })}`)

/** The item and all above it. */
async function chainOf<T extends { id: string; parent_id: string | null }>(noun: Noun, id: string): Promise<T[]> {
  const chain: T[] = []
  for (let next: string | null = id; next !== null; next = chain.at(-1)?.parent_id ?? null) {
    const [item]: T[] = await list<T>(noun, { id: `eq.${next}` })
    // What is above may be out of reach.
    if (!item) break
    chain.push(item)
  }
  return chain
}

async function grantsOf(point: AccessPoint, seesSpaces: boolean): Promise<Ways> {
  const targets: Array<[string, Noun, string[]]> = [['access_point_id', 'access-points', [point.id]]]
  targets.push(['space_id', 'spaces', [point.space_id]])
  if (seesSpaces) {
    const space = await read<Space & { location_id: string }>(`${resources.spaces.api}/${point.space_id}`)
    const [buildings, locations] = await Promise.all([
      chainOf<Building>('buildings', space.building_id),
      chainOf<Location>('locations', space.location_id),
    ])
    targets.push(['building_id', 'buildings', [space.building_id, ...buildings.map(({ id }) => id)]])
    targets.push(['location_id', 'locations', [space.location_id, ...locations.map(({ id }) => id)]])
  }
  const found = await Promise.all(
    targets.map(async ([field, noun, ids]) => {
      const grants = await list<AccessGrant>('access-grants', {
        [field]: `in.(${[...new Set(ids)].join(',')})`,
        status: 'in.(active,scheduled)',
        order: 'effect.desc,created_at.asc',
      })
      return grants.map(
        (grant): Way => ({
          id: grant.id,
          individual_id: grant.individual_id,
          access_group_id: grant.access_group_id,
          grant,
          target: { noun, id: grant[field as 'space_id'] as string },
        }),
      )
    }),
  )
  return { rows: found.flat(), isMore: found.some((rows) => rows.length === Number(MOST)) }
}

async function keysOf(point: AccessPoint): Promise<Ways> {
  const cylinders = await list<Cylinder>('cylinders', { access_point_id: `eq.${point.id}` })
  const systems = [...new Set(cylinders.map(({ locking_system_id }) => locking_system_id))]
  const plans = await Promise.all(systems.map((id) => read<LockingPlan>(`${resources['locking-system'].api}/${id}/plan`)))
  const here = new Set(cylinders.map(({ id }) => id))
  const types = plans.flatMap(({ cells }) => cells.filter(({ cylinder_id }) => here.has(cylinder_id)).map(({ key_type_id }) => key_type_id))
  if (types.length === 0) return none
  const keys = await list<Key>('keys', {
    key_type_id: `in.(${[...new Set(types)].slice(0, Number(MOST)).join(',')})`,
    status: 'eq.issued',
    order: 'key_type_code.asc',
  })
  return {
    rows: keys.map((key): Way => ({ id: key.id, individual_id: key.individual_id, access_group_id: null, key })),
    isMore: keys.length === Number(MOST),
  }
}
