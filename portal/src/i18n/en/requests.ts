/** Access that is asked for. */
export const requests = {
  ask: 'Ask for access',
  approve: 'Approve',
  approveTitle: 'Approve this request?',
  approveText: 'The access is given as it was asked for, at once or from the day that was named.',
  approved: 'Approved: the access was given',
  deny: 'Deny',
  denyTitle: 'Deny this request?',
  denyText: 'Nothing is given. Say why, for whoever asked.',
  denied: 'Denied',
  withdraw: 'Withdraw',
  withdrawTitle: 'Withdraw this request?',
  withdrawn: 'Withdrawn',
}
