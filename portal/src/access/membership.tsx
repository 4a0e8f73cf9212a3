import { IconCalendar, IconUserMinus } from '@tabler/icons-react'
import type { AccessGroupMember } from '../api/generated/types.ts'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import type { ActionDef, ColumnDef } from '../resource/define-view.ts'
import { apiOf, resources } from '../resource/resources.ts'
import { ToneBadge } from '../resource/shown/status-badge.tsx'

export const membersOf = (groupId: string): string => apiOf(resources['access-group-members'], groupId)
const pathOf = ({ access_group_id: groupId, id }: AccessGroupMember): string => `${membersOf(groupId)}/${id}`

/** Whether somebody belongs to the group today, in words. */
function MembershipStatus({ member: { valid_from: from, valid_until: until } }: { member: AccessGroupMember }) {
  const t = useWords()
  const format = useFormat()
  const now = Date.now()
  if (until !== null && Date.parse(until) <= now)
    return <ToneBadge tone="over">{t.people.ended(format.moment(until))}</ToneBadge>
  if (from !== null && Date.parse(from) > now)
    return <ToneBadge tone="waiting">{t.people.starts(format.moment(from))}</ToneBadge>
  return (
    <ToneBadge tone="good">
      {until === null ? t.people.memberNow : t.people.memberUntil(format.moment(until))}
    </ToneBadge>
  )
}

export const membershipColumns: ReadonlyArray<ColumnDef<AccessGroupMember>> = [
  { key: 'status', title: (t) => t.fields.status, render: (member) => <MembershipStatus member={member} /> },
  { field: 'valid_from', isExtra: true },
  { field: 'valid_until', isExtra: true },
  'created_at',
]

/** The same from both sides: a group's members, and a person's groups. */
export const membershipActions: ReadonlyArray<ActionDef<AccessGroupMember>> = [
  {
    name: 'period',
    label: (t) => t.people.period,
    icon: IconCalendar,
    permission: 'access-groups:write',
    title: (t) => t.people.period,
    text: (t) => t.people.periodText,
    form: {
      body: 'AccessGroupMemberPatch',
      sections: [{ fields: ['valid_from', 'valid_until'] }],
      initial: (member) => ({ ...member }),
    },
    run: (change, member, { valid_from = null, valid_until = null }) =>
      change({ method: 'PATCH', path: pathOf(member), body: { valid_from, valid_until } }),
    done: (t) => t.people.periodSaved,
  },
  {
    name: 'remove',
    label: (t) => t.people.remove,
    icon: IconUserMinus,
    permission: 'access-groups:write',
    isDangerous: true,
    title: (t) => t.people.remove,
    run: (change, member) => change({ method: 'DELETE', path: pathOf(member) }),
    undo: ({ access_group_id: groupId, individual_id, valid_from, valid_until, external_id }) => ({
      method: 'POST',
      path: membersOf(groupId),
      body: { individual_id, valid_from, valid_until, external_id },
    }),
    done: (t) => t.people.removed,
  },
]
