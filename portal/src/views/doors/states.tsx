import '../estate.css'
import { Group, Paper, Text } from '@mantine/core'
import type { AccessPoint } from '../../api/generated/types.ts'
import { useWords } from '../../i18n/language.tsx'
import { StatusBadge, ToneBadge } from '../../resource/shown/status-badge.tsx'
import { Moment, Nothing } from '../../resource/shown/value.tsx'

type State = AccessPoint['state']
type Alarm = State['alarms']['value'][number]

const axes = ['mode', 'lock_state', 'position', 'alarms', 'connectivity'] as const

/** One axis in a table: only what is out of the ordinary draws the eye. */
export function Axis({ axis, value }: { axis: 'mode' | 'lock_state' | 'position'; value: string }) {
  if (value === 'unknown') return <Nothing />
  return <StatusBadge field={axis} value={value} />
}

/** What rings. A flat battery is a warning, everything else wants somebody to go there. */
export function Alarms({ alarms }: { alarms: readonly Alarm[] }) {
  if (alarms.length === 0) return <Nothing />
  return (
    <Group gap={4}>
      {alarms.map((alarm) => (
        <StatusBadge key={alarm} field="alarms" value={alarm} />
      ))}
    </Group>
  )
}

/** The five independent states of a door, each with what it means and since when. */
export function FiveStates({ point }: { point: AccessPoint }) {
  const t = useWords()
  return (
    <section aria-label={t.estate.fiveStates} className="states">
      {axes.map((axis) => (
        <Paper key={axis} withBorder className="state">
          <Text component="h2" className="state-title">
            {t.estate.axes[axis]}
          </Text>
          <State axis={axis} state={point.state} isWatched={point.access_control_system_id !== null} />
        </Paper>
      ))}
    </section>
  )
}

function State({ axis, state, isWatched }: { axis: (typeof axes)[number]; state: State; isWatched: boolean }) {
  const t = useWords()
  const texts: Record<string, string> = t.estate.stateTexts[axis]
  const none = isWatched ? t.estate.noAlarmText : t.estate.unwatchedText
  // Nothing here opens it for somebody and locks it again.
  const isByKey = !isWatched && axis === 'mode' && state.mode.value === 'locked'
  const values = axis === 'alarms' ? state.alarms.value : [state[axis].value]
  return (
    <>
      <div className="state-badges">
        {values.length === 0 && (
          <ToneBadge tone={isWatched ? 'good' : 'over'}>{isWatched ? t.estate.noAlarm : t.estate.unwatched}</ToneBadge>
        )}
        {values.map((value) => (
          <StatusBadge key={value} field={axis} value={value} />
        ))}
      </div>
      <Text size="xs" c="dimmed" className="state-text">
        {values.length === 0 ? none : isByKey ? t.estate.byKeyText : values.map((value) => texts[value]).join(' ')}
      </Text>
      <Text size="xs" c="dimmed">
        {t.estate.since} <Moment at={state[axis].since} />
      </Text>
    </>
  )
}
