import { membershipActions, membershipColumns } from '../access/membership.tsx'
import type { AccessGroupMember } from '../api/generated/types.ts'
import { defineView } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'

export const accessGroupMembers = defineView<AccessGroupMember>({
  resource: resources['access-group-members'],
  columns: ['individual_id', ...membershipColumns],
  order: 'created_at.desc',
  filters: [{ field: 'individual_id', kind: 'reference' }],
  isFixed: () => true,
  actions: membershipActions,
})
