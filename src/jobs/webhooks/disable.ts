import type { Actor } from '../../db/audit.ts'
import { change } from '../../db/change.ts'
import type { Engine } from '../../db/engine.ts'
import type { MailOutbox } from '../../db/mails.ts'
import { findRow, updateRow } from '../../db/rows.ts'
import { webhooks } from '../../resources/webhooks/schema.ts'
import type { Key } from './state.ts'

const actor: Actor = { kind: 'system', id: null, name: 'Webhooks', address: null, reqId: null }

/** Gives up on a receiver: on the record, as a change that others may follow, and by a letter to its owner. */
export async function disableWebhook(
  engine: Engine,
  { org, id }: Key,
  now: string,
  reason: string,
  mail: MailOutbox,
): Promise<void> {
  await change(engine, org, now, actor, async (tx) => {
    const row = await findRow(tx, webhooks, id, 'all')
    if (row?.status !== 'active') return
    await updateRow(tx, webhooks, row, { status: 'disabled', disabled_reason: reason.slice(0, 200) }, 'disabled')
    if (row.user_id) await mail.queue(tx, row.user_id, 'webhook_disabled', { url: row.url, reason })
  })
}
