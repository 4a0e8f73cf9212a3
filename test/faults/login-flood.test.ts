import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { change } from '../../src/db/change.ts'
import { hashPassword } from '../../src/identity/passwords.ts'
import { openSession } from '../../src/identity/sessions/queries.ts'
import { actor } from '../support/app.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import type { Server } from '../support/processes.ts'
import { type Answer, Caller } from './caller.ts'
import { figure, watch } from './figures.ts'
import { createSite, type Site } from './site.ts'

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const FLOOD = 200
const password = 'correct horse battery staple'
const TRUST = { TRUST_PROXY: 'on' }
const from = (address: string, more: Record<string, string> = {}) => ({ 'x-forwarded-for': address, ...more })

/** Somebody who has logged in before, with the cookie of their device. */
async function newPerson(site: Site, caller: Caller): Promise<{ email: string; device: string }> {
  const email = 'ada@example.org'
  const { id } = (await caller.call('POST', '/api/v1/users', { email, name: 'Ada Lovelace' })).body.data
  await site.look(async (engine) => {
    const hash = await hashPassword(password)
    await change(engine, 1, new Date().toISOString(), actor, async (tx) => {
      await tx.update('users', id, { status: 'active', password_hash: hash })
      await openSession(tx, id, { address: '192.0.2.1', userAgent: undefined })
    })
  })
  const login = await caller.call('POST', '/api/v1/login', { email, password }, from('192.0.2.1'))
  expect(login.status, JSON.stringify(login.body)).toBe(200)
  const device = [login.headers['set-cookie'] ?? []].flat().find((cookie) => cookie.includes('gatehouse_device=')) ?? ''
  return { email, device: device.split(';', 1).join() }
}

const countOf = (answers: Answer[]) => Object.groupBy(answers, ({ status }) => String(status))

/**
 * Requests of a caller who has nothing to do with it, which need the database, while `work` goes on. Gives the longest
 * wait.
 */
async function honestly(
  server: Server,
  token: string,
  work: () => Promise<Answer[]>,
): Promise<{ answers: Answer[]; slowest: number }> {
  const honest = new Caller(server.url, token)
  let isOver = false
  let slowest = 0
  const asking = (async () => {
    for (let i = 0; !isOver; i++) {
      const asked = performance.now()
      // Not twice the same: an answer from memory would need no connection.
      expect((await honest.get(`/api/v1/locations?name=ilike.*x${i}*`)).status).toBe(200)
      slowest = Math.max(slowest, performance.now() - asked)
    }
  })()
  try {
    return { answers: await work(), slowest }
  } finally {
    isOver = true
    await asking
    honest.close()
  }
}

describe('a flood of logins, on PostgreSQL', () => {
  it('from one address is refused in memory, from everywhere bounded; others do not wait, and a known device gets in', async () => {
    const site = await createSite(postgres)
    const server = await site.serve({ env: TRUST })
    const caller = new Caller(server.url, site.token, FLOOD + 10)
    const { email, device } = await newPerson(site, caller)
    const logIn = (who: string, headers: Record<string, string>) =>
      caller.call('POST', '/api/v1/login', { email: who, password: 'wrong' }, headers)
    const rows = () =>
      site.look(
        async ({ reader }) =>
          (await reader.all<{ n: number }>('select count(*) as n from login_attempts', []))[0]?.n ?? 0,
      )

    const before = await rows()
    const one = await watch('200 logins at once from one address', server, () =>
      honestly(server, site.token, () =>
        Promise.all(Array.from({ length: FLOOD }, (_, i) => logIn(`nobody-${i}@example.org`, from('198.51.100.7')))),
      ),
    )
    const refused = countOf(one.result.answers)
    expect([refused[401]?.length, refused[429]?.length]).toEqual([5, FLOOD - 5])
    // One for each account that was tried, one for the network.
    expect((await rows()) - before).toBe(6)
    figure('200 logins at once from one address: longest wait for a list', one.result.slowest, 'ms')

    const everywhere = await watch('200 logins at once from 200 networks', server, () =>
      honestly(server, site.token, async () => {
        const flood = Array.from({ length: FLOOD }, (_, i) => logIn(email, from(`198.18.${i}.7`)))
        const cookie = { cookie: device }
        const entered = await caller.call('POST', '/api/v1/login', { email, password }, from('203.0.113.200', cookie))
        expect(entered.status, JSON.stringify(entered.body)).toBe(200)
        return Promise.all(flood)
      }),
    )
    const answered = countOf(everywhere.result.answers)
    expect(Object.keys(answered).sort()).toEqual(['401', '429', '503'])
    // Five, and one for each delay that has passed meanwhile: 1, 2, 4 s.
    expect(answered[401]?.length).toBeLessThanOrEqual(8)
    for (const { headers } of answered[503] ?? []) expect(headers['retry-after']).toBe('1')
    figure('200 logins at once from 200 networks: longest wait for a list', everywhere.result.slowest, 'ms')
    expect(server.isRunning()).toBe(true)
    caller.close()
  })
})
