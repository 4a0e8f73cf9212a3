import {
  type Icon,
  IconAlertTriangle,
  IconBattery1,
  IconBellRinging,
  IconCalendarDue,
  IconDoorOff,
  IconKeyOff,
  IconPlugConnectedX,
  IconSquareKey,
} from '@tabler/icons-react'
import type { Overview } from '../../api/generated/types.ts'
import type { ListQuery } from '../../api/queries.ts'
import type { Messages } from '../../i18n/messages.ts'
import type { Noun } from '../../resource/resources.ts'

interface Concern {
  /** What it is called in `t.estate.attention`. */
  key: keyof Omit<Messages['estate']['attention'], 'title' | 'nothing' | 'nothingSeen'>
  noun: Noun
  /** None: the person may not see it. */
  count: (overview: Overview) => number | null | undefined
  /** What the list that it leads to is narrowed to. */
  query: ListQuery
  icon: Icon
  isBad: boolean
}

/** The day it is where the organization is, or so many days after. */
export type Today = (days?: number) => string

export const CARD_DAYS = 90
export const overdue = (today: Today) => ({ status: 'in.(issued)', due_back_on: `lte.${today(-1)}` })

/** What somebody should do something about today, which ends at midnight though the page stays open. */
export const concerns = (today: Today): Concern[] => [
  {
    key: 'alarm',
    count: ({ access_points: doors }) => doors?.in_alarm,
    noun: 'access-points',
    query: { in_alarm: 'is.true' },
    icon: IconBellRinging,
    isBad: true,
  },
  {
    key: 'disconnected',
    count: ({ access_control_systems: systems }) => systems?.by_status.disconnected,
    noun: 'access-control-systems',
    query: { status: 'in.(disconnected)' },
    icon: IconPlugConnectedX,
    isBad: true,
  },
  {
    key: 'offline',
    count: ({ access_points: doors }) => doors?.by_connectivity.offline,
    noun: 'access-points',
    query: { connectivity: 'in.(offline)' },
    icon: IconDoorOff,
    isBad: true,
  },
  {
    key: 'overdue',
    count: ({ keys }) => keys?.overdue,
    noun: 'keys',
    query: overdue(today),
    icon: IconCalendarDue,
    isBad: true,
  },
  {
    key: 'lost',
    count: ({ keys }) => keys && keys.by_status.lost + keys.by_status.stolen,
    noun: 'keys',
    query: { status: 'in.(lost,stolen)' },
    icon: IconKeyOff,
    isBad: true,
  },
  {
    key: 'cardsExpired',
    count: ({ locking_systems: systems }) => systems?.security_cards_expired,
    noun: 'locking-system',
    query: { status: 'in.(planned,active)', security_card_expires_on: `lte.${today(-1)}` },
    icon: IconCalendarDue,
    isBad: true,
  },
  {
    key: 'service',
    count: ({ access_points: doors }) => doors?.needs_service,
    noun: 'access-points',
    query: { needs_service: 'is.true' },
    icon: IconBattery1,
    isBad: false,
  },
  {
    key: 'degraded',
    count: ({ access_control_systems: systems }) => systems?.by_status.degraded,
    noun: 'access-control-systems',
    query: { status: 'in.(degraded)' },
    icon: IconAlertTriangle,
    isBad: false,
  },
  {
    key: 'cards',
    count: ({ locking_systems: systems }) => systems?.security_cards_expiring_within_90_days,
    noun: 'locking-system',
    query: { status: 'in.(planned,active)', security_card_expires_on: [`gte.${today()}`, `lte.${today(CARD_DAYS)}`] },
    icon: IconCalendarDue,
    isBad: false,
  },
  {
    key: 'defective',
    count: ({ cylinders }) => cylinders?.by_status.defective,
    noun: 'cylinders',
    query: { status: 'in.(defective)' },
    icon: IconSquareKey,
    isBad: false,
  },
]
