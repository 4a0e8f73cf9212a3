import { type ComponentPropsWithRef, memo } from 'react'
import { type Look, looks } from './door-look.ts'

/** The mark of a state, by shape, sign and colour. */
export const Mark = memo(function Mark({ look }: { look: Look }) {
  const { icon: Sign, shape } = looks[look]
  return (
    <span className="plan-mark" data-look={look} aria-hidden>
      <svg viewBox="0 0 32 32" role="presentation">
        <path d={shape} />
      </svg>
      <Sign size={14} stroke={2.2} />
    </span>
  )
})

interface PlanMarkerProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  name: string
  look: Look
  /** What it says of itself: how it stands, or where it is. */
  said: string
  x: number
  y: number
}

/** A door on a plan; its name is shown while it is pointed at or has the focus. */
export function PlanMarker({ name, look, said, x, y, ...button }: PlanMarkerProps) {
  return (
    <button
      type="button"
      className="plan-marker"
      aria-label={`${name}: ${said}`}
      data-look={look}
      data-side={x > 0.7 ? 'left' : x < 0.3 ? 'right' : 'middle'}
      data-below={y < 0.15 || undefined}
      style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
      {...button}
    >
      <Mark look={look} />
      <span className="plan-label" aria-hidden>
        <b>{name}</b> {said}
      </span>
    </button>
  )
}
