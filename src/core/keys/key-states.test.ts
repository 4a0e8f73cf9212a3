import { describe, expect, it } from 'vitest'
import { actionsFrom, type KeyAction, type KeyState, keyActions, keyAfter, keyStates, refusalOf } from './key-states.ts'

/** Every step there is, as the model draws it; every other pair of action and state must be refused. */
const table: Record<KeyState, Partial<Record<KeyAction, KeyState>>> = {
  ordered: { receive: 'in_stock' },
  in_stock: { issue: 'issued', 'report-lost': 'lost', 'report-stolen': 'stolen', 'mark-defective': 'defective' },
  issued: { return: 'in_stock', 'report-lost': 'lost', 'report-stolen': 'stolen', 'mark-defective': 'defective' },
  lost: { found: 'in_stock', 'write-off': 'written_off' },
  stolen: { 'write-off': 'written_off' },
  defective: { destroy: 'destroyed' },
  written_off: {},
  destroyed: {},
}

const pairs = keyStates.flatMap((state) => keyActions.map((action) => ({ state, action, to: table[state][action] })))

describe('the states of a key', () => {
  it('the table of the test names every state', () => {
    expect(Object.keys(table)).toEqual([...keyStates])
  })

  it.each(pairs.filter(({ to }) => to !== undefined))('$action leads from $state to $to', ({ state, action, to }) => {
    expect(keyAfter(action, state)).toBe(to)
  })

  it.each(pairs.filter(({ to }) => to === undefined))('$action is impossible when $state', ({ state, action }) => {
    expect(keyAfter(action, state)).toBeUndefined()
  })

  it.each(keyStates)('what is possible from %s is what the machine has', (state) => {
    expect(new Set(actionsFrom(state))).toEqual(new Set(Object.keys(table[state])))
  })

  it('a refusal names the state and what is possible from it', () => {
    expect(refusalOf('issue', 'lost')).toBe(
      'The key is lost, so issue is not possible; possible from there: found, write-off',
    )
    expect(refusalOf('return', 'written_off')).toBe(
      'The key is written off, so return is not possible; nothing more happens to it',
    )
  })
})
