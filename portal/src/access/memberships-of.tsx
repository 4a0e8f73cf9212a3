import { Skeleton, Stack } from '@mantine/core'
import { Suspense, useMemo } from 'react'
import type { AccessGroup, Individual } from '../api/generated/types.ts'
import { useWords } from '../i18n/language.tsx'
import { useView } from '../resource/known-views.ts'
import { ResourceList } from '../resource/resource-list.tsx'
import { isSeenInPart, resources } from '../resource/resources.ts'
import { AddMembers } from './add-members.tsx'

/** The groups that somebody is in, and into which they are put. */
export function MembershipsOf({ individual: { id, status } }: { individual: Individual }) {
  const t = useWords()
  const isGone = status === 'offboarded' || status === 'anonymised'
  return (
    <Stack gap="sm">
      {!isGone && (
        <AddMembers
          to={resources['access-groups']}
          label={t.people.chooseGroups}
          pair={(groupId) => ({ groupId, individualId: id })}
        />
      )}
      <Suspense fallback={<Skeleton height={200} />}>
        <Memberships id={id} />
      </Suspense>
    </Stack>
  )
}

function Memberships({ id }: { id: string }) {
  const view = useView('memberships')
  const fixed = useMemo(() => ({ individual_id: `eq.${id}` }), [id])
  return <ResourceList view={view} fixed={fixed} />
}

/** The people in a group. */
export function MembersOf({ group }: { group: AccessGroup }) {
  const t = useWords()
  const groupId = group.id
  return (
    <Stack gap="sm">
      {!isSeenInPart(resources['access-groups'], group) && (
        <AddMembers
          to={resources.individuals}
          label={t.people.choosePeople}
          pair={(individualId) => ({ groupId, individualId })}
        />
      )}
      <Suspense fallback={<Skeleton height={200} />}>
        <Members groupId={groupId} />
      </Suspense>
    </Stack>
  )
}

function Members({ groupId }: { groupId: string }) {
  const view = useView('access-group-members')
  return <ResourceList view={view} parentId={groupId} />
}
