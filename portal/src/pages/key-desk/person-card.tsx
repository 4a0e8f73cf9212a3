import { Anchor, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconArrowBackUp, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Individual, Key } from '../../api/generated/types.ts'
import { listOptions } from '../../api/queries.ts'
import { deskWords } from '../../i18n/desk-words.ts'
import { useWords } from '../../i18n/language.tsx'
import { LimitNote, useAbsence } from '../../resource/absence.tsx'
import { Where } from '../../resource/located.tsx'
import { isSeenInPart, labelOf, pathTo, resources } from '../../resource/resources.ts'
import { StatusBadge } from '../../resource/shown/status-badge.tsx'
import { DueDate } from '../../views/keys/due-date.tsx'

interface PersonCardProps {
  person: Individual
  /** Those that lie on the desk already. */
  chosen: readonly Key[]
  onTakeBack(key: Key): void
  onClose(): void
}

/** Who stands at the desk: how to reach them, and what they hold. */
export function PersonCard({ person, chosen, onTakeBack, onClose }: PersonCardProps) {
  const t = useWords()
  const absence = useAbsence()
  const { data } = useQuery(
    listOptions<Key>(resources.keys.api, { individual_id: `eq.${person.id}`, limit: '100', order: 'due_back_on.asc' }),
  )
  const held = data?.items.filter(({ id }) => !chosen.some((key) => key.id === id))
  return (
    <Paper withBorder p="md" component="section" aria-label={person.display_name}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <Group gap="xs">
              <Title order={2} size="h4">
                <Anchor
                  inherit
                  renderRoot={(props) => <Link to={pathTo(resources.individuals, person.id) ?? '/'} {...props} />}
                >
                  {person.display_name}
                </Anchor>
              </Title>
              <StatusBadge field="status" value={person.status} />
            </Group>
            <Text size="sm" c="dimmed">
              {[person.department, person.company, person.email, person.phone].filter(Boolean).join(' · ')}
            </Text>
          </div>
          <Button
            flex="none"
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconX size={14} aria-hidden />}
            onClick={onClose}
          >
            {deskWords(t).otherPerson}
          </Button>
        </Group>
        {held === undefined ? (
          <Skeleton height={32} />
        ) : data?.total === 0 ? (
          <Text size="sm" c="dimmed">
            {absence(resources.keys, deskWords(t).holdsNothing, deskWords(t).holdsNothingSeen)}
          </Text>
        ) : (
          <ul className="desk-keys">
            {held.map((key) => (
              <li key={key.id}>
                <span className="desk-key">
                  <b className="code">{labelOf(resources.keys, key)}</b>
                  <small>
                    <Where end={{ resource: resources.keys, id: key.id }} />
                  </small>
                </span>
                <span className="desk-key-more">{key.due_back_on !== null && <DueDate item={key} />}</span>
                {!isSeenInPart(resources.keys, key) && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    leftSection={<IconArrowBackUp size={14} aria-hidden />}
                    aria-label={`${t.locking.takeBack}: ${labelOf(resources.keys, key)}`}
                    onClick={() => onTakeBack(key)}
                  >
                    {t.locking.takeBack}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        <LimitNote resource={resources.keys} places={data?.limitedTo} />
      </Stack>
    </Paper>
  )
}
