import './overview/overview.css'
import '../views/estate.css'
import { Stack } from '@mantine/core'
import { useMe } from '../api/me.ts'
import { useWords } from '../i18n/language.tsx'
import { Page } from '../shell/page.tsx'
import { Attention } from './overview/attention.tsx'
import { Charts } from './overview/charts.tsx'
import { Checklist } from './overview/checklist.tsx'
import { News } from './overview/news.tsx'
import { Totals } from './overview/totals.tsx'
import { useTotals } from './overview/use-totals.ts'

/** Where one lands: what needs somebody, how things stand, what is new. An empty organization: what to do first. */
export function OverviewPage() {
  const t = useWords()
  const { organization } = useMe()
  const totals = useTotals()
  const isEmpty = totals.spaces === 0 && totals['access-points'] === 0
  return (
    <Page title={t.nav.overview} subtitle={organization.name}>
      <Stack gap="lg">
        <Checklist totals={totals} />
        {!isEmpty && <Attention />}
        {!isEmpty && <Totals totals={totals} />}
        {!isEmpty && <Charts />}
        {!isEmpty && <News />}
      </Stack>
    </Page>
  )
}
