import { type Adapter, errors } from 'oidc-provider'
import type { Clock } from '../../../core/time/clock.ts'
import type { Engine } from '../../../db/engine.ts'
import { UUID } from '../../../http/items/item.ts'
import { findGrant, type GrantPayload, revokeGrant, saveGrant } from '../grants.ts'
import { storedRequestLimits } from '../limits.ts'
import { currentRequest } from '../requests.ts'
import { findClient } from './clients.ts'
import { type Payload, Records } from './records.ts'

interface Parts {
  engine: Engine
  clock: Clock
  api: string
}

/**
 * Where the provider keeps things: clients and grants are rows of their own, on the record; all else is short-lived.
 */
export const createAdapter =
  (parts: Parts) =>
  (kind: string): Adapter => {
    if (kind === 'Client') return clientAdapter(parts)
    return kind === 'Grant' ? grantAdapter(parts) : recordAdapter(parts, kind)
  }

const never = (what: string) => async (): Promise<never> => {
  throw new Error(`${what} is not used`)
}

/** Managed by the API, not by the provider. */
const clientAdapter = ({ engine }: Parts): Adapter => ({
  find: (id) => findClient(engine, id),
  upsert: never('registering clients'),
  destroy: never('deleting clients'),
  consume: never('consuming clients'),
  findByUid: never('clients by uid'),
  findByUserCode: never('the device flow'),
  revokeByGrantId: never('clients by grant'),
})

const grantAdapter = ({ engine, clock, api }: Parts): Adapter => ({
  async find(id) {
    const row = UUID.test(id) ? await findGrant(engine, id) : undefined
    return row ? JSON.parse(row.payload) : undefined
  },
  upsert: (id, payload) =>
    saveGrant(engine, clock.now(), currentRequest(), { ...(payload as unknown as GrantPayload), jti: id }, api),
  destroy: (id) => revokeGrant(engine, clock.now(), currentRequest().actor, id, currentRequest().reason),
  consume: never('consuming grants'),
  findByUid: never('grants by uid'),
  findByUserCode: never('the device flow'),
  revokeByGrantId: never('grants by grant'),
})

/** What is stored for anybody who asks, before they have proved anything. */
const storedUnasked: ReadonlySet<string> = new Set(['Interaction', 'PushedAuthorizationRequest'])

const reasons = { AuthorizationCode: 'code_reused', RefreshToken: 'refresh_token_reused' } as const

function recordAdapter({ engine, clock }: Parts, kind: string): Adapter {
  const records = new Records(engine, kind)
  const find = async (id: string): Promise<Payload | undefined> => {
    const found = await records.find(id)
    // The provider revokes the grant of what comes a second time; this is why.
    if (found?.consumed && kind in reasons) currentRequest().reason = reasons[kind as keyof typeof reasons]
    return found
  }
  return {
    find,
    upsert: async (id, payload, expiresIn) => {
      if (storedUnasked.has(kind))
        storedRequestLimits(engine).take(payload, currentRequest().actor.address, clock.now())
      await records.upsert(id, withoutCookie(payload as Payload), expiresIn)
    },
    destroy: (id) => records.destroy(id),
    revokeByGrantId: (grantId) => records.revokeByGrantId(grantId),
    findByUserCode: never('the device flow'),
    findByUid: (uid) => findByUid(engine, kind, uid),
    async consume(id) {
      if (await records.consume(id, clock.now())) return
      // Somebody was quicker with the same value, which is a second use like any other.
      const used = await find(id)
      if (kind === 'PushedAuthorizationRequest') throw new errors.InvalidRequestUri('request_uri was used already')
      if (used?.grantId)
        await revokeGrant(engine, clock.now(), currentRequest().actor, used.grantId, currentRequest().reason)
      throw new errors.InvalidGrant('grant request is invalid')
    },
  }
}

/** An interaction comes with the cookie of the session it began in, which nobody asks it for. */
function withoutCookie(payload: Payload): Payload {
  if (typeof payload.session !== 'object' || payload.session === null) return payload
  const { cookie: _, ...session } = payload.session as Record<string, unknown>
  return { ...payload, session }
}

async function findByUid(engine: Engine, kind: string, uid: string): Promise<Payload | undefined> {
  const [row] = await engine.reader.all<{ payload: string }>(
    'select payload from oauth_records where kind = $1 and uid = $2',
    [kind, uid],
  )
  return row ? JSON.parse(row.payload) : undefined
}
