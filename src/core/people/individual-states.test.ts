import { describe, expect, it } from 'vitest'
import { type IndividualAction, type IndividualStatus, individualAfter } from './individual-states.ts'

const statuses: IndividualStatus[] = ['invited', 'active', 'suspended', 'offboarded', 'anonymised']

/** What each action makes of each status, in the order above. */
const table: Record<IndividualAction, Array<IndividualStatus | undefined>> = {
  suspend: ['suspended', 'suspended', undefined, undefined, undefined],
  reactivate: ['active', undefined, 'active', 'active', undefined],
  offboard: ['offboarded', 'offboarded', 'offboarded', undefined, undefined],
  anonymise: [undefined, undefined, undefined, 'anonymised', undefined],
}

describe('the states of an individual', () => {
  it.each(Object.entries(table))('%s leads where the table says, and nowhere else', (action, expected) => {
    expect(statuses.map((status) => individualAfter(action as IndividualAction, status))).toEqual(expected)
  })

  it('let nobody come back once anonymised', () => {
    for (const action of Object.keys(table))
      expect(individualAfter(action as IndividualAction, 'anonymised')).toBeUndefined()
  })
})
