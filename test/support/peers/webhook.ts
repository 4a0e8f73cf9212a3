import { Sealer } from '../../../src/core/secrets/sealed.ts'
import { change } from '../../../src/db/change.ts'
import type { Engine } from '../../../src/db/engine.ts'
import { createRow } from '../../../src/db/rows.ts'
import { sealWith } from '../../../src/db/sealing.ts'
import { findOrganization } from '../../../src/identity/organizations.ts'
import { Policy } from '../../../src/net/policy.ts'
import { beginSending, prepareWebhook } from '../../../src/resources/webhooks/queries.ts'
import { webhooks } from '../../../src/resources/webhooks/schema.ts'
import { actor } from '../app.ts'

/** What a server has to be started with that is to send for it. */
export const webhookEnv = { SECRET_KEY: 'dGhlIGtleSB0aGF0IHNlYWxzIHNlY3JldHMgaW4gdGU=', OUTGOING_ALLOW: '127.0.0.1' }

/** A webhook of a service user, made past the service: there it takes somebody who has logged in. */
export async function makeWebhook(
  engine: Engine,
  organization: string,
  ownerId: string,
  url: string,
  types: string[],
  kind: 'user' | 'service_user' = 'service_user',
): Promise<{ id: string; secret: string }> {
  const sealer = new Sealer([Buffer.from(webhookEnv.SECRET_KEY, 'base64')])
  sealWith(engine, { find: () => sealer, make: () => sealer })
  const found = await findOrganization(engine, organization)
  if (!found) throw new Error(`there is no organization ${organization}`)
  return change(engine, found.key, new Date().toISOString(), { ...actor, kind, id: ownerId }, async (tx) => {
    const { id } = await createRow(tx, webhooks, { url, types }, 'all', {
      prepare: prepareWebhook(new Policy([new URL(url).hostname])),
    })
    return { id: id as string, secret: await beginSending(tx, id as string) }
  })
}
