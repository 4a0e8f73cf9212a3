import type { Command } from '../../api/generated/types.ts'
import { defineView } from '../../resource/define-view.ts'
import { resources } from '../../resource/resources.ts'

export const commands = defineView<Command>({
  resource: resources.commands,
  columns: [
    'created_at',
    'action',
    'status',
    'access_point_id',
    'requested_by',
    'reason',
    'seconds',
    'error_message',
    { field: 'sent_at', isExtra: true },
    { field: 'ended_at', isExtra: true },
  ],
  order: 'created_at.desc',
  filters: [
    { field: 'status', kind: 'values', values: ['queued', 'sent', 'confirmed', 'failed', 'timed_out'] },
    { field: 'action', kind: 'values', values: ['unlock', 'lock', 'block', 'release'] },
    { field: 'access_point_id', kind: 'reference' },
  ],
})
