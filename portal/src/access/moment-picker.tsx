import { Group, SegmentedControl, Switch, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { type Format, useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { instantOf, wallClock } from '../i18n/time-zone.ts'
import { MomentField } from '../resource/dates/moment-field.tsx'
import { isPast, type MomentName, useMoment, useSetQuestion } from './moment-asked.ts'

const TUESDAY = 2
const WEEK = 7

/** The last Tuesday before today. */
function lastTuesday({ today }: Format): string {
  const day = new Date(`${today()}T00:00:00Z`).getUTCDay()
  return today(-((day - TUESDAY + WEEK - 1) % WEEK) - 1)
}

const presets = ['now', 'tonight', 'lastTuesday', 'other'] as const
type Preset = (typeof presets)[number]

/** What each preset means today. */
function useStarts(): Record<Preset, string | undefined> {
  const format = useFormat()
  const at = (day: string, time: string) => instantOf(`${day} ${time}:00`, format.timeZone)
  return {
    now: undefined,
    tonight: at(format.today(), '22:00'),
    lastTuesday: at(lastTuesday(format), '12:00'),
    other: at(format.today(1), '08:00'),
  }
}

/** When it is asked about: it is in the address. */
export function MomentPicker({ name = 'at', label }: { name?: MomentName; label?: string }) {
  const t = useWords()
  const { timeZone } = useFormat()
  const at = useMoment(name)
  const set = useSetQuestion()
  const starts = useStarts()
  const chosen = presets.find((preset) => starts[preset] === at) ?? 'other'
  return (
    <Group gap="sm" align="center" className="moment-picker">
      <SegmentedControl
        aria-label={label ?? t.opening.when}
        size="sm"
        data={presets.map((preset) => ({ value: preset, label: t.opening[preset] }))}
        value={chosen}
        onChange={(value) => set({ [name]: starts[value] })}
      />
      {at !== undefined && chosen !== 'tonight' && (
        <MomentField
          aria-label={t.opening.moment}
          value={wallClock(at, timeZone).slice(0, 16).replace(' ', 'T')}
          onChange={(value) => value !== '' && set({ [name]: instantOf(`${value.replace('T', ' ')}:00`, timeZone) })}
        />
      )}
      {at !== undefined && isPast(at) && (
        <Text size="sm" c="dimmed">
          {t.opening.asThen}
        </Text>
      )}
    </Group>
  )
}

/** Whether those who are kept out are shown too. */
export function AllowedOnly() {
  const t = useWords()
  const set = useSetQuestion()
  const { allowed } = useSearch({ strict: false })
  return (
    <Switch
      label={t.opening.allowedOnly}
      checked={allowed === 'is.true'}
      onChange={({ currentTarget }) => set({ allowed: currentTarget.checked ? 'is.true' : undefined })}
    />
  )
}
