import { Group, SegmentedControl, Switch, Text, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { instantOf, wallClock } from '../i18n/time-zone.ts'
import { isPast, useMoment } from './moment-asked.ts'

/** When it is asked about, and whether those who are kept out are shown too: both are in the address. */
export function MomentPicker() {
  const t = useWords()
  const { timeZone, today } = useFormat()
  const at = useMoment()
  const { allowed } = useSearch({ strict: false }) as { allowed?: string }
  const navigate = useNavigate()
  const set = (change: Record<string, string | undefined>) =>
    void navigate({
      to: '.',
      search: (now: object) => ({ ...now, page: undefined, ...change }),
      replace: true,
      resetScroll: false,
    } as never)
  const tonight = instantOf(`${today()} 22:00:00`, timeZone)
  const chosen = at === undefined ? 'now' : at === tonight ? 'tonight' : 'other'
  const starts = { now: undefined, tonight, other: instantOf(`${today(1)} 08:00:00`, timeZone) }
  return (
    <Group gap="sm" align="center" className="moment-picker">
      <SegmentedControl
        aria-label={t.opening.when}
        size="sm"
        data={[
          { value: 'now', label: t.opening.now },
          { value: 'tonight', label: t.opening.tonight },
          { value: 'other', label: t.opening.other },
        ]}
        value={chosen}
        onChange={(value) => set({ at: starts[value as keyof typeof starts] })}
      />
      {chosen === 'other' && at !== undefined && (
        <TextInput
          type="datetime-local"
          aria-label={t.opening.moment}
          value={wallClock(at, timeZone).slice(0, 16).replace(' ', 'T')}
          onChange={({ currentTarget: { value } }) => value !== '' && set({ at: instantOf(`${value.replace('T', ' ')}:00`, timeZone) })}
        />
      )}
      <Switch
        label={t.opening.allowedOnly}
        checked={allowed === 'is.true'}
        onChange={({ currentTarget }) => set({ allowed: currentTarget.checked ? 'is.true' : undefined })}
      />
      {at !== undefined && isPast(at) && (
        <Text size="sm" c="dimmed">
          {t.opening.asThen}
        </Text>
      )}
    </Group>
  )
}
