import { List, Skeleton } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useMay } from '../api/me.ts'
import { listOptions } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { useAbsence } from '../resource/absence.tsx'
import { type Noun, resources } from '../resource/resources.ts'

const belongings = [
  { noun: 'credentials', more: { status_type: 'neq.terminated' } },
  { noun: 'access-grants', more: { status: 'in.(active,scheduled)' } },
  { noun: 'memberships', more: {} },
  { noun: 'keys', more: {} },
] as const satisfies ReadonlyArray<{ noun: Noun; more: Record<string, string> }>

/** What offboarding is going to end, as far as this person may see it; and the keys, which only hands can take back. */
export function TakesBack({ individual: { id } }: { individual: { id: string } }) {
  const t = useWords()
  const may = useMay()
  const absence = useAbsence()
  const seen = belongings.filter(({ noun }) => may(resources[noun].read))
  const counts = useQueries({
    queries: seen.map(({ noun, more }) =>
      listOptions(resources[noun].api, { individual_id: `eq.${id}`, limit: '1', ...more }),
    ),
  })
  const says = (noun: (typeof belongings)[number]['noun'], count: number): string => {
    const words = t.people.takesBack[noun](count)
    return count === 0 ? absence(resources[noun], words) : words
  }
  return (
    <List size="sm" spacing={4}>
      {seen.map(({ noun }, index) => {
        const count = counts[index]?.data?.total
        return (
          <List.Item key={noun}>
            {count === undefined ? <Skeleton height={12} width={180} /> : says(noun, count)}
          </List.Item>
        )
      })}
    </List>
  )
}
