import './estate.css'
import { IconArrowRight } from '@tabler/icons-react'
import type { KeyHandover } from '../api/generated/types.ts'
import { defineView } from '../resource/define-view.ts'
import { Reference } from '../resource/reference.tsx'
import { resources } from '../resource/resources.ts'
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
    title: (_, t) => t.resources['key-handovers'].one,
    subtitle: ({ key_id, individual_id }) => (
      <span className="from-to in-text">
        <Reference to={resources.keys} id={key_id} /> <IconArrowRight size={14} aria-hidden />{' '}
        <Reference to={resources.individuals} id={individual_id} />
      </span>
    ),
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
      { title: (t) => t.locking.ended, facts: ['outcome', 'ended_at', 'returned_at', 'received_by', 'return_condition', 'external_id'] },
    ],
  },
})
