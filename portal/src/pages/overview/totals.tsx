import { Paper, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/me.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { resources } from '../../resource/resources.ts'
import { useHasView } from '../../resource/views.tsx'
import type { Counted, Totals as Known } from './use-totals.ts'

const shown: readonly Counted[] = ['buildings', 'spaces', 'access-points', 'individuals', 'credentials', 'keys', 'access-grants']

/** How large it all is; each number leads there. */
export function Totals({ totals }: { totals: Known }) {
  const t = useWords()
  const format = useFormat()
  const may = useMay()
  const hasView = useHasView()
  const visible = shown.filter((noun) => may(resources[noun].read) && hasView(noun))
  return (
    <Paper withBorder component="section" aria-label={t.estate.totals} className="counts">
      {visible.map((noun) => (
        <Link key={noun} to={resources[noun].path ?? '/'} className="count">
          <b>{totals[noun] === undefined ? <Skeleton height={22} width={48} /> : format.number(totals[noun])}</b>
          <span>{t.resources[noun].many}</span>
        </Link>
      ))}
    </Paper>
  )
}
