import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Key, KeyHandover, KeyReach, RekeyingPlan } from '../../api/generated/types.ts'
import { listOptions, readOptions } from '../../api/queries.ts'
import { deskWords } from '../../i18n/desk-words.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { LimitNote, useAbsence } from '../../resource/absence.tsx'
import { Reference } from '../../resource/reference.tsx'
import { resources } from '../../resource/resources.ts'
import { PrintAlone, usePrintAlone } from '../../resource/shown/print-alone.tsx'
import { ErrorNote } from '../../shell/error-note.tsx'
import { DoorsByBuilding } from './doors-by-building.tsx'
import { LossLetter } from './loss-letter.tsx'
import { Rekeying } from './rekeying.tsx'

/**
 * What to do when a key is gone: who had it, what it opens, who else has one like it, what to change and what that
 * costs, a letter.
 */
export function LossTab({ item }: { item: Key }) {
  const t = useWords()
  const printing = usePrintAlone()
  const [cost, setCost] = useState<number | string>('')
  const path = `${resources.keys.api}/${item.id}`
  const reach = useQuery(readOptions<KeyReach>(`${path}/opens`))
  const plan = useQuery(
    readOptions<RekeyingPlan>(`${path}/rekeying-plan${cost === '' ? '' : `?cost_per_cylinder=${cost}`}`),
  )
  return (
    <Stack gap="md" component="ol" className="checklist-steps">
      <Step title={deskWords(t).whoLost}>
        <LastHolder item={item} />
      </Step>
      <Step title={deskWords(t).whatItOpens}>
        {reach.error ? <ErrorNote error={reach.error} /> : reach.data && <DoorsByBuilding reach={reach.data} />}
      </Step>
      <Step title={deskWords(t).others} text={deskWords(t).othersText}>
        <OtherHolders item={item} />
      </Step>
      <Step title={deskWords(t).rekeying} text={deskWords(t).rekeyingText}>
        {plan.error ? (
          <ErrorNote error={plan.error} />
        ) : (
          plan.data && <Rekeying plan={plan.data} cost={cost} onCost={setCost} />
        )}
      </Step>
      <Step title={deskWords(t).letter} text={deskWords(t).letterText}>
        <Button
          variant="default"
          leftSection={<IconPrinter size={16} aria-hidden />}
          disabled={!reach.data || !plan.data}
          onClick={printing.print}
        >
          {deskWords(t).printLetter}
        </Button>
      </Step>
      {printing.isPrinting && reach.data && (
        <PrintAlone>
          <LossLetter item={item} reach={reach.data} plan={plan.data} />
        </PrintAlone>
      )}
    </Stack>
  )
}

function Step({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="li">
      <Title order={2} size="h5">
        {title}
      </Title>
      {text !== undefined && (
        <Text size="sm" c="dimmed" mb="xs">
          {text}
        </Text>
      )}
      {children}
    </Paper>
  )
}

function LastHolder({ item }: { item: Key }) {
  const t = useWords()
  const format = useFormat()
  const absence = useAbsence()
  const { data } = useQuery(
    listOptions<KeyHandover>(resources['key-handovers'].api, {
      key_id: `eq.${item.id}`,
      order: 'issued_at.desc',
      limit: '1',
    }),
  )
  if (data === undefined) return null
  const [entry] = data.items
  const isOfLoss = entry !== undefined && (entry.outcome === 'lost' || entry.outcome === 'stolen')
  if (!isOfLoss) return <Text size="sm">{absence(resources['key-handovers'], deskWords(t).nobodyHad)}</Text>
  return (
    <Text size="sm" component="div" className="in-text">
      <Reference to={resources.individuals} id={entry.individual_id} kind={t.resources.individuals.one} />,{' '}
      {deskWords(t).hadIt(format.day(entry.issued_at))}
    </Text>
  )
}

const MOST = '100'

function OtherHolders({ item }: { item: Key }) {
  const t = useWords()
  const format = useFormat()
  const absence = useAbsence()
  const { data, error } = useQuery(
    listOptions<Key>(resources.keys.api, {
      key_type_id: `eq.${item.key_type_id}`,
      status: 'eq.issued',
      limit: MOST,
      order: 'number.asc',
    }),
  )
  if (error) return <ErrorNote error={error} />
  if (data === undefined) return null
  return (
    <>
      {data.total === 0 ? (
        <Text size="sm">{absence(resources.keys, deskWords(t).noOthers, deskWords(t).noOthersSeen)}</Text>
      ) : (
        <ul className="loss-list in-text">
          {data.items.map((key) => (
            <li key={key.id}>
              {key.individual_id !== null && (
                <Reference to={resources.individuals} id={key.individual_id} kind={t.resources.individuals.one} />
              )}{' '}
              <Text span size="sm" c="dimmed">
                {key.key_type_code} · {key.number}
              </Text>
            </li>
          ))}
        </ul>
      )}
      {data.total > data.items.length && (
        <Text size="sm">{t.locking.andMore(format.number(data.total - data.items.length))}</Text>
      )}
      <LimitNote resource={resources.keys} places={data.limitedTo} />
    </>
  )
}
