import { refuseTwoPlaces } from '../../core/one-place.ts'
import { checkWindow } from '../../core/window.ts'
import type { Tx } from '../../db/change.ts'
import type { AccessGroup, AccessGroupMember } from './schema.ts'

export function prepareGroup(_tx: Tx, next: AccessGroup): undefined {
  refuseTwoPlaces(next)
}

export function prepareMember(_tx: Tx, next: AccessGroupMember): undefined {
  checkWindow(next)
}
