import type { Permission } from '../../core/permissions.ts'
import type { LimitingPlace } from '../../db/scope.ts'

/** Why a caller may be shown less than there is. */
export interface Cut {
  /** Undefined: no place cuts it. */
  readonly limits: LimitingPlace[] | undefined
  readonly missing: readonly Permission[]
}

/** As `meta` says it: without it, what is not told would pass for what is not there. */
export const saidOf = ({ limits, missing }: Cut): object => ({
  ...(limits ? { limited_to: limits } : {}),
  ...(missing.length > 0 ? { missing_permissions: missing } : {}),
})
