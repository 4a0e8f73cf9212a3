import { Paper, Skeleton, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useFormat } from '../../i18n/format.ts'
import type { Tone } from '../../resource/shown/status-badge.tsx'

export interface Part {
  key: string
  label: string
  count: number | undefined
  tone: Tone
  path: string
  search: Record<string, string>
}

const SIZE = 88
const STROKE = 12
const RADIUS = (SIZE - STROKE) / 2
const AROUND = 2 * Math.PI * RADIUS
/** Between two parts, in the units of the drawing. */
const GAP = 2

/** Parts of a whole: a ring to see, a list to read, each line leading to what it counts. */
export function PartsChart({ title, parts }: { title: string; parts: readonly Part[] }) {
  const id = useId()
  const format = useFormat()
  const isKnown = parts.every(({ count }) => count !== undefined)
  const total = parts.reduce((sum, { count = 0 }) => sum + count, 0)
  return (
    <Paper withBorder component="section" aria-labelledby={id} className="chart">
      <Title order={2} size="h5" id={id}>
        {title}
      </Title>
      <div className="chart-body">
        {isKnown ? (
          <Ring parts={parts} total={total} label={format.number(total)} />
        ) : (
          <Skeleton height={SIZE} width={SIZE} circle />
        )}
        <ul className="chart-parts">
          {parts.map(({ key, label, count, tone, path, search }) => (
            <li key={key}>
              <Link to={path} search={search} className="chart-part" data-none={count === 0 || undefined}>
                <span className="chart-dot" data-tone={tone} />
                <span className="chart-label">{label}</span>
                <span className="number">{count === undefined ? '' : format.number(count)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </Paper>
  )
}

function Ring({ parts, total, label }: { parts: readonly Part[]; total: number; label: string }) {
  const present = parts.filter(({ count }) => (count ?? 0) > 0)
  let offset = 0
  return (
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} width={SIZE} height={SIZE} aria-hidden className="ring">
      <circle cx={SIZE / 2} cy={SIZE / 2} r={RADIUS} className="ring-ground" strokeWidth={STROKE} />
      {present.map(({ key, count = 0, tone }) => {
        const length = (count / total) * AROUND
        const start = offset
        offset += length
        const gap = present.length > 1 ? GAP : 0
        return (
          <circle
            key={key}
            cx={SIZE / 2}
            cy={SIZE / 2}
            r={RADIUS}
            strokeWidth={STROKE}
            className="ring-part"
            data-tone={tone}
            // What is there is seen, however few.
            strokeDasharray={`${Math.max(length - gap, 1.5)} ${AROUND}`}
            strokeDashoffset={-start}
            transform={`rotate(-90 ${SIZE / 2} ${SIZE / 2})`}
          />
        )
      })}
      <text x="50%" y="50%" className="ring-total">
        {label}
      </text>
    </svg>
  )
}
