import { membershipActions, membershipColumns } from '../access/membership.tsx'
import type { AccessGroupMember } from '../api/generated/types.ts'
import { defineView } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'

/** The groups of a person. */
export const memberships = defineView<AccessGroupMember>({
  resource: resources.memberships,
  columns: ['access_group_id', ...membershipColumns],
  order: 'created_at.desc',
  isFixed: () => true,
  actions: membershipActions,
})
