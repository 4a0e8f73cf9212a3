import { checkWindow } from '../../core/window.ts'
import type { Tx } from '../../db/change.ts'
import type { AccessGroupMember } from './schema.ts'

export function prepareMember(_tx: Tx, next: AccessGroupMember): undefined {
  checkWindow(next)
}
