import type { WebhookDelivery } from '../../api/generated/types.ts'
import { defineView } from '../../resource/define-view.ts'
import { resources } from '../../resource/resources.ts'

export const webhookDeliveries = defineView<WebhookDelivery>({
  resource: resources['webhook-deliveries'],
  columns: [
    'attempted_at',
    'type',
    'result',
    'status_code',
    'response',
    'error',
    'sequence',
    { field: 'attempt', isExtra: true },
    { field: 'duration_ms', isExtra: true },
    { field: 'feed', isExtra: true },
    { field: 'message_id', isExtra: true },
  ],
  order: 'attempted_at.desc',
  filters: [{ field: 'result', kind: 'values', values: ['delivered', 'failed'] }],
})
