import { Badge } from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
  IconInfoCircle,
} from '@tabler/icons-react'
import { useWords } from '../i18n/language.tsx'

export type Tone = 'good' | 'waiting' | 'info' | 'warning' | 'bad' | 'over'

const looks: Record<Tone, { icon: Icon; color: string }> = {
  good: { icon: IconCircleCheck, color: 'green' },
  waiting: { icon: IconCircleDashed, color: 'gray' },
  info: { icon: IconInfoCircle, color: 'brand' },
  warning: { icon: IconAlertTriangle, color: 'yellow' },
  bad: { icon: IconCircleX, color: 'red' },
  over: { icon: IconCircleMinus, color: 'gray' },
}

const tones: Record<Tone, readonly string[]> = {
  good: ['active', 'connected', 'online', 'installed', 'allow', 'returned'],
  waiting: [
    'planned',
    'scheduled',
    'pending',
    'pending_setup',
    'invited',
    'ordered',
    'never_connected',
    'unknown',
    'in_stock',
    'unsupervised',
  ],
  info: ['issued', 'held', 'unlocked', 'unlocked_timed', 'open', 'held_open'],
  warning: ['suspended', 'degraded', 'low_battery', 'held_open_too_long', 'defective', 'damaged', 'blocked'],
  bad: ['lost', 'stolen', 'disconnected', 'offline', 'fault', 'forced_open', 'tamper', 'duress', 'deny', 'locked_down', 'evacuation'],
  over: [
    'retired',
    'expired',
    'revoked',
    'offboarded',
    'anonymised',
    'written_off',
    'destroyed',
    'disabled',
    'terminated',
    'locked',
    'closed',
  ],
}
const toneOf = new Map<string, Tone>((Object.keys(tones) as Tone[]).flatMap((tone) => tones[tone].map((value) => [value, tone] as const)))

/** A state: icon and words, never colour alone. */
export function ToneBadge({ tone, children }: { tone: Tone; children: string }) {
  const { icon: Icon, color } = looks[tone]
  return (
    <Badge variant="light" color={color} leftSection={<Icon size={13} aria-hidden />} className="status-badge">
      {children}
    </Badge>
  )
}

/** The state that a field of the API holds, in the person's words. */
export function StatusBadge({ field, value }: { field: string; value: string }) {
  const t = useWords()
  return <ToneBadge tone={toneOf.get(value) ?? 'waiting'}>{wordFor(t.values, field, value)}</ToneBadge>
}

/** A value that the portal does not know yet is shown as it comes. */
export const wordFor = (values: object, field: string, value: string): string =>
  (values as Record<string, Record<string, string> | undefined>)[field]?.[value] ?? value.replaceAll('_', ' ')
