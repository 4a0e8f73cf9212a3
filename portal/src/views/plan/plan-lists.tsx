import { Text } from '@mantine/core'
import { IconGridDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Cylinder, KeyType, LockingPlan } from '../../api/generated/types.ts'
import { readOptions } from '../../api/queries.ts'
import { useWords } from '../../i18n/language.tsx'
import { useAbsence } from '../../resource/absence.tsx'
import { EmptyState } from '../../resource/empty-state.tsx'
import { useView } from '../../resource/known-views.ts'
import { ResourceList } from '../../resource/resource-list.tsx'
import { resources } from '../../resource/resources.ts'
import { ErrorNote } from '../../shell/error-note.tsx'

const MOST = 100

/** Of the plan of the locking system: what stands in the same cells. */
function InPlan({
  noun,
  systemId,
  idsIn,
}: {
  noun: 'cylinders' | 'key-types'
  systemId: string
  idsIn: (plan: LockingPlan) => string[]
}) {
  const view = useView(noun)
  const { data, error } = useQuery(readOptions<LockingPlan>(`${resources['locking-system'].api}/${systemId}/plan`))
  const t = useWords()
  const absence = useAbsence()
  const found = data && idsIn(data)
  const ids = found?.slice(0, MOST).join(',')
  const fixed = useMemo(() => ({ id: `in.(${ids})` }), [ids])
  if (error) return <ErrorNote error={error} />
  if (!found) return null
  if (found.length === 0) {
    return (
      <EmptyState
        icon={<IconGridDots size={28} aria-hidden />}
        title={absence(view.resource, t.locking.notInPlan)}
        text={t.locking.notInPlanText}
      />
    )
  }
  return (
    <>
      <ResourceList view={view} fixed={fixed} />
      {found.length > MOST && (
        <Text size="sm" c="dimmed">
          {t.locking.planHasAll(String(found.length))}
        </Text>
      )}
    </>
  )
}

/** The cylinders that a key of this type opens. */
export function OpenedCylinders({ type }: { type: KeyType }) {
  const idsIn = ({ cells }: LockingPlan) =>
    cells.filter(({ key_type_id }) => key_type_id === type.id).map(({ cylinder_id }) => cylinder_id)
  return <InPlan noun="cylinders" systemId={type.locking_system_id} idsIn={idsIn} />
}

/** The types of keys that open this cylinder. */
export function OpeningKeyTypes({ cylinder }: { cylinder: Cylinder }) {
  const idsIn = ({ cells }: LockingPlan) =>
    cells.filter(({ cylinder_id }) => cylinder_id === cylinder.id).map(({ key_type_id }) => key_type_id)
  return <InPlan noun="key-types" systemId={cylinder.locking_system_id} idsIn={idsIn} />
}
