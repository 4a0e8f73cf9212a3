import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconGridDots, IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { LockingPlan, LockingPlanChanged } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { readOptions, useChange } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { LimitNote, useAbsence } from '../../resource/absence.tsx'
import { DiscardDialog } from '../../resource/dialog.tsx'
import { EmptyState } from '../../resource/empty-state.tsx'
import { FormDrawer } from '../../resource/forms/form-drawer-lazy.ts'
import { SearchInput } from '../../resource/inputs/search-input.tsx'
import { useView } from '../../resource/known-views.ts'
import { CreateButton } from '../../resource/resource-list.tsx'
import { apiOf, resources } from '../../resource/resources.ts'
import { ErrorNote } from '../../shell/error-note.tsx'
import { cellName, inOrder, type Plan } from './plan.ts'
import { PlanMatrix } from './plan-matrix.tsx'

/** Which key opens which cylinder: rows are cylinders, columns are types of keys, as on paper. */
export function PlanTab({ systemId }: { systemId: string }) {
  const t = useWords()
  const absence = useAbsence()
  const path = `${resources['locking-system'].api}/${systemId}/plan`
  const { data, error, refetch } = useQuery(readOptions<LockingPlan>(path))
  const plan = useMemo(() => data && inOrder(data), [data])
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (!plan) return null
  if (plan.cylinders.length === 0 || plan.keyTypes.length === 0) {
    return (
      <EmptyState
        icon={<IconGridDots size={28} aria-hidden />}
        title={absence(resources['key-types'], t.locking.planEmpty)}
        text={t.locking.planEmptyText}
      >
        <FirstStep plan={plan} systemId={systemId} />
      </EmptyState>
    )
  }
  return (
    <Stack gap="xs">
      <PlanEditor plan={plan} path={path} isCut={data?.limited_to !== undefined} />
      {data?.limited_to && (
        <LimitNote resource={resources['key-types']} places={data.limited_to.map(({ name }) => name)} />
      )}
    </Stack>
  )
}

/** What the plan lacks first: something to open, then something to open it with. */
function FirstStep({ plan, systemId }: { plan: Plan; systemId: string }) {
  const may = useMay()
  const [isCreating, setCreating] = useState(false)
  const noun = plan.cylinders.length === 0 ? 'cylinders' : 'key-types'
  const view = useView(noun)
  const initial = useMemo(() => ({ locking_system_id: systemId }), [systemId])
  if (!may(resources[noun].write)) return null
  return (
    <>
      <CreateButton view={view} onCreate={() => setCreating(true)} />
      {isCreating && (
        <FormDrawer
          view={view}
          api={apiOf(view.resource)}
          initial={initial}
          onCreated={() => undefined}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  )
}

const has = (text: string, ...values: Array<string | null>): boolean =>
  values.some((value) => value?.toLowerCase().includes(text.trim().toLowerCase()))

function PlanEditor({ plan, path, isCut }: { plan: Plan; path: string; isCut: boolean }) {
  const t = useWords()
  const format = useFormat()
  const may = useMay()
  const change = useChange<LockingPlanChanged>()
  const [isEditing, setEditing] = useState(false)
  const [pending, setPending] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [cylinderText, setCylinderText] = useState('')
  const [keyText, setKeyText] = useState('')
  const cylinders = useMemo(
    () => plan.cylinders.filter(({ number, label }) => has(cylinderText, number, label)),
    [plan, cylinderText],
  )
  const keyTypes = useMemo(() => plan.keyTypes.filter(({ code, name }) => has(keyText, code, name)), [plan, keyText])
  const blocker = useBlocker({
    shouldBlockFn: () => pending.size > 0,
    enableBeforeUnload: () => pending.size > 0,
    withResolver: true,
  })

  const toggle = (keyTypeId: string, cylinderId: string) => {
    const name = cellName(keyTypeId, cylinderId)
    setPending((now) => {
      const next = new Map(now)
      if (!next.delete(name)) next.set(name, !plan.cells.has(name))
      return next
    })
  }
  const stop = () => {
    setPending(new Map())
    setEditing(false)
    change.reset()
  }
  const save = async () => {
    const cells = (isSet: boolean) =>
      [...pending]
        .filter(([, value]) => value === isSet)
        .map(([name]) => {
          const [key_type_id = '', cylinder_id = ''] = name.split(' ')
          return { key_type_id, cylinder_id }
        })
    try {
      const { data } = await change.mutateAsync({
        method: 'POST',
        path: `${path}/cells`,
        body: { set: cells(true), clear: cells(false) },
      })
      notifications.show({
        message: t.locking.planSaved(format.number(data.set), format.number(data.cleared)),
        color: 'green',
      })
      stop()
    } catch {
      // Told below; nothing typed is lost.
    }
  }
  const added = [...pending.values()].filter(Boolean).length
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <SearchInput
          className="plan-search"
          label={t.locking.findCylinder}
          value={cylinderText}
          onChange={setCylinderText}
        />
        <SearchInput className="plan-search" label={t.locking.findKeyType} value={keyText} onChange={setKeyText} />
        <Group gap="xs" ml="auto">
          {isEditing ? (
            <>
              <Button variant="default" onClick={stop}>
                {pending.size > 0 ? t.form.discard : t.words.cancel}
              </Button>
              <Button disabled={pending.size === 0} loading={change.isPending} onClick={() => void save()}>
                {t.form.saveButton}
              </Button>
            </>
          ) : (
            may('key-types:write') &&
            !isCut && (
              <Button
                variant="default"
                leftSection={<IconPencil size={16} aria-hidden />}
                onClick={() => setEditing(true)}
              >
                {t.locking.editPlan}
              </Button>
            )
          )}
        </Group>
      </Group>
      {isEditing && (
        <Paper className="plan-note" p="xs" role="status">
          <Text size="sm">
            {pending.size === 0
              ? t.locking.editPlanHint
              : t.locking.planPending(format.number(added), format.number(pending.size - added))}
          </Text>
        </Paper>
      )}
      {change.error && <ErrorNote error={change.error} title={t.form.unplaced} />}
      {cylinders.length === 0 || keyTypes.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t.form.nothingFound}
        </Text>
      ) : (
        <PlanMatrix
          cylinders={cylinders}
          keyTypes={keyTypes}
          cells={plan.cells}
          pending={pending}
          onToggle={isEditing ? toggle : undefined}
        />
      )}
      {blocker.status === 'blocked' && <DiscardDialog onDiscard={blocker.proceed} onClose={blocker.reset} />}
    </Stack>
  )
}
