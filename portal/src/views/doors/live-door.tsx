import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { AccessPoint } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { stream } from '../../api/stream.ts'
import { resources } from '../../resource/resources.ts'
import { DeviceState } from './device-state.tsx'
import { DoorControls } from './door-controls.tsx'
import { FiveStates } from './states.tsx'

/** What comes in this time is asked for once. */
const GATHER_MS = 60

/** The page of a door follows what happens there. */
function useFollowed(id: string): void {
  const client = useQueryClient()
  const isSeen = useMay()('access-events:read')
  useEffect(() => {
    if (!isSeen) return
    const left = new AbortController()
    let isAsking = false
    const askAgain = () => {
      isAsking = false
      if (!left.signal.aborted) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
    }
    const follow = async () => {
      const query = { access_point_id: id }
      for await (const _ of stream(`${resources['access-events'].api}/stream`, { query, signal: left.signal })) {
        if (!isAsking) setTimeout(askAgain, GATHER_MS)
        isAsking = true
      }
    }
    // Whoever may not follow it any more reads it again by hand.
    follow().catch(() => undefined)
    return () => left.abort()
  }, [client, id, isSeen])
}

/** How a door stands now, what its device holds, and what can be done from afar. */
export function LiveDoor({ point }: { point: AccessPoint }) {
  useFollowed(point.id)
  return (
    <>
      <DoorControls point={point} />
      <FiveStates point={point} />
      {point.access_control_system_id && <DeviceState api={resources['access-points'].api} id={point.id} />}
    </>
  )
}
