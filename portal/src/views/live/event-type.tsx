import { useWords } from '../../i18n/language.tsx'
import { type Tone, ToneBadge, wordFor } from '../../resource/shown/status-badge.tsx'

const tones: Partial<Record<string, Tone>> = {
  'access.granted': 'good',
  'access.taken': 'good',
  'access.denied': 'warning',
  'access.duress': 'bad',
  'alarm.raised': 'bad',
  'door.forced': 'bad',
  'door.tampered': 'bad',
  'system.tampered': 'bad',
  'lock.jammed': 'bad',
  'door.held_open': 'warning',
  'door.battery_low': 'warning',
  'door.fault': 'warning',
  'door.offline': 'warning',
  'door.blocked': 'warning',
  'system.offline': 'warning',
  'system.power_lost': 'warning',
  'lock.unlocked': 'info',
  'door.opened': 'info',
}

/** What happened; only what somebody should look at draws the eye. */
export function EventType({ type }: { type: string }) {
  const t = useWords()
  return <ToneBadge tone={tones[type] ?? 'over'}>{wordFor(t.values, 'type', type)}</ToneBadge>
}
