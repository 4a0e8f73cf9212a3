import { AsyncLocalStorage } from 'node:async_hooks'
import type { Actor } from '../../db/audit.ts'

/** Why a grant ends, as it is on the record. */
export type RevocationReason =
  | 'by_user'
  | 'by_application'
  | 'code_reused'
  | 'refresh_token_reused'
  | 'new_password'
  | 'factor_removed'
  | 'user_deleted'

/** What the storage adapter, which the provider calls without saying why, must know of the request. */
export interface OauthRequest {
  actor: Actor
  /** Whoever has left is granted nothing; what is revoked is revoked all the same. */
  signal?: AbortSignal
  /** Why a grant is revoked, should one be. */
  reason: RevocationReason
  /** Told by which error of OAuth it was refused. */
  refused?: (code: string) => void
}

const store = new AsyncLocalStorage<OauthRequest>()

export const withRequest = <T>(request: OauthRequest, work: () => T): T => store.run(request, work)

export const oauthActor = (address: string | null, reqId: string | null): Actor => ({
  kind: 'system',
  id: null,
  name: 'OAuth',
  address,
  reqId,
})

export const currentRequest = (): OauthRequest =>
  store.getStore() ?? { actor: oauthActor(null, null), reason: 'by_application' }
