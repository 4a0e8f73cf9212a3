export type IndividualStatus = 'invited' | 'active' | 'suspended' | 'offboarded' | 'anonymised'
export type IndividualAction = 'suspend' | 'reactivate' | 'offboard' | 'anonymise'

/** Who was offboarded may come back, without what was revoked; an anonymised person is nobody any more. */
const transitions: Readonly<Record<IndividualAction, { from: readonly IndividualStatus[]; to: IndividualStatus }>> = {
  suspend: { from: ['invited', 'active'], to: 'suspended' },
  reactivate: { from: ['invited', 'suspended', 'offboarded'], to: 'active' },
  offboard: { from: ['invited', 'active', 'suspended'], to: 'offboarded' },
  anonymise: { from: ['offboarded'], to: 'anonymised' },
}

/** The status an action leads to, or undefined where it makes no sense. */
export function individualAfter(action: IndividualAction, status: IndividualStatus): IndividualStatus | undefined {
  const { from, to } = transitions[action]
  return from.includes(status) ? to : undefined
}

export const statusesFor = (action: IndividualAction): readonly IndividualStatus[] => transitions[action].from
