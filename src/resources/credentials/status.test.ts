import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import { credentialReasons, credentialStatus } from '../../core/cards/credential-state.ts'
import type { IndividualStatus } from '../../core/people/individual-states.ts'
import { change } from '../../db/change.ts'

const house = await startHouse()
const { engine, owner, clock } = house

const NOW = Date.parse(clock.now())
/** Around now: the instants at which something changes, one millisecond before and after them, and far away. */
const instant = fc.option(
  fc.constantFrom(-86_400_000, -1, 0, 1, 86_400_000).map((ms) => new Date(NOW + ms).toISOString()),
  { nil: null },
)
const statuses: IndividualStatus[] = ['invited', 'active', 'suspended', 'offboarded', 'anonymised']
const window = { valid_from: instant, valid_until: instant }
const facts = fc.record({
  status_reason: fc.oneof(
    { weight: 2, arbitrary: fc.constant('none' as const) },
    fc.constantFrom(...credentialReasons),
  ),
  ...window,
  max_uses: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
  use_count: fc.integer({ min: 0, max: 4 }),
  holder: fc.option(fc.record({ status: fc.constantFrom(...statuses), ...window }), { nil: null, freq: 6 }),
})

it('the status computed in SQL is the one computed in code, for every reason, window, use and holder', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(facts, { minLength: 50, maxLength: 100 }), async (list) => {
      const now = clock.now()
      const base = () => ({ id: randomUUIDv7(), created_at: now, updated_at: now, version: 1 })
      const expected = new Map<string, string>()
      await change(engine, 1, now, actor, async (tx) => {
        for (const { holder, use_count, ...credential } of list) {
          const person = base()
          const names = { kind: 'employee', given_name: '', family_name: '', display_name: 'X' }
          if (holder) await tx.insert('individuals', { ...person, ...names, ...holder })
          const row = { ...base(), type: 'card', ...credential, individual_id: holder ? person.id : null }
          await tx.insert('credentials', row)
          const is_used_up = credential.max_uses !== null && use_count >= credential.max_uses
          if (use_count > 0) await tx.insert('credential_uses', { id: row.id, use_count, is_used_up })
          expected.set(row.id, credentialStatus({ ...credential, use_count, holder }, now))
        }
        tx.record({ action: 'test.filled', resource: 'credentials', resourceId: null, before: null, after: null })
      })
      const ids = [...expected.keys()].join(',')
      const { body } = await owner.get(`/api/v1/credentials?select=id,status_type&limit=100&id=in.(${ids})`)
      expect(
        Object.fromEntries(body.data.map((row: { id: string; status_type: string }) => [row.id, row.status_type])),
      ).toEqual(Object.fromEntries(expected))
      for (const status of expected.values()) seen.add(status)
    }),
    // A fixed seed: that every status turns up must not depend on luck.
    { numRuns: 12, seed: 4711 },
  )
  expect([...seen].sort()).toEqual(['active', 'expired', 'pending', 'suspended', 'terminated'])
})
