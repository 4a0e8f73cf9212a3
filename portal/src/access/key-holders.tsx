import { List, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { Cylinder, Key, LockingPlan } from '../api/generated/types.ts'
import { listOptions, readOptions } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { useAbsence } from '../resource/absence.tsx'
import { Reference } from '../resource/reference.tsx'
import { labelOf, resources } from '../resource/resources.ts'
import { ErrorNote } from '../shell/error-note.tsx'
import { CutNote } from './cut-note.tsx'
import { inList } from './use-grants.ts'

/** Who holds a key that fits a cylinder in one of these doors, by the locking plan. */
export function KeyHolders({ doors }: { doors: readonly string[] }) {
  const t = useWords()
  const absence = useAbsence()
  const { data: fitted, error } = useQuery({
    ...listOptions<Cylinder>(resources.cylinders.api, { access_point_id: inList(doors), limit: '100' }),
    enabled: doors.length > 0,
  })
  const cylinders = fitted?.items
  const systems = [...new Set(cylinders?.map(({ locking_system_id: id }) => id))]
  const plans = useQueries({ queries: systems.map((id) => readOptions<LockingPlan>(`${resources['locking-system'].api}/${id}/plan`)) })
  // A plan that may not be read says nothing of who has a key.
  const areKnown = cylinders !== undefined && plans.every(({ isPending }) => !isPending)
  const here = new Set(cylinders?.map(({ id }) => id))
  const cells = plans.flatMap(({ data }) => data?.cells ?? []).filter(({ cylinder_id: id }) => here.has(id))
  const types = [...new Set(cells.map(({ key_type_id: id }) => id))]
  const held = useQuery({
    ...listOptions<Key>(resources.keys.api, { key_type_id: inList(types), individual_id: 'is.not_null', limit: '100' }),
    enabled: areKnown && types.length > 0,
  })
  const keys = held.data?.items
  const failure = error ?? held.error
  const isNobody = doors.length === 0 || (areKnown && (types.length === 0 || keys?.length === 0))
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        {t.people.byKeys}
      </Title>
      {failure ? (
        <ErrorNote error={failure} />
      ) : isNobody ? (
        <Text size="sm" c="dimmed">
          {plans.some(({ error: unread }) => unread !== null) ? t.people.keysNotSeen : absence(resources.keys, t.people.nobodyHasKey)}
        </Text>
      ) : keys === undefined ? (
        <Skeleton height={12} width={260} />
      ) : (
        <List size="sm" spacing={6}>
          {keys.map((key) => (
            <List.Item key={key.id}>
              <Reference to={resources.individuals} id={key.individual_id ?? ''} fallback={t.resources.individuals.one} />{' '}
              <Text span inherit c="dimmed">
                {labelOf(resources.keys, key)}
              </Text>
            </List.Item>
          ))}
        </List>
      )}
      <CutNote isCut={[fitted, held.data].some((page) => page !== undefined && page.total > page.items.length)} />
    </Stack>
  )
}
