export const keyStates = [
  'ordered',
  'in_stock',
  'issued',
  'lost',
  'stolen',
  'defective',
  'written_off',
  'destroyed',
] as const
export type KeyState = (typeof keyStates)[number]

/** Named as in the path of the action. */
export const keyActions = [
  'receive',
  'issue',
  'return',
  'report-lost',
  'report-stolen',
  'found',
  'write-off',
  'mark-defective',
  'destroy',
] as const
export type KeyAction = (typeof keyActions)[number]

/** The whole machine: what is not here does not happen. */
const transitions: Readonly<Record<KeyAction, { from: readonly KeyState[]; to: KeyState }>> = {
  receive: { from: ['ordered'], to: 'in_stock' },
  issue: { from: ['in_stock'], to: 'issued' },
  return: { from: ['issued'], to: 'in_stock' },
  'report-lost': { from: ['in_stock', 'issued'], to: 'lost' },
  'report-stolen': { from: ['in_stock', 'issued'], to: 'stolen' },
  found: { from: ['lost'], to: 'in_stock' },
  'write-off': { from: ['lost', 'stolen'], to: 'written_off' },
  'mark-defective': { from: ['in_stock', 'issued'], to: 'defective' },
  destroy: { from: ['defective'], to: 'destroyed' },
}

/** The state an action leads to, or undefined where the machine has no such step. */
export function keyAfter(action: KeyAction, state: KeyState): KeyState | undefined {
  const { from, to } = transitions[action]
  return from.includes(state) ? to : undefined
}

export const actionsFrom = (state: KeyState): KeyAction[] =>
  keyActions.filter((action) => keyAfter(action, state) !== undefined)

/** Why not, in a sentence that says what is possible instead. */
export function refusalOf(action: KeyAction, state: KeyState): string {
  const possible = actionsFrom(state)
  const rest = possible.length === 0 ? 'nothing more happens to it' : `possible from there: ${possible.join(', ')}`
  return `The key is ${state.replace('_', ' ')}, so ${action} is not possible; ${rest}`
}
