import { useMay } from '../../api/me.ts'
import { useWords } from '../../i18n/language.tsx'
import { resources } from '../../resource/resources.ts'
import { type Tone, wordFor } from '../../resource/status-badge.tsx'
import { useHasView } from '../../resource/views.tsx'
import { type Part, PartsChart } from './parts-chart.tsx'
import { useCount, useLockingOverview, useSystemsOverview } from './use-totals.ts'

/** How things stand, family by family. */
export function Charts() {
  const may = useMay()
  const hasView = useHasView()
  return (
    <div className="charts">
      {may('access-points:read') && <Doors />}
      {may('access-control-systems:read') && <Systems />}
      {may('credentials:read') && hasView('credentials') && <Credentials />}
      {may('keys:read') && <Keys />}
    </div>
  )
}

function Doors() {
  const t = useWords()
  const path = resources['access-points'].path ?? '/'
  const counts = {
    online: useCount('access-points', { connectivity: 'in.(online)' }),
    offline: useCount('access-points', { connectivity: 'in.(offline)' }),
    never_connected: useCount('access-points', { connectivity: 'in.(never_connected)' }),
    unsupervised: useCount('access-points', { connectivity: 'in.(unsupervised)' }),
  }
  const tones = { online: 'good', offline: 'bad', never_connected: 'warning', unsupervised: 'over' } as const
  const parts = (Object.keys(counts) as Array<keyof typeof counts>).map((value) => ({
    key: value,
    label: t.values.connectivity[value],
    count: counts[value],
    tone: tones[value],
    path,
    search: { connectivity: `in.(${value})` },
  }))
  return <PartsChart title={t.estate.charts.doors} parts={parts} />
}

function Systems() {
  const t = useWords()
  const overview = useSystemsOverview()
  const tones = {
    connected: 'good',
    degraded: 'warning',
    disconnected: 'bad',
    pending_setup: 'info',
    disabled: 'over',
  } as const satisfies Record<string, Tone>
  const parts = (Object.keys(tones) as Array<keyof typeof tones>).map((status) => ({
    key: status,
    label: wordFor(t.values, 'status', status),
    count: overview?.by_status[status],
    tone: tones[status],
    path: resources['access-control-systems'].path ?? '/',
    search: { status: `in.(${status})` },
  }))
  return <PartsChart title={t.estate.charts.systems} parts={parts} />
}

function Credentials() {
  const t = useWords()
  const tones = { active: 'good', pending: 'info', suspended: 'warning', expired: 'waiting', terminated: 'over' } as const
  const counts = {
    active: useCount('credentials', { status_type: 'in.(active)' }),
    pending: useCount('credentials', { status_type: 'in.(pending)' }),
    suspended: useCount('credentials', { status_type: 'in.(suspended)' }),
    expired: useCount('credentials', { status_type: 'in.(expired)' }),
    terminated: useCount('credentials', { status_type: 'in.(terminated)' }),
  }
  const parts = (Object.keys(tones) as Array<keyof typeof tones>).map((status) => ({
    key: status,
    label: t.values.status_type[status],
    count: counts[status],
    tone: tones[status],
    path: resources.credentials.path ?? '/',
    search: { status_type: `in.(${status})` },
  }))
  return <PartsChart title={t.estate.charts.credentials} parts={parts} />
}

function Keys() {
  const t = useWords()
  const overview = useLockingOverview()
  const keys = overview?.keys
  const path = resources.keys.path ?? '/'
  const part = (key: string, label: string, count: number | undefined, tone: Tone, search: Record<string, string>): Part => ({
    key,
    label,
    count,
    tone,
    path,
    search,
  })
  const other = keys && keys.total - keys.in_stock - keys.issued - keys.lost
  const parts = [
    part('in_stock', t.values.status.in_stock, keys?.in_stock, 'good', { status: 'in.(in_stock)' }),
    part('issued', t.values.status.issued, keys?.issued, 'info', { status: 'in.(issued)' }),
    part('lost', t.values.status.lost, keys?.lost, 'bad', { status: 'in.(lost)' }),
    part('other', t.estate.charts.keysOther, other, 'over', { status: 'in.(ordered,stolen,defective,written_off,destroyed)' }),
  ]
  return <PartsChart title={t.estate.charts.keys} parts={parts} />
}
