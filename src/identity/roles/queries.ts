import { AppError } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import { refuseMoreThanOwn } from '../giving.ts'
import type { Role } from './schema.ts'

const refuseBuiltIn = ({ is_built_in, name }: Role, verb: string): void => {
  if (!is_built_in) return
  throw new AppError('INVALID_STATE', `${name} is a built-in role and cannot be ${verb}; create a role of your own instead`, {
    reason: 'role.built_in',
  })
}

/** Whoever has the role gains at once what is added, anywhere: the giver must hold it in the whole organization. */
export function prepareRole(tx: Tx, next: Role, current: Role | undefined): undefined {
  if (current) refuseBuiltIn(current, 'changed')
  const added = next.permissions.filter((permission) => !current?.permissions.includes(permission))
  refuseMoreThanOwn(
    tx.actor,
    added.map((permission) => [permission, 'all']),
  )
}

export async function beforeRoleDelete(_tx: Tx, role: Role): Promise<void> {
  refuseBuiltIn(role, 'deleted')
}
