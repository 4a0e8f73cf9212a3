import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listOptions } from '../api/queries.ts'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { apiOf } from '../resource/resources.ts'
import { useAsked, useMomentQuery } from './moment-asked.ts'
import { type Question, questions } from './questions.ts'

/** The answer in a sentence: of how many with a right the door opens for how many. */
export function OpeningSummary({ question, id }: { question: Question; id: string }) {
  const t = useWords()
  const format = useFormat()
  const { at } = useAsked()
  const moment = useMomentQuery(at)
  const api = apiOf(questions[question].view.resource, id)
  const all = useQuery(listOptions(api, { ...moment, limit: '1' })).data
  const open = useQuery(listOptions(api, { ...moment, allowed: 'is.true', limit: '1' })).data
  if (!all || !open || all.total === 0) return null
  const when = at === undefined ? t.opening.now : format.moment(at)
  const words = question === 'person' ? t.opening.doorsOpen : t.opening.peopleGetIn
  return (
    <Text size="sm" role="status">
      <b>{when}:</b> {words(open.total, format.number(open.total), format.number(all.total))}
      {all.limitedTo && ` ${t.opening.asFarAsSeen}`}
    </Text>
  )
}
