/** Why a webhook was not taken for one of ours. */
export class WebhookError extends Error {
  override name = 'WebhookError'
}

interface Verification {
  /** `whsec_…`, as it was shown when the webhook was made; two while it is being rotated. */
  secret: string | readonly string[]
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>
  /** The body as it came, not parsed and written again. */
  body: string
  /** How old or early it may be; 300 unless said. */
  toleranceSeconds?: number
  /** Milliseconds; for tests. */
  now?: number
}

/**
 * What a webhook says, after its signature has been checked (standardwebhooks.com). It throws when it is not one of
 * ours.
 */
export async function verifyWebhook<T = unknown>({
  secret,
  headers,
  body,
  toleranceSeconds = 300,
  now,
}: Verification): Promise<T> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  )
  if (!id || !timestamp || !signatures)
    throw new WebhookError('It lacks webhook-id, webhook-timestamp or webhook-signature')
  const ageSeconds = Math.abs((now ?? Date.now()) / 1000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || ageSeconds > toleranceSeconds) throw new WebhookError('Its time is too far from ours')
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? (bytesOf(one.slice(3)) ?? []) : []))
  for (const one of [secret].flat()) {
    const bytes = bytesOf(one.replace(/^whsec_/, ''))
    if (!bytes) throw new WebhookError('The secret is not one of a webhook')
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    // The comparison takes as long whatever differs.
    for (const signature of given)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return JSON.parse(body) as T
  }
  throw new WebhookError('Its signature does not fit')
}

function headerOf(headers: Verification['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
