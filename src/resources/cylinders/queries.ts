import { invalid } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import type { Cylinder } from './schema.ts'

/** A cylinder is installed in an access point, or it is in none; nothing is guessed from one half of a change. */
export function prepareCylinder(tx: Tx, next: Cylinder, current: Cylinder | undefined): undefined {
  checkPlace(next)
  if (next.access_point_id === null) {
    if (next.installed_at !== null && next.installed_at !== current?.installed_at) {
      throw invalid('installed_at', 'cylinder.not_installed', 'installed_at: the cylinder is in no access point')
    }
    next.installed_at = null
    return
  }
  const isMoved = current?.access_point_id !== next.access_point_id
  const isDated = next.installed_at !== null && next.installed_at !== current?.installed_at
  if (isMoved && !isDated) next.installed_at = tx.now
}

function checkPlace({ status, access_point_id }: Cylinder): void {
  if (status === 'installed' && access_point_id === null) {
    throw invalid(
      'access_point_id',
      'cylinder.no_access_point',
      'An installed cylinder needs access_point_id: give it in the same change',
    )
  }
  if (access_point_id !== null && status !== 'installed' && status !== 'defective') {
    const state = status.replace('_', ' ')
    throw invalid(
      'status',
      'cylinder.not_installed',
      `A cylinder that is ${state} is in no access point: set status to installed to build it in, or ` +
        'access_point_id to null to take it out',
    )
  }
}
