import { Alert, Stack } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { Individual } from '../api/generated/types.ts'
import { useWords } from '../i18n/language.tsx'
import type { AnyView } from '../resource/define-view.ts'
import { ResourceList } from '../resource/resource-list.tsx'
import { AskedContext, useMoment, useMomentQuery } from './moment-asked.ts'
import { MomentPicker } from './moment-picker.tsx'
import { canOpen, whoCanEnter, whoCanOpen } from './opening-views.tsx'

/** One question at a moment of one's choice, answered by the service row by row. */
function Openings({ view, parentId, about }: { view: AnyView; parentId: string; about: 'individualId' | 'accessPointId' | undefined }) {
  const at = useMoment()
  const fixed = useMomentQuery(at)
  const asked = useMemo(() => ({ at, ...(about ? { [about]: parentId } : {}) }), [at, about, parentId])
  return (
    <AskedContext value={asked}>
      <Stack gap="sm">
        <MomentPicker />
        <ResourceList view={view} fixed={fixed} parentId={parentId} />
      </Stack>
    </AskedContext>
  )
}

/** Who can open a door, and why or why not. */
export const WhoCanOpen = ({ id }: { id: string }) => <Openings view={whoCanOpen} parentId={id} about="accessPointId" />

/** Who can enter a space, by any of its doors. */
export const WhoCanEnter = ({ id }: { id: string }) => <Openings view={whoCanEnter} parentId={id} about={undefined} />

/** What somebody can open. */
export function CanOpen({ individual: { id, status } }: { individual: Individual }) {
  const t = useWords()
  return (
    <Stack gap="md">
      {status !== 'active' && (
        <Alert color="yellow" icon={<IconInfoCircle size={18} aria-hidden />}>
          {t.people.notActive}
        </Alert>
      )}
      <Openings view={canOpen} parentId={id} about="individualId" />
    </Stack>
  )
}
