import { Anchor, List, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Key, KeyReach } from '../api/generated/types.ts'
import { listOptions, readOptions } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { LimitNote, useAbsence } from '../resource/absence.tsx'
import { labelOf, pathTo, resources } from '../resource/resources.ts'
import { useHasView } from '../resource/views.tsx'
import { CutNote } from './cut-note.tsx'

/** What the keys in somebody's hands open. */
export function HeldKeys({ individualId }: { individualId: string }) {
  const t = useWords()
  const absence = useAbsence()
  const { data } = useQuery(listOptions<Key>(resources.keys.api, { individual_id: `eq.${individualId}`, limit: '100' }))
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        {t.people.byKeys}
      </Title>
      {data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          {absence(resources.keys, t.people.noKeys)}
        </Text>
      )}
      <List size="sm" spacing={6}>
        {data?.items.map((key) => (
          <HeldKey key={key.id} held={key} />
        ))}
      </List>
      <CutNote isCut={data !== undefined && data.total > data.items.length} />
      <LimitNote resource={resources.keys} places={data?.limitedTo} />
    </Stack>
  )
}

/** What may not be read is not said to be none. */
const opensIn = ({ access_points: doors, spaces }: KeyReach['opens'], t: ReturnType<typeof useWords>): string =>
  doors === null || spaces === null ? t.people.opensUnseen : t.people.keyOpens(doors.length, spaces.length)

function HeldKey({ held }: { held: Key }) {
  const t = useWords()
  const hasView = useHasView()
  const { data } = useQuery(readOptions<KeyReach>(`${resources.keys.api}/${held.id}/opens`))
  const label = labelOf(resources.keys, held)
  return (
    <List.Item>
      {hasView('keys') ? (
        <Anchor inherit renderRoot={(props) => <Link to={pathTo(resources.keys, held.id) ?? '/'} {...props} />}>
          {label}
        </Anchor>
      ) : (
        label
      )}{' '}
      <Text span inherit c="dimmed">
        {data ? opensIn(data.opens, t) : <Skeleton height={12} width={120} display="inline-block" />}
      </Text>
    </List.Item>
  )
}
