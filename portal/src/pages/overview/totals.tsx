import { Paper, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Overview } from '../../api/generated/types.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { type Noun, resources } from '../../resource/resources.ts'

const shown = [
  ['buildings', 'buildings'],
  ['spaces', 'spaces'],
  ['access-points', 'access_points'],
  ['individuals', 'individuals'],
  ['credentials', 'credentials'],
  ['keys', 'keys'],
  ['access-grants', 'access_grants'],
] as const satisfies ReadonlyArray<[Noun, keyof Overview]>

/** How large it all is; each number leads there. */
export function Totals({ overview }: { overview: Overview | undefined }) {
  const t = useWords()
  const format = useFormat()
  const visible = shown.filter(([, family]) => overview?.[family] !== null)
  if (visible.length === 0) return null
  return (
    <Paper withBorder component="section" aria-label={t.estate.totals} className="counts">
      {visible.map(([noun, family]) => (
        <Link key={noun} to={resources[noun].path ?? '/'} className="count">
          <b>{overview?.[family] ? format.number(overview[family].total) : <Skeleton height={22} width={48} />}</b>
          <span>{overview?.[family]?.total === 1 ? t.resources[noun].one : t.resources[noun].many}</span>
        </Link>
      ))}
    </Paper>
  )
}
