import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { House } from '../../http/context.ts'
import { createGroup, deleteGroup, listGroups, patchGroup, replaceGroup, shownGroup } from './groups.ts'
import type { Json } from './messages.ts'
import { createUser, deleteUser, listUsers, patchUser, replaceUser, shownUser } from './users.ts'

/** What SCIM calls a resource type. */
export interface Kind {
  list(handle: OrgHandle, query: URLSearchParams, base: string): Promise<Json>
  shown(handle: OrgHandle, id: string, base: string, query?: URLSearchParams): Promise<Json>
  /** Answers with its id. */
  create(tx: Tx, house: House, body: unknown): Promise<string>
  replace(tx: Tx, house: House, id: string, body: unknown): Promise<void>
  patch(tx: Tx, house: House, id: string, body: unknown): Promise<void>
  remove(tx: Tx, house: House, id: string): Promise<void>
  /** Whole it may be too much to answer every change with. */
  isLarge: boolean
}

export const kinds = {
  Users: {
    list: listUsers,
    shown: shownUser,
    create: createUser,
    replace: replaceUser,
    patch: patchUser,
    remove: deleteUser,
    isLarge: false,
  },
  Groups: {
    list: listGroups,
    shown: shownGroup,
    create: createGroup,
    replace: replaceGroup,
    patch: patchGroup,
    remove: deleteGroup,
    isLarge: true,
  },
} as const satisfies Record<string, Kind>
