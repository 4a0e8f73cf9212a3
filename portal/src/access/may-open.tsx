import { Alert, Stack } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { AccessGrant, AccessGroupMember, Individual } from '../api/generated/types.ts'
import { useMay } from '../api/me.ts'
import { listOptions } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import type { ColumnDef } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'
import { ErrorNote } from '../shell/error-note.tsx'
import { GrantEnd, grantColumns, subjectOf } from './grant.tsx'
import { GrantSection } from './grant-table.tsx'
import { HeldKeys } from './held-keys.tsx'
import { inList, useGrants } from './use-grants.ts'

const columns: ReadonlyArray<ColumnDef<AccessGrant>> = [
  grantColumns.what,
  { key: 'through', title: (t) => t.people.through, render: (grant) => <Through grant={grant} /> },
  grantColumns.effect,
  grantColumns.status,
]

/** What somebody may open, and through what: their own grants, those of their groups, and the keys in their hands. */
export function MayOpen({ individual: { id, status } }: { individual: Individual }) {
  const t = useWords()
  const may = useMay()
  const seesGroups = may('access-groups:read')
  const memberships = useQuery({
    ...listOptions<AccessGroupMember>(resources.memberships.api, { individual_id: `eq.${id}`, limit: '100' }),
    enabled: seesGroups,
  })
  const groups = seesGroups ? memberships.data?.items.filter(isMember).map((member) => member.access_group_id) : []
  const { grants, isCut, error } = useGrants(
    groups && [{ individual_id: `eq.${id}` }, ...(groups.length > 0 ? [{ access_group_id: inList(groups) }] : [])],
  )
  const failure = memberships.error ?? error
  if (failure) return <ErrorNote error={failure} />
  return (
    <Stack gap="md">
      {status !== 'active' && (
        <Alert color="yellow" icon={<IconInfoCircle size={18} aria-hidden />}>
          {t.people.notActive}
        </Alert>
      )}
      <GrantSection grants={grants} isCut={isCut} columns={columns} empty={t.people.mayOpenNothing} />
      {may('keys:read') && <HeldKeys individualId={id} />}
    </Stack>
  )
}

const isMember = ({ valid_until: until }: AccessGroupMember): boolean => until === null || Date.parse(until) > Date.now()

function Through({ grant }: { grant: AccessGrant }) {
  const t = useWords()
  return grant.individual_id === null ? <GrantEnd end={subjectOf(grant)} /> : t.people.personally
}
