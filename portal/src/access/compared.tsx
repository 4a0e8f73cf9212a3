import { Group, Switch } from '@mantine/core'
import { useMemo } from 'react'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { instantOf } from '../i18n/time-zone.ts'
import { ResourceList } from '../resource/resource-list.tsx'
import { useMoment, useSetQuestion } from './moment-asked.ts'
import { MomentPicker } from './moment-picker.tsx'
import { type Question, questions } from './questions.ts'

/** Who or what came and went between two moments. The earlier one is the first, in whichever order they were chosen. */
export function ComparedMoments({ question, id }: { question: Question; id: string }) {
  const t = useWords()
  const { timeZone, today } = useFormat()
  const at = useMoment()
  const compared = useMoment('with')
  const set = useSetQuestion()
  // A question about now stays about the moment at which it was asked: its answer would else never be twice the same.
  const now = useMemo(() => new Date().toISOString(), [])
  const fixed = useMemo(() => {
    const [from = now, to = now] = [at ?? now, compared ?? now].sort()
    return { from, to }
  }, [at, compared, now])
  const yesterday = () => instantOf(`${today(-1)} 12:00:00`, timeZone)
  return (
    <>
      <Group gap="md" className="no-print">
        <Switch
          label={t.opening.compare}
          checked={compared !== undefined}
          onChange={({ currentTarget }) => set({ with: currentTarget.checked ? yesterday() : undefined, allowed: undefined })}
        />
        {compared !== undefined && <MomentPicker name="with" label={t.opening.comparedWith} />}
      </Group>
      {compared !== undefined && <ResourceList view={questions[question].changes} fixed={fixed} parentId={id} />}
    </>
  )
}
