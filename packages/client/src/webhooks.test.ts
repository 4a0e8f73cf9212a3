import { expect, it } from 'vitest'
import { verifyWebhook } from './webhooks.ts'

/** The example of standardwebhooks.com. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"test": 2432232314}'
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const now = 1_614_265_330_000

it('takes what is signed with one of the secrets', async () => {
  expect(await verifyWebhook({ secret, headers, body, now })).toEqual({ test: 2432232314 })
  const older = 'whsec_aGVsbG8gdGhlcmUgZ2VuZXJhbCBrZW5vYmk='
  expect(await verifyWebhook({ secret: [older, secret], headers: new Headers(headers), body, now })).toEqual({
    test: 2432232314,
  })
  const several = { ...headers, 'webhook-signature': `v1a,xyz v1,AAAA ${headers['webhook-signature']}` }
  expect(await verifyWebhook({ secret, headers: several, body, now })).toEqual({ test: 2432232314 })
})

it.each([
  ['another body', { body: '{"test": 1}' }, 'signature'],
  ['another id', { headers: { ...headers, 'webhook-id': 'msg_other' } }, 'signature'],
  ['another secret', { secret: 'whsec_aGVsbG8gdGhlcmUgZ2VuZXJhbCBrZW5vYmk=' }, 'signature'],
  ['a signature that is no text of base64', { headers: { ...headers, 'webhook-signature': 'v1,%%%' } }, 'signature'],
  ['no signature', { headers: { ...headers, 'webhook-signature': undefined } }, 'lacks'],
  ['an old one', { now: now + 301_000 }, 'too far'],
  ['one from the future', { now: now - 301_000 }, 'too far'],
  ['a secret that is none', { secret: 'whsec_%%%' }, 'secret'],
])('refuses %s', async (_, change, words) => {
  await expect(verifyWebhook({ secret, headers, body, now, ...change })).rejects.toThrow(words)
})
