import './floor-plans.css'
import { Button, Group, SegmentedControl, Skeleton, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconMap, IconPencil, IconPlus, IconTarget, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import type { FloorPlan } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { useWords } from '../../i18n/language.tsx'
import { planWords } from '../../i18n/plan-words.ts'
import { useAbsence } from '../../resource/absence.tsx'
import { defineView } from '../../resource/define-view.ts'
import { ConfirmDialog } from '../../resource/dialog.tsx'
import { EmptyState } from '../../resource/empty-state.tsx'
import { FormDrawer } from '../../resource/forms/form-drawer-lazy.ts'
import { resources } from '../../resource/resources.ts'
import { ErrorNote } from '../../shell/error-note.tsx'
import { floorName } from './floor-name.ts'
import { LivePlan } from './live-plan.tsx'
import { PlanEditor } from './plan-editor.tsx'
import { ImageButton, ImageDrop, ImageFault, usePlanImage } from './plan-image.tsx'
import { plansOptions } from './plan-queries.ts'

const resource = resources['floor-plans']
const view = defineView<FloorPlan>({
  resource,
  columns: ['floor', 'name'],
  form: [{ fields: ['floor', 'name', 'external_id'] }],
})

/** The plans of a building: looked at as they are now, and kept by whoever may. */
export function FloorPlansTab({ buildingId }: { buildingId: string }) {
  const t = useWords()
  const may = useMay()
  const absence = useAbsence()
  const { data, error, refetch } = useQuery(plansOptions({ building_id: `eq.${buildingId}` }))
  const [chosen, setChosen] = useState<string>()
  const [form, setForm] = useState<{ plan?: FloorPlan }>()
  const initial = useMemo(() => ({ building_id: buildingId }), [buildingId])
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={320} />
  const plan =
    data.items.find(({ id }) => id === chosen) ?? data.items.find(({ floor }) => floor === 0) ?? data.items[0]
  const add = may('floor-plans:write') && (
    <Button
      variant={plan ? 'default' : 'filled'}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => setForm({})}
    >
      {planWords(t).add}
    </Button>
  )
  return (
    <Stack gap="md">
      {plan ? (
        <>
          <Group justify="space-between" gap="xs">
            <FloorChoice plans={data.items} chosen={plan.id} onChange={setChosen} />
            {add}
          </Group>
          <OnePlan key={plan.id} plan={plan} onEdit={() => setForm({ plan })} />
        </>
      ) : (
        <EmptyState
          icon={<IconMap size={28} aria-hidden />}
          title={absence(resource, planWords(t).none)}
          text={may('floor-plans:write') ? planWords(t).noneText : planWords(t).noneYetText}
        >
          {add}
        </EmptyState>
      )}
      {form && (
        <Suspense>
          <FormDrawer
            view={view}
            api={resource.api}
            {...(form.plan ? { item: { ...form.plan }, etag: `"${form.plan.version}"` } : { initial })}
            onCreated={({ id }) => setChosen(id)}
            onClose={() => setForm(undefined)}
          />
        </Suspense>
      )}
    </Stack>
  )
}

export function FloorChoice({
  plans,
  chosen,
  onChange,
}: {
  plans: readonly FloorPlan[]
  chosen: string
  onChange(id: string): void
}) {
  const t = useWords()
  return (
    <SegmentedControl
      aria-label={planWords(t).floor}
      className="plan-floors"
      data={plans.map((plan) => ({ value: plan.id, label: floorName(t, plan) }))}
      value={chosen}
      onChange={onChange}
    />
  )
}

function OnePlan({ plan, onEdit }: { plan: FloorPlan; onEdit(): void }) {
  const t = useWords()
  const may = useMay()
  const image = usePlanImage(plan)
  const [isPlacing, setPlacing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const isMine = may('floor-plans:write')
  const hasImage = plan.image_type !== null
  return (
    <Stack gap="sm">
      {isMine && (
        <Group gap="xs" className="no-print">
          {hasImage && may('access-points:read') && (
            <Button
              variant={isPlacing ? 'filled' : 'default'}
              leftSection={<IconTarget size={16} aria-hidden />}
              onClick={() => setPlacing(!isPlacing)}
            >
              {isPlacing ? planWords(t).done : planWords(t).place}
            </Button>
          )}
          {!isPlacing && hasImage && <ImageButton image={image} label={planWords(t).replace} />}
          {!isPlacing && (
            <>
              <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
                {planWords(t).edit}
              </Button>
              <Button
                variant="default"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => setDeleting(true)}
              >
                {planWords(t).remove}
              </Button>
            </>
          )}
        </Group>
      )}
      {hasImage && <ImageFault image={image} />}
      {!hasImage ? (
        isMine ? (
          <ImageDrop image={image} />
        ) : (
          <EmptyState
            icon={<IconMap size={28} aria-hidden />}
            title={planWords(t).noImage}
            text={planWords(t).noImageText}
          />
        )
      ) : isPlacing ? (
        <PlanEditor plan={plan} />
      ) : (
        <LivePlan plan={plan} />
      )}
      {isDeleting && <Deletion plan={plan} onClose={() => setDeleting(false)} />}
    </Stack>
  )
}

function Deletion({ plan, onClose }: { plan: FloorPlan; onClose(): void }) {
  const t = useWords()
  const change = useChange()
  const remove = async () => {
    try {
      await change.mutateAsync({ method: 'DELETE', path: `${resource.api}/${plan.id}`, etag: `"${plan.version}"` })
      notifications.show({ message: planWords(t).removed, color: 'green' })
      onClose()
    } catch {
      // Told in the dialog.
    }
  }
  return (
    <ConfirmDialog
      title={planWords(t).removeTitle(floorName(t, plan))}
      text={planWords(t).removeText}
      confirm={planWords(t).remove}
      isDangerous
      isBusy={change.isPending}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      {change.error && <ErrorNote error={change.error} />}
    </ConfirmDialog>
  )
}
