import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../api/client.ts'
import type { AccessEvent, AccessPoint, FloorPlan, FloorPlanPosition } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { listOptions } from '../../api/queries.ts'
import { stream } from '../../api/stream.ts'
import { resources } from '../../resource/resources.ts'

const api = resources['floor-plans'].api
const shown = ['name', 'label', 'mode', 'lock_state', 'position', 'connectivity', 'in_alarm'] as const
const MOST = 100
const MOST_PLANS = '100'
/**
 * A lockdown, and what the clock does, is told by no event: it is looked at again. What has not changed costs little.
 */
const LOOK_AGAIN_MS = 3000
/** What comes in this time is asked for once. */
const GATHER_MS = 60

/** A place on a plan, with the door as far as it is seen. */
export type Placed = Pick<FloorPlanPosition, 'id' | 'x' | 'y' | 'version' | 'access_point_id' | 'is_elsewhere'> & {
  access_point?: Pick<AccessPoint, (typeof shown)[number]> | null
}

export const plansOptions = (narrowed: Record<string, string>) =>
  listOptions<FloorPlan>(api, { ...narrowed, order: 'building_id,floor', limit: MOST_PLANS })

export const positionsPath = (planId: string): string => `${api}/${planId}/positions`
export const imagePath = (planId: string): string => `${api}/${planId}/image`

/** Every door on a plan and how it stands, page after page. */
export const positionsOptions = (planId: string) =>
  queryOptions({
    queryKey: ['positions', planId],
    queryFn: async ({ signal }) => {
      const found: Placed[] = []
      for (let page = 1; ; page++) {
        const select = `id,x,y,version,access_point_id,is_elsewhere,access_point(${shown.join(',')})`
        const query = new URLSearchParams({ select, order: 'id', limit: String(MOST), page: String(page) })
        const { data } = await call<Placed[]>(`${positionsPath(planId)}?${query}`, { signal })
        found.push(...data.filter((placed) => !placed.is_elsewhere))
        if (data.length < MOST) return found
      }
    },
    refetchInterval: LOOK_AGAIN_MS,
  })

/** The plan follows what happens at its doors. */
export function useFollowedPlan(planId: string): void {
  const client = useQueryClient()
  const isSeen = useMay()('access-events:read')
  useEffect(() => {
    if (!isSeen) return
    const left = new AbortController()
    const { queryKey } = positionsOptions(planId)
    let isAsking = false
    const askAgain = async () => {
      isAsking = false
      if (!left.signal.aborted) await client.invalidateQueries({ queryKey })
    }
    const isOfPlan = ({ access_point_id: door }: AccessEvent): boolean =>
      door === null || (client.getQueryData(queryKey)?.some((placed) => placed.access_point_id === door) ?? true)
    const follow = async () => {
      for await (const { data } of stream<AccessEvent>(`${resources['access-events'].api}/stream`, {
        signal: left.signal,
      })) {
        if (isAsking || !isOfPlan(data)) continue
        isAsking = true
        setTimeout(() => void askAgain(), GATHER_MS)
      }
    }
    // Whoever may not follow events any more still looks again.
    follow().catch(() => undefined)
    return () => left.abort()
  }, [client, planId, isSeen])
}
