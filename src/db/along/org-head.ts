/** The last row of a chain. It is kept apart from the chain too, so that rows missing at the end are found. */
export interface AuditHead {
  sequence: number
  hash: string
}

/**
 * How far an organization is: its changes and its audit log are numbered in its own row, which a change holds while it
 * lasts.
 */
export interface OrgHead extends AuditHead {
  readonly key: number
  readonly id: string
  /** How many changes were committed. */
  readonly data: number
}
