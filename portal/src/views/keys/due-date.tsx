import { Group } from '@mantine/core'
import { type Format, useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { Unseen } from '../../resource/reference.tsx'
import { ToneBadge } from '../../resource/shown/status-badge.tsx'
import { Nothing } from '../../resource/shown/value.tsx'

interface Due {
  /** None: not for this person to see. */
  due_back_on?: string | null
  /** Of a key. */
  status?: string
  /** Of a handover. */
  outcome?: string
}

export const isOverdue = <T extends Due>(item: T, { today }: Format): item is T & { due_back_on: string } =>
  typeof item.due_back_on === 'string' &&
  item.due_back_on < today() &&
  (item.status === 'issued' || item.outcome === 'held')

/** When a key is due back; what is overdue says so. */
export function DueDate({ item }: { item: Due }) {
  const t = useWords()
  const format = useFormat()
  if (item.due_back_on === undefined) return <Unseen />
  if (item.due_back_on === null) return <Nothing />
  return (
    <Group gap={6} wrap="nowrap" display="inline-flex">
      <span className="number nowrap">{format.date(item.due_back_on)}</span>
      {isOverdue(item, format) && <ToneBadge tone="bad">{t.locking.overdue}</ToneBadge>}
    </Group>
  )
}

const CARD_DAYS = 90

/** When a security card runs out; one that has, or soon will, says so. */
export function CardDate({ day, isRetired }: { day: string | null | undefined; isRetired: boolean }) {
  const t = useWords()
  const format = useFormat()
  const { today } = format
  if (day === undefined) return <Unseen />
  if (day === null) return <Nothing />
  return (
    <Group gap={6} wrap="nowrap" display="inline-flex">
      <span className="number nowrap">{format.date(day)}</span>
      {!isRetired && day < today() && <ToneBadge tone="bad">{t.locking.cardOver}</ToneBadge>}
      {!isRetired && day >= today() && day <= today(CARD_DAYS) && (
        <ToneBadge tone="warning">{t.locking.cardSoon}</ToneBadge>
      )}
    </Group>
  )
}
