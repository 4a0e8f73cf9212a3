/** As it is stored, and as the chain covers it. */
export interface AuditRow extends AuditEntry {
  key_id: string | null
  signature: string | null
}

/** One that is not signed yet, or stands before one that is. */
export interface AuditEntry {
  sequence: number
  id: string
  occurred_at: string
  action: string
  resource: string
  resource_id: string | null
  actor_kind: string
  actor_id: string | null
  actor_name: string
  address: string | null
  req_id: string | null
  salt: string
  content: string | null
  content_hash: string
  hash: string
}
