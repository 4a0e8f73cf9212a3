import { useRouter } from '@tanstack/react-router'
import { meOptions, queryClient } from '../api/queries.ts'

/** Only to pages of ours: a link to the login must not lead elsewhere afterwards. */
export const safeReturn = (text: string | undefined): string => (text !== undefined && /^\/(?![/\\])/.test(text) ? text : '/')

/** After a login: nothing of somebody else is left, then on to where one wanted to go. */
export function useEnter(): (to?: string) => Promise<void> {
  const router = useRouter()
  return async (to) => {
    queryClient.clear()
    await queryClient.fetchQuery(meOptions)
    const target = safeReturn(to)
    // An application waits there for somebody to log in: that page is the service's.
    if (target.startsWith('/oauth/')) location.assign(target)
    else router.history.push(target)
  }
}
