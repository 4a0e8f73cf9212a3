import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

interface Ways {
  providers: ReadonlyArray<{ id: string; name: string }>
  password_reset: boolean
}

/** How one can log in here, besides password and passkey. */
export const waysOptions = queryOptions({
  queryKey: ['login', 'providers'],
  queryFn: async () => (await call<Ways>('/api/v1/login/providers', { mayBeLoggedOut: true })).data,
  retry: false,
})
