import { Anchor, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconMail, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useKeyNames } from '../../access/key-names.ts'
import type { Key } from '../../api/generated/types.ts'
import { useMe } from '../../api/me.ts'
import { listOptions } from '../../api/queries.ts'
import { deskWords } from '../../i18n/desk-words.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { LimitNote, useAbsence } from '../../resource/absence.tsx'
import { Located } from '../../resource/located.tsx'
import { Reference, useReferenced } from '../../resource/reference.tsx'
import { resources } from '../../resource/resources.ts'
import { PrintAlone, usePrintAlone } from '../../resource/shown/print-alone.tsx'
import { textIn } from '../../typed.ts'
import { DueDate } from '../../views/keys/due-date.tsx'
import { overdue } from '../overview/concerns.ts'
import { OverdueLetter } from './overdue-letter.tsx'

const MOST = '100'

/** Keys that should be back, by whom they are with: whom to ask, how to reach them. */
export function Overdue() {
  const t = useWords()
  const format = useFormat()
  const absence = useAbsence()
  const printing = usePrintAlone()
  const { data } = useQuery(
    listOptions<Key>(resources.keys.api, {
      ...overdue(format.today),
      limit: MOST,
      order: 'individual_id.asc,due_back_on.asc',
    }),
  )
  const holders = [...Map.groupBy(data?.items ?? [], ({ individual_id: id }) => id ?? '')].filter(([id]) => id !== '')
  return (
    <section aria-labelledby="overdue">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="overdue">
          {deskWords(t).overdue}
          {data && data.total > 0 && (
            <>
              {' '}
              <Anchor
                inherit
                underline="always"
                renderRoot={(props) => <Link to="/keys" search={overdue(format.today)} {...props} />}
              >
                ({format.number(data.total)})
              </Anchor>
            </>
          )}
        </Title>
        {holders.length > 0 && (
          <Button
            className="no-print"
            size="xs"
            variant="default"
            leftSection={<IconPrinter size={14} aria-hidden />}
            onClick={printing.print}
          >
            {deskWords(t).printReminders}
          </Button>
        )}
      </Group>
      {data === undefined ? (
        <Skeleton height={80} />
      ) : holders.length === 0 ? (
        <Text size="sm" c="dimmed">
          {absence(resources.keys, deskWords(t).noneOverdue, deskWords(t).noneOverdueSeen)}
        </Text>
      ) : (
        <div className="overdue-people">
          {holders.map(([id, keys]) => (
            <Holder key={id} id={id} keys={keys} />
          ))}
        </div>
      )}
      {data && data.total > data.items.length && (
        <Anchor size="sm" renderRoot={(props) => <Link to="/keys" search={overdue(format.today)} {...props} />}>
          {t.detail.showAll(format.number(data.total))}
        </Anchor>
      )}
      <LimitNote resource={resources.keys} places={data?.limitedTo} />
      {printing.isPrinting && (
        <PrintAlone>
          {holders.map(([id, keys]) => (
            <OverdueLetter key={id} holderId={id} keys={keys} />
          ))}
        </PrintAlone>
      )}
    </section>
  )
}

function Holder({ id, keys }: { id: string; keys: readonly Key[] }) {
  const t = useWords()
  const format = useFormat()
  const { organization } = useMe()
  const person = useReferenced(resources.individuals, id).data
  const nameOf = useKeyNames(keys)
  const lines = keys.map((key) => `${nameOf(key)}: ${format.date(key.due_back_on ?? '')}`)
  const letter = deskWords(t).reminder(textIn(person, 'display_name') ?? '', lines.join('\n'), organization.name)
  const email = textIn(person, 'email')
  const mail = email && `mailto:${email}?${mailOf(deskWords(t).reminderSubject, letter)}`
  return (
    <Paper withBorder p="sm">
      <Stack gap={6}>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Text fw={600} size="sm" component="h3">
            <Reference to={resources.individuals} id={id} kind={t.resources.individuals.one} />
          </Text>
          {mail && (
            <Button
              size="compact-xs"
              variant="default"
              flex="none"
              component="a"
              href={mail}
              leftSection={<IconMail size={13} aria-hidden />}
            >
              {deskWords(t).remind}
              <span className="visually-hidden">: {textIn(person, 'display_name')}</span>
            </Button>
          )}
        </Group>
        {person && (
          <Text size="xs" c="dimmed" component="address" className="overdue-contact">
            <span>{[textIn(person, 'department'), textIn(person, 'phone')].filter(Boolean).join(' · ')}</span>
            <span>{email}</span>
          </Text>
        )}
        {keys.map((key) => (
          <Group key={key.id} gap="xs" justify="space-between" fz="sm">
            <Located end={{ resource: resources.keys, id: key.id }} isKindSaid />
            <DueDate item={key} />
          </Group>
        ))}
      </Stack>
    </Paper>
  )
}

/** A plus sign would arrive as one. */
const mailOf = (subject: string, body: string): string =>
  `subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
