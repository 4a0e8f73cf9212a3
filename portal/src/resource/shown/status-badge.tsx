import { useWords } from '../../i18n/language.tsx'
import type { ValueWords } from '../../i18n/messages.ts'
import { inWords, keysOf } from '../../typed.ts'

export type Tone = 'good' | 'waiting' | 'info' | 'warning' | 'bad' | 'over'

const circle = 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0'
/** The signs of Tabler in one stroke each: a table draws a hundred of them. */
const looks: Record<Tone, string> = {
  good: `${circle}M9 12l2 2l4 -4`,
  waiting: circle,
  info: `${circle}M12 9h.01M11 12h1v4h1`,
  warning: 'M12 9v4M10.363 3.591l-8.106 13.534a1.914 1.914 0 0 0 1.636 2.871h16.214'.concat(
    'a1.914 1.914 0 0 0 1.636 -2.87l-8.106 -13.536a1.914 1.914 0 0 0 -3.274 0M12 16h.01',
  ),
  bad: `${circle}M10 10l4 4m0 -4l-4 4`,
  over: `${circle}M9 12l6 0`,
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
  warning: [
    'suspended',
    'degraded',
    'low_battery',
    'held_open_too_long',
    'defective',
    'damaged',
    'blocked',
    'unexpected_denial',
  ],
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
const toneOf = new Map<string, Tone>(
  keysOf(tones).flatMap((tone) => tones[tone].map((value) => [value, tone] as const)),
)

/** What shows more plainly than its tone does what it means. */
const lock =
  'M5 13a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v6a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2zM11 16a1 1 0 1 0 2 0a1 1 0 0 0 -2 0'
const lockOpen = `${lock}M8 11v-5a4 4 0 0 1 8 0`
const signs: Partial<Record<string, string>> = {
  locked: `${lock}M8 11v-4a4 4 0 1 1 8 0v4`,
  unlocked: lockOpen,
  unlocked_timed: lockOpen,
  held_open: lockOpen,
}

/** A state: icon and words, never colour alone. */
export function ToneBadge({ tone, sign, children }: { tone: Tone; sign?: string | undefined; children: string }) {
  return (
    <span className="status-badge" data-tone={tone}>
      <svg viewBox="0 0 24 24" aria-hidden>
        <path d={sign ?? looks[tone]} />
      </svg>
      {children}
    </span>
  )
}

/** The state that a field of the API holds, in the person's words. */
export function StatusBadge({ field, value }: { field: string; value: string }) {
  const t = useWords()
  return (
    <ToneBadge tone={toneOf.get(value) ?? 'waiting'} sign={signs[value]}>
      {wordFor(t.values, field, value)}
    </ToneBadge>
  )
}

/** A value that the portal does not know yet is shown as it comes. */
export const wordFor = (values: ValueWords, field: string, value: string): string =>
  inWords<Readonly<Record<string, string>>>(values, field)?.[value] ?? value.replaceAll('_', ' ')
