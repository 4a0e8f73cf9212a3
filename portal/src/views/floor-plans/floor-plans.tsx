import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'

/** Wanted only once somebody opens the tab: no part of the page of a building. */
const Tab = lazy(async () => ({ default: (await import('./floor-plans-tab.tsx')).FloorPlansTab }))

export const FloorPlans = ({ buildingId }: { buildingId: string }) => (
  <Suspense fallback={<Skeleton height={320} />}>
    <Tab buildingId={buildingId} />
  </Suspense>
)
