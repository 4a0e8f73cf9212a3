import type { PoolConfig } from 'pg'

/**
 * How long things may take on a connection, in milliseconds. Each is shorter than the next, so that the refusal names
 * what it was.
 */
export interface Budget {
  /** For a row or table that another transaction holds. */
  lock: number
  statement: number
  /** Between two statements of a transaction: a process that stands still must not hold the others up. */
  idleInTransaction: number
  /**
   * For a commit to be confirmed. An answer begins within 10 s (http/signal.ts): together they are shorter than a
   * socket lives.
   */
  commit: number
  /** For a free connection. */
  connection: number
}

/** Somebody waits for the answer. */
export const hurried: Budget = { lock: 3000, statement: 5000, idleInTransaction: 5000, commit: 4000, connection: 5000 }

const MINUTE = 60_000

/** Migrations, exports, verification, commands: long, and still not for ever. */
export const unhurried: Budget = {
  lock: 10 * MINUTE,
  statement: 60 * MINUTE,
  idleInTransaction: 10 * MINUTE,
  commit: 10 * MINUTE,
  connection: MINUTE,
}

/** Past this the server itself does not answer any more: it would have ended the statement. */
const GRACE_MS = 1000

/** How often a backend looks whether we are still there: a process that was killed leaves no statement behind. */
const CHECK_MS = 500

/** What makes a connection keep to the budget. */
export const keepTo = (budget: Budget): PoolConfig => ({
  connectionTimeoutMillis: budget.connection,
  query_timeout: budget.statement + GRACE_MS,
  options: [
    'timezone=UTC',
    `lock_timeout=${budget.lock}`,
    `statement_timeout=${budget.statement}`,
    `idle_in_transaction_session_timeout=${budget.idleInTransaction}`,
    // To compile a statement takes longer than any of ours runs.
    'jit=off',
  ]
    .map((setting) => `-c ${setting}`)
    .join(' '),
  // By itself, since not every platform of a server can do it: there the statement's own time limit is what ends it.
  onConnect: async (client) => {
    await client.query(`set client_connection_check_interval = ${CHECK_MS}`).catch(() => undefined)
  },
})
