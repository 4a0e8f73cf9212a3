import { AppError, databaseAway, tooSlow, unavailable } from '../../core/errors.ts'

export interface PgError extends Error {
  code?: string
  severity?: string
}

/**
 * Connection lost (08, network), shutting down or starting (57P), out of connections, memory or disk (53), its disk
 * failing (58), a standby that takes no writes yet (25006), a transaction that stood idle too long (25P03), one that
 * does not know our password just now (28), and two transactions that stood in each other's way (40).
 */
function isAway(error: PgError): boolean {
  const code = error.code ?? ''
  return (
    /^(08|25006|25P03|28|40|53|57P|58)/.test(code) ||
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOENT)/.test(code) ||
    /connection|timeout exceeded/i.test(error.message)
  )
}

/** The driver's own words for a server that says nothing at all. */
const isSilent = ({ message }: PgError): boolean => message === 'Query read timeout'

/** What a caller is told. The rest is a fault of ours. */
export function translate(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error
  const { code } = error as PgError
  if (code === '57014') return tooSlow(error)
  if (code === '55P03')
    return unavailable(
      'locked',
      'Another change holds what this one needs; nothing was changed. Try again shortly',
      error,
    )
  return isSilent(error) || isAway(error) ? databaseAway(error) : error
}

/** Writing does not work, whatever reads say: a standby, a full or failing disk. */
export function isUnwritable(error: unknown): boolean {
  const { code } = (error instanceof AppError ? (error.cause ?? {}) : error) as PgError
  return /^(25006|53|58)/.test(code ?? '')
}

/** Whether the connection is of no use any more: most of what the server itself refuses leaves it as it was. */
export function isBreaking(error: unknown): boolean {
  const { code = '', severity } = error as PgError
  return severity === undefined || /^(08|25P0[34]|28|53300|57P)/.test(code)
}

/** The commit was sent and no word came back: the one moment at which nobody can tell. */
export function translateCommit(error: unknown): unknown {
  if (!isBreaking(error)) return translate(error)
  return unavailable(
    'unconfirmed',
    'The database did not confirm the change; look whether it was made before you send it again',
    error,
  )
}
