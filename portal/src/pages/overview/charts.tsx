import type { Overview } from '../../api/generated/types.ts'
import { useIsLimited } from '../../api/me.ts'
import { useWords } from '../../i18n/language.tsx'
import { type Noun, resources } from '../../resource/resources.ts'
import { type Tone, wordFor } from '../../resource/shown/status-badge.tsx'
import { type Part, PartsChart } from './parts-chart.tsx'

/** Which parts a chart shows, in this order, and what each means. */
const connections = { online: 'good', offline: 'bad', never_connected: 'warning', unsupervised: 'over' } as const
const systemStates = {
  connected: 'good',
  degraded: 'warning',
  disconnected: 'bad',
  pending_setup: 'info',
  disabled: 'over',
} as const
const credentialStates = {
  active: 'good',
  pending: 'info',
  suspended: 'warning',
  expired: 'waiting',
  terminated: 'over',
} as const
const keyStates = { in_stock: 'good', issued: 'info', lost: 'bad' } as const

/** How things stand, family by family; until it is known, all that there might be. */
export function Charts({ overview }: { overview: Overview | undefined }) {
  const t = useWords()
  const parts = usePartsOf()
  const isLimited = useIsLimited()
  const { access_points: doors, access_control_systems: systems, credentials, keys } = overview ?? {}
  // Whoever is limited to places and sees none is not told that there is none.
  const isShown = (noun: Noun, family: { total: number } | null | undefined) =>
    family !== null && !(family?.total === 0 && isLimited(resources[noun].read))
  return (
    <div className="charts">
      {isShown('access-points', doors) && (
        <PartsChart
          title={t.estate.charts.doors}
          parts={parts('access-points', 'connectivity', connections, doors?.by_connectivity)}
        />
      )}
      {isShown('access-control-systems', systems) && (
        <PartsChart
          title={t.estate.charts.systems}
          parts={parts('access-control-systems', 'status', systemStates, systems?.by_status)}
        />
      )}
      {isShown('credentials', credentials) && (
        <PartsChart
          title={t.estate.charts.credentials}
          parts={parts('credentials', 'status_type', credentialStates, credentials?.by_status_type)}
        />
      )}
      {isShown('keys', keys) && (
        <PartsChart
          title={t.estate.charts.keys}
          parts={[
            ...parts('keys', 'status', keyStates, keys?.by_status),
            otherKeys(t.estate.charts.keysOther, keys ?? undefined),
          ]}
        />
      )}
    </div>
  )
}

type Counts = Readonly<Record<string, number>>

function usePartsOf() {
  const t = useWords()
  return (noun: Noun, field: string, tones: Readonly<Record<string, Tone>>, counts: Counts | undefined): Part[] =>
    Object.entries(tones).map(([value, tone]) => ({
      key: value,
      label: wordFor(t.values, field, value),
      count: counts?.[value],
      tone,
      path: resources[noun].path ?? '/',
      search: { [field]: `in.(${value})` },
    }))
}

/** What is rare is told together. */
function otherKeys(label: string, keys: NonNullable<Overview['keys']> | undefined): Part {
  const others = ['ordered', 'stolen', 'defective', 'written_off', 'destroyed'] as const
  return {
    key: 'other',
    label,
    count: keys && others.reduce((sum, status) => sum + keys.by_status[status], 0),
    tone: 'over',
    path: resources.keys.path ?? '/',
    search: { status: `in.(${others.join(',')})` },
  }
}
