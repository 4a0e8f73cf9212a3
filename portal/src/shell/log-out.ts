import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../api/client.ts'
import { dropAllDrafts } from '../resource/forms/draft.ts'
import { dropRecent } from './recent.ts'

/** The way out: nothing of the person is left behind. */
export function useLogOut(): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    await call('/api/v1/logout', { method: 'POST', body: {}, withoutKey: true, mayBeLoggedOut: true }).catch(() => undefined)
    dropAllDrafts()
    dropRecent()
    await navigate({ to: '/login', search: { state: 'logged-out' } as never })
    client.clear()
  }
}
