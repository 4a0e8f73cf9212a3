import fc from 'fast-check'
import { expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { credentialReasons } from '../../core/cards/credential-state.ts'

const { owner } = await startHouse()
const PATH = '/api/v1/credentials'

/** A step: a reason set by PATCH, or the action found. */
const step = fc.constantFrom(...credentialReasons, 'found' as const)

it('whatever is done to a credential that was terminated, it becomes active only through suspension', async () => {
  const holder = await owner.create('/api/v1/individuals', { given_name: 'Ada', family_name: 'Byron' })
  let revived = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...credentialReasons),
      fc.array(step, { minLength: 8, maxLength: 20 }),
      async (first, steps) => {
        const made = await owner.create(PATH, { type: 'card', individual_id: holder.id, status_reason: first })
        const path = `${PATH}/${made.id}`
        let status = made.status_type
        for (const next of steps) {
          const answer =
            next === 'found' ? await owner.post(`${path}/found`) : await owner.patch(path, { status_reason: next })
          expect([200, 409]).toContain(answer.status)
          const after = answer.status === 200 ? answer.body.data.status_type : status
          if (status === 'terminated') expect(['terminated', 'suspended']).toContain(after)
          if (status === 'terminated' && after === 'suspended') revived += 1
          status = after
        }
        expect((await owner.get(path)).body.data.status_type).toBe(status)
      },
    ),
    { numRuns: 10 },
  )
  expect(revived).toBeGreaterThan(0)
})
