import { useRouter } from '@tanstack/react-router'
import { meOptions, queryClient } from '../api/queries.ts'

/** Only to pages of ours: a link to the login must not lead elsewhere afterwards. */
export const safeReturn = (text: string | undefined): string =>
  text !== undefined && /^\/(?![/\\])/.test(text) ? text : '/'

/** Where a second factor that is demanded is set up or given, on the way to somewhere else. */
const factorPage = (target: string): string =>
  target === '/' ? '/second-factor' : `/second-factor?${new URLSearchParams({ return: target })}`

/** After a login: nothing of somebody else is left, then on to where one wanted to go. */
export function useEnter(): (to?: string) => Promise<void> {
  const router = useRouter()
  return async (to) => {
    queryClient.clear()
    const { session } = await queryClient.fetchQuery(meOptions)
    const target = safeReturn(to)
    if (session?.awaited_factor) return router.history.push(factorPage(target))
    // An application waits there for somebody to log in: that page is the service's.
    if (target.startsWith('/oauth/')) location.assign(target)
    else router.history.push(target)
  }
}
