import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Question, questionNames, questions } from '../../access/questions.ts'
import { useMay, useMe } from '../../api/me.ts'
import { useWords } from '../../i18n/language.tsx'
import { Where } from '../../resource/located.tsx'
import { useReferenced } from '../../resource/reference.tsx'
import { labelOf, type Resource, resources } from '../../resource/resources.ts'
import { readRecent } from '../../shell/recent.ts'

/** What this person asked about last, to be asked again: a desk is asked about the same doors all day. */
export function AskedBefore() {
  const t = useWords()
  const me = useMe()
  const may = useMay()
  const [asked] = useState(() => readRecent(me, 'asked'))
  const known = asked.flatMap(({ noun, id }) => {
    const question = questionNames.find((one) => questions[one].of === noun)
    return question && may(resources[noun].read) ? [{ question, of: resources[noun], id }] : []
  })
  if (known.length === 0) return null
  return (
    <Stack gap={4} component="section" aria-label={t.opening.asked} mt="md">
      <Text size="sm" c="dimmed">
        {t.opening.asked}
      </Text>
      {known.map((one) => (
        <Asked key={one.id} {...one} />
      ))}
    </Stack>
  )
}

/** Gone or out of reach since: nothing is said of it. */
function Asked({ question, of, id }: { question: Question; of: Resource; id: string }) {
  const { data } = useReferenced(of, id)
  if (!data) return null
  const asking = ({ at, with: compared }: { at?: string; with?: string }) => ({ [question]: id, at, with: compared })
  return (
    <span>
      <Anchor renderRoot={(props) => <Link to="." search={asking} {...props} />}>{labelOf(of, data)}</Anchor>{' '}
      <Where end={{ resource: of, id }} />
    </span>
  )
}
