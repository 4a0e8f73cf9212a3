import { Group, Switch, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { instantOf } from '../i18n/time-zone.ts'
import { ResourceList } from '../resource/resource-list.tsx'
import { useMoment, useSetQuestion } from './moment-asked.ts'
import { MomentPicker } from './moment-picker.tsx'
import { type Question, questions } from './questions.ts'

/** Off, the question is about one moment. */
export function CompareSwitch() {
  const t = useWords()
  const { timeZone, today } = useFormat()
  const isCompared = useMoment('with') !== undefined
  const set = useSetQuestion()
  const yesterday = () => instantOf(`${today(-1)} 12:00:00`, timeZone)
  return (
    <Switch
      label={t.opening.compare}
      checked={isCompared}
      onChange={({ currentTarget }) =>
        set({ with: currentTarget.checked ? yesterday() : undefined, allowed: undefined })
      }
    />
  )
}

/** Who or what came and went between two moments. The earlier one is the first, in whichever order they were chosen. */
export function ComparedMoments({ question, id, compared }: { question: Question; id: string; compared: string }) {
  const t = useWords()
  const at = useMoment()
  // A question about now stays about the moment at which it was asked: its answer would else never be twice the same.
  const now = useMemo(() => new Date().toISOString(), [])
  const fixed = useMemo(() => {
    const [from = now, to = now] = [at ?? now, compared].sort()
    return { from, to }
  }, [at, compared, now])
  return (
    <>
      <Group gap="sm" className="no-print">
        <Text size="sm">{t.opening.comparedWith}</Text>
        <MomentPicker name="with" label={t.opening.comparedWith} />
      </Group>
      <ResourceList view={questions[question].changes} fixed={fixed} parentId={id} />
    </>
  )
}
