import { describe, expect, it } from 'vitest'
import { verifyAudit } from '../../src/audit/verify.ts'
import { findOrganization } from '../../src/identity/organizations.ts'
import { createToken } from '../../src/identity/tokens/issue.ts'
import { actor, startHouse } from '../support/app.ts'
import { houseTrust } from '../support/audit-key.ts'

const START = '2027-06-15T12:00:00.000Z'
const HOUR = 3_600_000

describe('the clock jumps', () => {
  it('a token that has expired is never accepted again, though the clock went back', async () => {
    const { engine, clock, owner, client, neighbour } = await startHouse()
    const { value } = await createToken(engine, clock.now(), actor, {
      organization: 'Test',
      role: 'Auditor',
      expires: '2027-06-15T14:00:00Z',
    })
    const short = client(value)
    const otherProcess = await neighbour()
    const other = client(value, otherProcess)
    expect((await short.get('/api/v1/me')).status).toBe(200)

    clock.forward(2 * HOUR)
    // Nobody shows the short one meanwhile: that time has passed is noticed all the same.
    expect((await owner.get('/api/v1/me')).status).toBe(200)
    expect((await client(owner.token, otherProcess).get('/api/v1/me')).status).toBe(200)

    clock.set(START)
    for (const caller of [short, other]) {
      expect((await caller.get('/api/v1/me')).status).toBe(401)
      // Asked of the database anew, because something has changed.
      await owner.create('/api/v1/locations', { name: 'A change' })
      expect((await caller.get('/api/v1/me')).status).toBe(401)
    }
    expect((await owner.get('/api/v1/me')).status).toBe(200)
  })

  it('a token that was judged expired while the clock was wrong works again once it is right', async () => {
    const { engine, clock, client } = await startHouse()
    const { value } = await createToken(engine, clock.now(), actor, {
      organization: 'Test',
      role: 'Auditor',
      expires: '2027-06-16',
    })
    const caller = client(value)
    expect((await caller.get('/api/v1/me')).status).toBe(200)
    clock.set('2028-01-01T00:00:00.000Z')
    expect((await caller.get('/api/v1/me')).status).toBe(401)
    clock.forward(10 * 60_000)
    expect((await caller.get('/api/v1/me')).status).toBe(401)
    clock.set('2027-06-15T12:10:00.000Z')
    expect((await caller.get('/api/v1/me')).status).toBe(200)
    // Time that has passed has passed, whatever the clock says next.
    clock.forward(48 * HOUR)
    clock.set(START)
    expect((await caller.get('/api/v1/me')).status).toBe(401)
  })

  it('the audit log is in order of sequence, whatever the clock said, and intact', async () => {
    const { engine, clock, owner } = await startHouse()
    const jumps = [0, 5 * HOUR, -26 * HOUR, 1, -1, 48 * HOUR, -30 * HOUR]
    const names: string[] = []
    for (const jump of jumps) {
      clock.forward(jump)
      names.push(`At ${clock.now()}`)
      await owner.create('/api/v1/locations', { name: names.at(-1) })
    }
    const { body } = await owner.get('/api/v1/audit-log?resource=eq.locations&limit=100')
    const entries: Array<{ sequence: number; occurred_at: string; after: { name: string } }> = body.data
    expect(entries.map(({ after }) => after.name)).toEqual(names)
    expect(entries.map(({ occurred_at }) => `At ${occurred_at}`)).toEqual(names)
    const sequences = entries.map(({ sequence }) => sequence)
    expect(sequences).toEqual(sequences.map((_, i) => (sequences[0] as number) + i))

    const organization = await findOrganization(engine, 'Test')
    const { rows, fault } = await verifyAudit(engine, organization?.key ?? 0, houseTrust)
    expect([rows, fault]).toEqual([sequences.at(-1), undefined])
  })

  it('an answer kept in memory is true for the time it is given at, forwards and backwards', async () => {
    const { clock, owner } = await startHouse()
    const holder = await owner.create('/api/v1/individuals', {
      given_name: 'Ada',
      family_name: 'Holder',
      status: 'active',
    })
    const credential = await owner.create('/api/v1/credentials', {
      individual_id: holder.id,
      type: 'card',
      number: '4711',
      valid_from: '2027-06-15T13:00:00Z',
      valid_until: '2027-06-15T15:00:00Z',
    })
    const statusAt = async (at: string): Promise<string> => {
      clock.set(at)
      const item = (await owner.get(`/api/v1/credentials/${credential.id}`)).body.data.status_type
      const list = (await owner.get('/api/v1/credentials')).body.data[0].status_type
      expect(list).toBe(item)
      return item
    }
    const expected = {
      '2027-06-15T12:00:00Z': 'pending',
      '2027-06-15T14:00:00Z': 'active',
      '2027-06-15T16:00:00Z': 'expired',
    }
    const order = [0, 1, 2, 1, 0, 2, 0, 1].map((i) => Object.entries(expected)[i] as [string, string])
    for (const [at, status] of order) expect([at, await statusAt(at)]).toEqual([at, status])
  })

  it('a retry with the same key makes no second row, though the clock went back meanwhile', async () => {
    const { clock, owner } = await startHouse()
    clock.forward(5 * HOUR)
    const ask = () => owner.post('/api/v1/locations', { name: 'Once' }, { 'idempotency-key': 'once' })
    const first = await ask()
    clock.set(START)
    const again = await ask()
    expect([again.status, again.body.data.id]).toEqual([201, first.body.data.id])
    expect((await owner.get('/api/v1/locations')).body.data).toHaveLength(1)
  })
})
