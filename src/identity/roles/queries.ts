import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import { sql } from '../../db/sql.ts'
import { refuseEasing } from '../demanded-factor.ts'
import { refuseIdentityByToken, refuseMoreThanOwn } from '../giving.ts'
import type { Role } from './schema.ts'

const refuseBuiltIn = ({ is_built_in, name }: Role, verb: string): void => {
  if (!is_built_in) return
  throw new AppError(
    'INVALID_STATE',
    `${name} is a built-in role and cannot be ${verb}; create a role of your own instead`,
    {
      reason: 'role.built_in',
    },
  )
}

/** Whoever has the role gains at once what is added, anywhere: the giver must hold it in the whole organization. */
export async function prepareRole(tx: Tx, next: Role, current: Role | undefined): Promise<undefined> {
  if (current && !isDeepStrictEqual({ ...next, requires_second_factor: current.requires_second_factor }, current))
    refuseBuiltIn(current, 'changed')
  if (current?.requires_second_factor && !next.requires_second_factor) refuseEasing(tx.actor, current.permissions)
  const added = next.permissions.filter((permission) => !current?.permissions.includes(permission))
  refuseMoreThanOwn(
    tx.actor,
    added.map((permission) => [permission, 'all']),
  )
  if (current && (await isHeldByUsers(tx, current))) refuseIdentityByToken(tx.actor, added)
}

const isHeldByUsers = async (tx: Tx, { id }: Role): Promise<boolean> =>
  (await tx.one(
    sql`select t.id from role_assignments t where t.org = :org and t.role_id = ${id} and t.user_id is not null limit 1`,
  )) !== undefined

export async function beforeRoleDelete(_tx: Tx, role: Role): Promise<void> {
  refuseBuiltIn(role, 'deleted')
}
