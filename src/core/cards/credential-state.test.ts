import { describe, expect, it } from 'vitest'
import {
  type CredentialFacts,
  type CredentialStatus,
  credentialReasons,
  credentialStatus,
  isRevivedTooFast,
} from './credential-state.ts'

const NOW = '2027-06-15T12:00:00.000Z'
const EARLIER = '2027-06-15T11:59:59.999Z'
const LATER = '2027-06-15T12:00:00.001Z'

const holder = { status: 'active', valid_from: null, valid_until: null } as const
const usable: CredentialFacts = {
  status_reason: 'none',
  valid_from: null,
  valid_until: null,
  max_uses: null,
  use_count: 0,
  holder,
}

describe('the status of a credential', () => {
  it.each<[string, Partial<CredentialFacts>, CredentialStatus]>([
    ['is active when nothing speaks against it', {}, 'active'],
    ['is active in the first instant of its window', { valid_from: NOW }, 'active'],
    ['is pending before its window', { valid_from: LATER }, 'pending'],
    ['is expired from the end of its window on', { valid_until: NOW }, 'expired'],
    ['is active until the end of its window', { valid_until: LATER }, 'active'],
    ['is active while uses are left', { max_uses: 2, use_count: 1 }, 'active'],
    ['is expired when the uses are used up', { max_uses: 2, use_count: 2 }, 'expired'],
    ['is pending without a holder', { holder: null }, 'pending'],
    ['is expired rather than pending when it was never given out', { holder: null, valid_until: EARLIER }, 'expired'],
    ['is pending while the holder is invited', { holder: { ...holder, status: 'invited' } }, 'pending'],
    ['is pending before the holder’s time', { holder: { ...holder, valid_from: LATER } }, 'pending'],
    ['is suspended with its holder', { holder: { ...holder, status: 'suspended' } }, 'suspended'],
    ['is terminated with an offboarded holder', { holder: { ...holder, status: 'offboarded' } }, 'terminated'],
    ['is terminated with an anonymised holder', { holder: { ...holder, status: 'anonymised' } }, 'terminated'],
    ['is expired from the end of the holder’s time on', { holder: { ...holder, valid_until: NOW } }, 'expired'],
    ['stays terminated though its window is yet to come', { status_reason: 'lost', valid_from: LATER }, 'terminated'],
    ['stays suspended though its window is over', { status_reason: 'locked_out', valid_until: EARLIER }, 'suspended'],
  ])('%s', (_name, facts, expected) => {
    expect(credentialStatus({ ...usable, ...facts }, NOW)).toBe(expected)
  })

  it('follows from each reason as the model says', () => {
    const byReason = Object.fromEntries(
      credentialReasons.map((reason) => [reason, credentialStatus({ ...usable, status_reason: reason }, NOW)]),
    )
    expect(byReason).toEqual({
      none: 'active',
      not_collected: 'pending',
      forgotten: 'suspended',
      lost: 'terminated',
      stolen: 'terminated',
      damaged: 'terminated',
      returned: 'terminated',
      revoked: 'terminated',
      inactivity: 'suspended',
      locked_out: 'suspended',
    })
  })
})

it('from a terminating reason the way back is to a suspending one; any other may change freely', () => {
  const refused = Object.fromEntries(
    credentialReasons
      .map((from) => [from, credentialReasons.filter((to) => isRevivedTooFast(from, to))] as const)
      .filter(([, list]) => list.length > 0),
  )
  const usable = ['none', 'not_collected']
  expect(refused).toEqual({ lost: usable, stolen: usable, damaged: usable, returned: usable, revoked: usable })
})
