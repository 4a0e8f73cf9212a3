import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
  IconInfoCircle,
  IconLock,
  IconLockOpen,
} from '@tabler/icons-react'
import { useWords } from '../../i18n/language.tsx'

export type Tone = 'good' | 'waiting' | 'info' | 'warning' | 'bad' | 'over'

const looks: Record<Tone, Icon> = {
  good: IconCircleCheck,
  waiting: IconCircleDashed,
  info: IconInfoCircle,
  warning: IconAlertTriangle,
  bad: IconCircleX,
  over: IconCircleMinus,
}

const tones: Record<Tone, readonly string[]> = {
  good: [
    'active',
    'connected',
    'online',
    'installed',
    'allow',
    'returned',
    'approved',
    'granted',
    'delivered',
    'in_sync',
    'confirmed',
    'agreed',
    'arrived',
  ],
  waiting: [
    'planned',
    'draft',
    'scheduled',
    'pending',
    'pending_setup',
    'invited',
    'ordered',
    'never_connected',
    'unknown',
    'in_stock',
    'unsupervised',
    'queued',
    'sent',
  ],
  info: ['issued', 'held', 'unlocked', 'unlocked_timed', 'open', 'held_open', 'running'],
  warning: ['suspended', 'degraded', 'low_battery', 'held_open_too_long', 'defective', 'damaged', 'blocked', 'unexpected_denial'],
  bad: [
    'lost',
    'stolen',
    'disconnected',
    'offline',
    'fault',
    'forced_open',
    'tamper',
    'duress',
    'deny',
    'locked_down',
    'evacuation',
    'denied',
    'failed',
    'timed_out',
    'unexpected_grant',
  ],
  over: [
    'retired',
    'expired',
    'revoked',
    'released',
    'offboarded',
    'anonymised',
    'written_off',
    'destroyed',
    'disabled',
    'terminated',
    'withdrawn',
    'locked',
    'closed',
    'left',
    'cancelled',
  ],
}
const toneOf = new Map<string, Tone>((Object.keys(tones) as Tone[]).flatMap((tone) => tones[tone].map((value) => [value, tone] as const)))

/** What shows more plainly than its tone does what it means. */
const signs: Partial<Record<string, Icon>> = {
  locked: IconLock,
  unlocked: IconLockOpen,
  unlocked_timed: IconLockOpen,
  held_open: IconLockOpen,
}

/** A state: icon and words, never colour alone. */
export function ToneBadge({ tone, icon, children }: { tone: Tone; icon?: Icon | undefined; children: string }) {
  const Sign = icon ?? looks[tone]
  return (
    <span className="status-badge" data-tone={tone}>
      <Sign size={13} aria-hidden />
      {children}
    </span>
  )
}

/** The state that a field of the API holds, in the person's words. */
export function StatusBadge({ field, value }: { field: string; value: string }) {
  const t = useWords()
  return (
    <ToneBadge tone={toneOf.get(value) ?? 'waiting'} icon={signs[value]}>
      {wordFor(t.values, field, value)}
    </ToneBadge>
  )
}

/** A value that the portal does not know yet is shown as it comes. */
export const wordFor = (values: object, field: string, value: string): string =>
  (values as Record<string, Record<string, string> | undefined>)[field]?.[value] ?? value.replaceAll('_', ' ')
