import './key-desk.css'
import '../../views/estate.css'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconInfoCircle, IconPrinter } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useKeyNames } from '../../access/key-names.ts'
import type { HandedOverKeys, Individual, Key } from '../../api/generated/types.ts'
import { itemOptions } from '../../api/queries.ts'
import { deskWords } from '../../i18n/desk-words.ts'
import { useWords } from '../../i18n/language.tsx'
import { isSeenInPart, pathTo, resources } from '../../resource/resources.ts'
import { StatusBadge } from '../../resource/shown/status-badge.tsx'
import { Page } from '../../shell/page.tsx'
import { DeskSearch, type Found } from './desk-search.tsx'
import { HandOut } from './hand-out.tsx'
import { Overdue } from './overdue.tsx'
import { PersonCard } from './person-card.tsx'
import { TakeBack } from './take-back.tsx'

type Done = { kind: 'out' | 'back'; keys: HandedOverKeys }

const without = (keys: readonly Key[], { id }: Key) => keys.filter((one) => one.id !== id)

/**
 * Where a reception hands keys out and takes them back: a key is put on the desk by typing or scanning it, and so is a
 * person.
 */
export function KeyDeskPage() {
  const t = useWords()
  const client = useQueryClient()
  const [keys, setKeys] = useState<readonly Key[]>([])
  const [person, setPerson] = useState<Individual>()
  const [other, setOther] = useState<Key>()
  const [done, setDone] = useState<Done>()
  const out = keys.filter(({ status }) => status === 'in_stock')
  const back = keys.filter(({ status }) => status === 'issued')
  const remove = (key: Key) => setKeys((now) => without(now, key))
  const put = (key: Key) => {
    setDone(undefined)
    const isUsable = (key.status === 'in_stock' || key.status === 'issued') && !isSeenInPart(resources.keys, key)
    setOther(isUsable ? undefined : key)
    if (isUsable) setKeys((now) => [...without(now, key), key])
  }
  const found = (one: Found) => {
    setDone(undefined)
    if (one.kind === 'key') put(one.key)
    else setPerson(one.person)
  }
  const { person: given } = useSearch({ strict: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for the person that a link has brought along
  useEffect(() => {
    if (given !== undefined) void choosePerson(given)
  }, [given])
  const choosePerson = async (id: string | null) =>
    setPerson(
      id === null ? undefined : (await client.fetchQuery(itemOptions<Individual>(resources.individuals.api, id))).item,
    )
  const finish = (kind: Done['kind'], handed: HandedOverKeys) => {
    setKeys((now) => now.filter(({ id }) => !handed.keys.some((key) => key.id === id)))
    if (kind === 'out') setPerson(undefined)
    setDone({ kind, keys: handed })
  }
  return (
    <Page title={t.nav.keyDesk} subtitle={deskWords(t).text}>
      <Stack gap="md">
        <div className="no-print">
          <DeskSearch onFound={found} />
        </div>
        {done && <DoneNote done={done} />}
        {other && <OtherKey item={other} />}
        {person && <PersonCard person={person} chosen={keys} onTakeBack={put} onClose={() => setPerson(undefined)} />}
        {out.length > 0 && (
          <HandOut
            keys={out}
            person={person}
            onPerson={(id) => void choosePerson(id)}
            onRemove={remove}
            onDone={(handed) => finish('out', handed)}
          />
        )}
        {person && out.length === 0 && (
          <Text size="sm" c="dimmed">
            {deskWords(t).scanKeys}
          </Text>
        )}
        {back.length > 0 && <TakeBack keys={back} onRemove={remove} onDone={(handed) => finish('back', handed)} />}
        <Overdue />
      </Stack>
    </Page>
  )
}

/** What was done, and the receipt to sign. */
function DoneNote({ done: { kind, keys: handed } }: { done: Done }) {
  const t = useWords()
  const nameOf = useKeyNames(handed.keys)
  const names = handed.keys.map(nameOf).join(', ')
  const [entry] = handed.handovers
  return (
    <Alert color="green" icon={<IconCircleCheck size={18} aria-hidden />} role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">{kind === 'out' ? deskWords(t).handedOut(names) : deskWords(t).tookBack(names)}</Text>
        {entry && (
          <Button
            size="xs"
            variant="default"
            component="a"
            href={`${resources['key-handovers'].api}/${entry.id}/receipt`}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconPrinter size={14} aria-hidden />}
          >
            {deskWords(t).receipt}
          </Button>
        )}
      </Group>
    </Alert>
  )
}

/** A key that can neither be handed out nor taken back: what is with it, and where to go on. */
function OtherKey({ item }: { item: Key }) {
  const t = useWords()
  const name = useKeyNames([item])(item)
  return (
    <Alert color="yellow" icon={<IconInfoCircle size={18} aria-hidden />} title={deskWords(t).notHere(name)}>
      <Group gap="sm">
        <StatusBadge field="status" value={item.status} />
        {isSeenInPart(resources.keys, item) && <Text size="sm">{t.detail.inPart}</Text>}
        <Link to={pathTo(resources.keys, item.id) ?? '/'} className="reference">
          {deskWords(t).toKey}
        </Link>
      </Group>
    </Alert>
  )
}
