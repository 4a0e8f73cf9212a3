import { Alert, Group, Stack } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { Individual } from '../api/generated/types.ts'
import { useWords } from '../i18n/language.tsx'
import { ResourceList } from '../resource/resource-list.tsx'
import { ComparedMoments, CompareSwitch } from './compared.tsx'
import { AskedContext, useMoment, useMomentQuery } from './moment-asked.ts'
import { AllowedOnly, MomentPicker } from './moment-picker.tsx'
import { OpeningSummary } from './opening-summary.tsx'
import { type Question, questions } from './questions.ts'

/**
 * One question at a moment of one's choice, answered by the service row by row; or what is different at another moment.
 */
export function Openings({ question, id }: { question: Question; id: string }) {
  const { about, view } = questions[question]
  const at = useMoment()
  const compared = useMoment('with')
  const fixed = useMomentQuery(at)
  const asked = useMemo(() => ({ at, ...(about ? { [about]: id } : {}) }), [at, about, id])
  return (
    <AskedContext value={asked}>
      <Stack gap="sm">
        <Group gap="md" className="no-print">
          <MomentPicker />
          {compared === undefined && <AllowedOnly />}
          <CompareSwitch />
        </Group>
        {compared !== undefined ? (
          <ComparedMoments question={question} id={id} compared={compared} />
        ) : (
          <>
            <OpeningSummary question={question} id={id} />
            <ResourceList view={view} fixed={fixed} parentId={id} />
          </>
        )}
      </Stack>
    </AskedContext>
  )
}

/** Who can open a door, and why or why not. */
export const WhoCanOpen = ({ id }: { id: string }) => <Openings question="door" id={id} />

/** Who can enter a space, by any of its doors. */
export const WhoCanEnter = ({ id }: { id: string }) => <Openings question="space" id={id} />

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
      <Openings question="person" id={id} />
    </Stack>
  )
}
