import './overview/overview.css'
import '../views/estate.css'
import { Stack, Text } from '@mantine/core'
import { IconUserShield } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { mayOf, useMe } from '../api/me.ts'
import { meOptions, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { todayIn } from '../i18n/time-zone.ts'
import { EmptyState } from '../resource/empty-state.tsx'
import { ErrorNote } from '../shell/error-note.tsx'
import { Page } from '../shell/page.tsx'
import { Attention } from './overview/attention.tsx'
import { Charts } from './overview/charts.tsx'
import { Checklist } from './overview/checklist.tsx'
import { loadNews, News } from './overview/news.tsx'
import { overviewOptions } from './overview/overview-query.ts'
import { Totals } from './overview/totals.tsx'

/** All that it shows, asked for before it is drawn. */
export async function loadOverview(): Promise<void> {
  const me = await queryClient.ensureQueryData(meOptions)
  const today = (days?: number) => todayIn(me.organization.time_zone, days)
  await Promise.all([queryClient.prefetchQuery(overviewOptions), loadNews(mayOf(me), today)])
}

/** Where one lands: what needs somebody, how things stand, what is new. An empty organization: what to do first. */
export function OverviewPage() {
  const t = useWords()
  const { name, organization, roles } = useMe()
  const { data: overview, error, refetch } = useQuery(overviewOptions)
  const isEmpty = overview?.spaces?.total === 0 && overview.access_points?.total === 0
  // Pages of theirs are in the navigation all the same.
  const isBlind = overview !== undefined && Object.values(overview).every((family) => family === null)
  // What one sees of some places only, of each family the same or not.
  const limits = Object.values(overview ?? {}).flatMap((family) => family?.limited_to ?? [])
  const places = [...new Set(limits.map((place) => place.name))]
  if (roles.length === 0) {
    return (
      <Page title={t.nav.overview} subtitle={organization.name}>
        <EmptyState
          icon={<IconUserShield size={28} aria-hidden />}
          title={t.estate.start.welcome(name)}
          text={t.profile.noRoles}
        />
      </Page>
    )
  }
  return (
    <Page title={t.nav.overview} subtitle={organization.name}>
      <Stack gap="lg">
        {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
        {!isEmpty && places.length > 0 && (
          <Text size="xs" c="dimmed">
            {t.list.limitedTo(places.join(', '))}
          </Text>
        )}
        <Checklist overview={overview} isEmpty={isEmpty} />
        {!isEmpty && <Attention overview={overview} />}
        {!isEmpty && <Totals overview={overview} />}
        {!isEmpty && <Charts overview={overview} />}
        {!isEmpty && <News />}
        {isBlind && <EmptyState icon={<IconUserShield size={28} aria-hidden />} title={t.estate.nothingCounted} />}
      </Stack>
    </Page>
  )
}
