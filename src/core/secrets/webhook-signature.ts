import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** As Standard Webhooks wants it: receivers give it to their library as it is. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(32).toString('base64')

export interface SignedHeaders {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/**
 * The headers of a message by Standard Webhooks: each secret that is valid signs it, so that a receiver may have either
 * while a secret is replaced. `at` is the time of the attempt: receivers refuse what is old.
 */
export function signWebhook(id: string, at: string, body: string, secrets: readonly string[]): SignedHeaders {
  const timestamp = String(Math.floor(Date.parse(at) / 1000))
  const signature = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${signature(secret)}`).join(' '),
  }
}
