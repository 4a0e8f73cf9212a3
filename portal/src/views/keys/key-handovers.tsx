import type { KeyHandover } from '../../api/generated/types.ts'
import { useWords } from '../../i18n/language.tsx'
import { defineView } from '../../resource/define-view.ts'
import { useReferenced } from '../../resource/reference.tsx'
import { labelOf, resources } from '../../resource/resources.ts'
import { DueDate } from './due-date.tsx'

export const keyHandovers = defineView<KeyHandover>({
  resource: resources['key-handovers'],
  columns: [
    'key_id',
    'individual_id',
    'outcome',
    'issued_at',
    { field: 'due_back_on', render: (handover) => <DueDate item={handover} /> },
    'ended_at',
    'purpose',
    { field: 'issued_by', isExtra: true },
    { field: 'received_by', isExtra: true },
    { field: 'deposit_amount', isExtra: true, align: 'right' },
    { field: 'condition', isExtra: true },
    { field: 'return_condition', isExtra: true },
  ],
  order: 'issued_at.desc',
  filters: [
    { field: 'outcome', kind: 'values', values: ['held', 'returned', 'lost', 'stolen', 'defective'] },
    { field: 'individual_id', kind: 'reference' },
    { field: 'key_id', kind: 'reference' },
    { field: 'issued_at', kind: 'period' },
    { field: 'due_back_on', kind: 'period' },
  ],
  detail: {
    badges: ['outcome'],
    title: useTitle,
    sections: [
      {
        title: (t) => t.locking.handedOut,
        facts: [
          'key_id',
          'individual_id',
          'issued_at',
          'issued_by',
          { field: 'due_back_on', render: (handover) => <DueDate item={handover} /> },
          'purpose',
          'deposit_amount',
          'condition',
        ],
      },
      {
        title: (t) => t.locking.ended,
        facts: ['outcome', 'ended_at', 'returned_at', 'received_by', 'return_condition', 'external_id'],
      },
    ],
  },
})

/** Which key, to whom. */
function useTitle({ key_id, individual_id }: KeyHandover): string {
  const t = useWords()
  const key = useReferenced(resources.keys, key_id).data
  const person = useReferenced(resources.individuals, individual_id).data
  const names = [key && labelOf(resources.keys, key), person && labelOf(resources.individuals, person)].filter(Boolean)
  return names.length > 0 ? names.join(' → ') : t.resources['key-handovers'].one
}
