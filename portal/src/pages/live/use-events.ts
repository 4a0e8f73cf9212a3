import { useEffect, useRef, useState } from 'react'
import { ApiError, call, person } from '../../api/client.ts'
import type { AccessEvent } from '../../api/generated/types.ts'
import { stream } from '../../api/stream.ts'
import { resources } from '../../resource/resources.ts'

/** As many as a page holds; older ones are in the list of all. */
export const MOST = 10_000
/** What comes in this time is drawn together. */
const GATHER_MS = 30
const AGAIN_MS = 3000

export interface Connection {
  state: 'connecting' | 'connected' | 'broken' | 'refused'
  since: string
}

const api = resources['access-events'].api

/** The last that happened before: the stream goes on after it, so that nothing falls between. */
async function beginning(signal: AbortSignal): Promise<string> {
  const { data } = await call<AccessEvent[]>(`${api}?order=sequence.desc&limit=1`, { signal })
  return String(data[0]?.sequence ?? 0)
}

/** What happens from now on, the newest first, and how the connection stands. */
export function useEvents(isSeen: boolean, onNews: (events: readonly AccessEvent[]) => void) {
  const [events, setEvents] = useState<readonly AccessEvent[]>([])
  const [connection, setConnection] = useState<Connection>({ state: 'connecting', since: new Date().toISOString() })
  const tell = useRef(onNews)
  tell.current = onNews
  useEffect(() => {
    if (!isSeen) return
    const left = new AbortController()
    let gathered: AccessEvent[] = []
    const put = () => {
      const news = gathered.reverse()
      gathered = []
      if (left.signal.aborted) return
      setEvents((now) => [...news, ...now].slice(0, MOST))
      tell.current(news)
    }
    const stand = (state: Connection['state']) => {
      if (left.signal.aborted) return
      setConnection((now) => (now.state === state ? now : { state, since: new Date().toISOString() }))
    }
    const follow = async () => {
      const after = await beginning(left.signal)
      const onConnection = (isConnected: boolean) => stand(isConnected ? 'connected' : 'broken')
      for await (const { data } of stream<AccessEvent>(`${api}/stream`, { after, signal: left.signal, onConnection })) {
        if (gathered.push(data) === 1) setTimeout(put, GATHER_MS)
      }
    }
    const keepFollowing = async () => {
      while (!left.signal.aborted) {
        try {
          await follow()
        } catch (error) {
          const status = error instanceof ApiError ? error.status : 0
          if (status === 401) person.logIn()
          if (status >= 400 && status < 500 && status !== 429) return stand('refused')
          stand('broken')
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
      }
    }
    void keepFollowing()
    return () => left.abort()
  }, [isSeen])
  return { events, connection }
}
