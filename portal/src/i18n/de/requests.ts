import type { Messages } from '../messages.ts'

export const requests: Messages['requests'] = {
  ask: 'Zutritt beantragen',
  approve: 'Genehmigen',
  approveTitle: 'Diesen Antrag genehmigen?',
  approveText: 'Der Zutritt wird gegeben wie beantragt, sofort oder ab dem genannten Tag.',
  approved: 'Genehmigt: der Zutritt ist gegeben',
  deny: 'Ablehnen',
  denyTitle: 'Diesen Antrag ablehnen?',
  denyText: 'Nichts wird gegeben. Sagen Sie dem Antragsteller, warum.',
  denied: 'Abgelehnt',
  withdraw: 'Zurückziehen',
  withdrawTitle: 'Diesen Antrag zurückziehen?',
  withdrawn: 'Zurückgezogen',
}
