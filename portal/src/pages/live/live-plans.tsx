import { Anchor, Group, Select, Skeleton, Stack } from '@mantine/core'
import { IconMap } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { FloorPlan } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { useWords } from '../../i18n/language.tsx'
import { planWords } from '../../i18n/plan-words.ts'
import { useAbsence } from '../../resource/absence.tsx'
import { EmptyState } from '../../resource/empty-state.tsx'
import { useReferencedAll } from '../../resource/reference.tsx'
import { labelOf, pathTo, resources } from '../../resource/resources.ts'
import { ErrorNote } from '../../shell/error-note.tsx'
import { Page } from '../../shell/page.tsx'
import { textIn } from '../../typed.ts'
import { FloorChoice } from '../../views/floor-plans/floor-plans-tab.tsx'
import { LivePlan } from '../../views/floor-plans/live-plan.tsx'
import { plansOptions } from '../../views/floor-plans/plan-queries.ts'

/** The doors where they are, of one floor after the other. */
export function LivePlansPage() {
  const t = useWords()
  const may = useMay()
  const absence = useAbsence()
  const crumbs = may('access-events:read') || may('alarms:read') ? [{ title: t.nav.live, to: '/live' }] : []
  const { data, error, refetch } = useQuery({
    ...plansOptions({ image_type: 'not.is.null' }),
    enabled: may('floor-plans:read'),
  })
  return (
    <Page title={planWords(t).liveTitle} subtitle={planWords(t).liveText} crumbs={crumbs}>
      {error ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : !may('floor-plans:read') ? (
        <EmptyState icon={<IconMap size={28} aria-hidden />} title={planWords(t).noneUnseen} />
      ) : !data ? (
        <Skeleton height={320} />
      ) : data.items.length === 0 ? (
        <EmptyState
          icon={<IconMap size={28} aria-hidden />}
          title={absence(resources['floor-plans'], planWords(t).none)}
          text={planWords(t).noneYetText}
        />
      ) : (
        <Plans plans={data.items} />
      )}
    </Page>
  )
}

function Plans({ plans }: { plans: readonly FloorPlan[] }) {
  const t = useWords()
  const may = useMay()
  const navigate = useNavigate()
  const { plan: asked } = useSearch({ strict: false })
  const plan = plans.find(({ id }) => id === asked) ?? plans.find(({ floor }) => floor === 0) ?? plans[0]
  const buildingIds = [...new Set(plans.map(({ building_id: id }) => id))]
  const buildings = useReferencedAll(resources.buildings, buildingIds)
  if (!plan) return null
  const show = (id: string | undefined) =>
    void navigate({ to: '.', search: { plan: id }, replace: true, resetScroll: false })
  const floors = plans.filter(({ building_id: id }) => id === plan.building_id)
  const names = buildings.map((building) => building && labelOf(resources.buildings, building))
  // Two of one name are told apart by where they stand. One that is not seen has its place in the row, and no name.
  const nameOf = (id: string, index: number) => {
    const name = names[index]
    if (!name)
      return may(resources.buildings.read) && buildings[index] === undefined
        ? '…'
        : `${t.resources.buildings.one} ${index + 1}`
    const isShared = names.filter((other) => other === name).length > 1
    return isShared
      ? [name, textIn(buildings[index], 'address') || textIn(buildings[index], 'slug') || id.slice(0, 8)].join(' · ')
      : name
  }
  return (
    <Stack gap="md">
      <Group gap="sm" align="end">
        <Select
          label={planWords(t).building}
          data={buildingIds.map((id, index) => ({ value: id, label: nameOf(id, index) }))}
          value={plan.building_id}
          allowDeselect={false}
          w={360}
          maw="100%"
          onChange={(id) => show(plans.find(({ building_id: of }) => of === id)?.id)}
        />
        <FloorChoice plans={floors} chosen={plan.id} onChange={show} />
        <Anchor
          size="sm"
          mb={8}
          renderRoot={(props) => <Link to={pathTo(resources.buildings, plan.building_id) ?? '/'} {...props} />}
        >
          {planWords(t).toBuilding}
        </Anchor>
      </Group>
      <LivePlan key={plan.id} plan={plan} />
    </Stack>
  )
}
