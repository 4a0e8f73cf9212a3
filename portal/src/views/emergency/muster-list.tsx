import '../estate.css'
import { Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCheck, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Muster } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { readOptions, useChange } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { liveWords } from '../../i18n/live-words.ts'
import { ConfirmDialog } from '../../resource/dialog.tsx'
import { Reference } from '../../resource/reference.tsx'
import { resources } from '../../resource/resources.ts'
import { wordFor } from '../../resource/shown/status-badge.tsx'
import { Moment } from '../../resource/shown/value.tsx'
import { ErrorNote } from '../../shell/error-note.tsx'

type Person = Muster['people'][number]

/** At a muster point the list is looked at all the time. */
const LOOK_AGAIN_MS = 3000

/** Who is still missed and who was seen leaving, to be read, called and printed. */
export function MusterList({ id }: { id: string }) {
  const t = useWords()
  const format = useFormat()
  const [safe, setSafe] = useState<Person>()
  const { data, error, refetch } = useQuery({
    ...readOptions<Muster>(`${resources.buildings.api}/${id}/muster`),
    refetchInterval: LOOK_AGAIN_MS,
  })
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} />
  const words = liveWords(t)
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text c="dimmed" size="sm">
          {words.musterSince(format.moment(data.begins_at))}
        </Text>
        <Button
          className="no-print"
          variant="default"
          leftSection={<IconPrinter size={16} aria-hidden />}
          onClick={() => window.print()}
        >
          {words.printMuster}
        </Button>
      </Group>
      {data.people.length === 0 && <Text>{words.nobodyInside}</Text>}
      {(['unaccounted', 'accounted'] as const).map((status) => (
        <People
          key={status}
          status={status}
          people={data.people.filter((one) => one.status === status)}
          onSafe={setSafe}
        />
      ))}
      {safe && <SafeDialog person={safe} onClose={() => setSafe(undefined)} />}
    </Stack>
  )
}

function People({
  status,
  people,
  onSafe,
}: {
  status: Person['status']
  people: readonly Person[]
  onSafe(person: Person): void
}) {
  const t = useWords()
  const format = useFormat()
  const maySay = useMay()('presence:forgive')
  const words = liveWords(t)
  if (people.length === 0) return null
  return (
    <section aria-labelledby={status}>
      <Title order={2} size="h4" id={status} mb="xs">
        {words[status]} ({format.number(people.length)})
      </Title>
      <Paper withBorder>
        <ul className="muster">
          {people.map((person) => (
            <li key={person.individual_id}>
              <span>
                <Reference to={resources.individuals} id={person.individual_id} fallback={person.display_name} />
                <small>
                  {[wordFor(t.values, 'kind', person.kind), person.company, person.phone].filter(Boolean).join(' · ')}
                </small>
              </span>
              <span>
                {person.space}
                <small>
                  {words.lastSeen} <Moment at={person.since} />
                </small>
              </span>
              {status === 'unaccounted' && maySay && (
                <Button
                  className="no-print"
                  size="compact-sm"
                  variant="default"
                  leftSection={<IconCheck size={14} aria-hidden />}
                  onClick={() => onSafe(person)}
                >
                  {words.safe}
                  <span className="visually-hidden">: {person.display_name}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Paper>
    </section>
  )
}

function SafeDialog({
  person: { individual_id: id, display_name: name },
  onClose,
}: {
  person: Person
  onClose(): void
}) {
  const t = useWords()
  const words = liveWords(t)
  const change = useChange()
  const say = async () => {
    try {
      await change.mutateAsync({ method: 'POST', path: `${resources.individuals.api}/${id}/forgive`, body: {} })
      notifications.show({ message: words.isSafe(name), color: 'green' })
      onClose()
    } catch {
      // Told in the dialog.
    }
  }
  return (
    <ConfirmDialog
      title={words.safeTitle(name)}
      text={words.safeText}
      confirm={words.safe}
      isBusy={change.isPending}
      onConfirm={() => void say()}
      onClose={onClose}
    >
      {change.error && <ErrorNote error={change.error} />}
    </ConfirmDialog>
  )
}
