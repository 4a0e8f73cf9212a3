import fastify from 'fastify'
import { expect, it, vi } from 'vitest'
import { SharedBody } from './coding.ts'

const PIECE = 64 * 1024
const text = Array.from({ length: 60_000 }, (_, i) => `${i} `).join('')

/** The answer to one request, and what was handed over a piece at a time, in bytes. */
async function sent(body: SharedBody, headers: Record<string, string> = {}) {
  const app = fastify()
  const writes: unknown[][] = []
  app.get('/', (_request, reply) => {
    writes.push(vi.spyOn(reply.raw, 'write').mock.calls)
    return body.send(reply)
  })
  const answer = await app.inject({ url: '/', headers })
  await app.close()
  const sizes = writes.flat().map((call) => ((call as unknown[])[0] as Buffer).length)
  return { sizes, answer }
}

it('a large body is sent a piece at a time, whole and with its length', async () => {
  const { sizes, answer } = await sent(new SharedBody(text))
  expect(answer.body).toBe(text)
  expect(Number(answer.headers['content-length'])).toBe(text.length)
  expect(sizes.length).toBe(Math.ceil(text.length / PIECE))
  expect(Math.max(...sizes)).toBe(PIECE)
})

it('a small one is sent at once, compressed for who takes it', async () => {
  const { sizes, answer } = await sent(new SharedBody(text.slice(0, 100_000)), { 'accept-encoding': 'gzip' })
  expect([sizes.length, answer.headers['content-encoding']]).toEqual([1, 'gzip'])
})
