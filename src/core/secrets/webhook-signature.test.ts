import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newWebhookSecret, signWebhook } from './webhook-signature.ts'

describe('the signature of a webhook', () => {
  const body = JSON.stringify({ type: 'key.issued', data: { name: 'Zürich' } })
  const now = new Date().toISOString()

  it('is verified by standardwebhooks with either of two secrets, and by no other', () => {
    const [old, fresh] = [newWebhookSecret(), newWebhookSecret()]
    const headers = { ...signWebhook('msg_1', now, body, [fresh, old]) }
    for (const secret of [old, fresh]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow()
    expect(() => new Webhook(fresh).verify(`${body} `, headers)).toThrow()
    expect(() => new Webhook(fresh).verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow()
  })
})
