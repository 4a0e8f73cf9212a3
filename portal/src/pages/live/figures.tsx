import { Paper } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../api/client.ts'
import type { AccessEventCounts } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { liveWords } from '../../i18n/live-words.ts'
import { resources } from '../../resource/resources.ts'
import { openAlarms } from './alarm-panel.tsx'

const HOUR_MS = 3_600_000

/** How many came in within the last hour, by what the doors decided, and from when until when they were counted. */
export const lastHour = {
  queryKey: ['live', 'last-hour'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const now = Date.now()
    const period = [`gte.${new Date(now - HOUR_MS).toISOString()}`, `lt.${new Date(now).toISOString()}`]
    const query = new URLSearchParams([['group_by', 'result'], ...period.map((end) => ['received_at', end])])
    const { data } = await call<AccessEventCounts>(`${resources['access-events'].api}/summary?${query}`, { signal })
    const of = (result: string | null) => data.find((one) => (one.result ?? null) === result)?.count ?? 0
    return { granted: of('granted'), denied: of('denied'), other: of(null), period: period.join() }
  },
  refetchInterval: 60_000,
}

/** A number leads to exactly what it counts. */
const leads = {
  open: { to: resources.alarms.path, search: { status: 'in.(open,acknowledged)' } },
  granted: { to: resources['access-events'].path, search: { result: 'in.(granted)' } },
  denied: { to: resources['access-events'].path, search: { result: 'in.(denied)' } },
  other: { to: resources['access-events'].path, search: { result: 'is.null' } },
}

export function Figures() {
  const t = useWords()
  const format = useFormat()
  const may = useMay()
  const seesEvents = may('access-events:read')
  const seesAlarms = may('alarms:read')
  const { data: hour } = useQuery({ ...lastHour, enabled: seesEvents })
  const { data: alarms } = useQuery({ ...openAlarms, enabled: seesAlarms })
  const shown = [
    ...(seesAlarms ? [{ key: 'open' as const, value: alarms?.total }] : []),
    ...(seesEvents ? (['granted', 'denied', 'other'] as const).map((key) => ({ key, value: hour?.[key] })) : []),
  ]
  return (
    <Paper withBorder className="counts" component="section" aria-label={liveWords(t).figuresTitle}>
      {shown.map(({ key, value }) => (
        <Link
          key={key}
          to={leads[key].to ?? '/'}
          search={{ ...leads[key].search, ...(key !== 'open' && hour && { received_at: hour.period }) }}
          className="count"
        >
          <b className="number">{value === undefined ? '…' : format.number(value)}</b>
          <span>{liveWords(t).figures[key](value ?? 0)}</span>
        </Link>
      ))}
    </Paper>
  )
}
