import './floor-plans.css'
import { Alert, Skeleton, Stack, Text } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import type { FloorPlan } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { planWords } from '../../i18n/plan-words.ts'
import { LimitNote, useAbsence } from '../../resource/absence.tsx'
import { labelOf, resources } from '../../resource/resources.ts'
import { ErrorNote } from '../../shell/error-note.tsx'
import { allLooks, type Look, lookOf } from './door-look.ts'
import { DoorPanel } from './door-panel.tsx'
import { floorName } from './floor-name.ts'
import { PlanCanvas } from './plan-canvas.tsx'
import { Mark, PlanMarker } from './plan-marker.tsx'
import { type Placed, positionsOptions, useFollowedPlan } from './plan-queries.ts'

export interface SeenDoor extends Placed {
  name: string
  look: Look
}

/** Those of a plan that the reader may see, from the top left on: the order in which one walks through them. */
export function useSeenDoors(plan: FloorPlan): {
  doors: SeenDoor[] | undefined
  error: Error | null
  retry: () => void
} {
  const { data, error, refetch } = useQuery({ ...positionsOptions(plan.id), enabled: plan.image_type !== null })
  const doors = useMemo(() => {
    const seen = data?.flatMap((placed) => {
      const { access_point: door } = placed
      return door ? [{ ...placed, name: labelOf(resources['access-points'], door), look: lookOf(door) }] : []
    })
    return seen?.sort((a, b) => a.y - b.y || a.x - b.x)
  }, [data])
  return { doors, error, retry: () => void refetch() }
}

const directions: Partial<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The door that lies next in a direction: near, and not far beside the way. */
function nextIn(
  doors: readonly SeenDoor[],
  from: SeenDoor,
  [right, down]: readonly [number, number],
): SeenDoor | undefined {
  const far = (door: SeenDoor) => {
    const [dx, dy] = [door.x - from.x, door.y - from.y]
    const along = dx * right + dy * down
    return along <= 0.0001 ? Number.POSITIVE_INFINITY : along + 2 * Math.abs(dx * down + dy * right)
  }
  return doors.filter((door) => Number.isFinite(far(door))).sort((a, b) => far(a) - far(b))[0]
}

/** A plan with its doors as they stand now; each opens what can be done with it. */
export function LivePlan({ plan }: { plan: FloorPlan }) {
  const t = useWords()
  const may = useMay()
  const absence = useAbsence()
  useFollowedPlan(plan.id)
  const { doors, error, retry } = useSeenDoors(plan)
  const [current, setCurrent] = useState<string>()
  const [opened, setOpened] = useState<string>()
  const marks = useRef(new Map<string, HTMLButtonElement>())
  const reached = doors?.find(({ id }) => id === current) ?? doors?.[0]
  const walk = (event: KeyboardEvent) => {
    const way = directions[event.key]
    const isEnd = event.key === 'Home' || event.key === 'End'
    if (!reached || !doors || (!way && !isEnd)) return
    event.preventDefault()
    const next = way ? nextIn(doors, reached, way) : doors.at(event.key === 'Home' ? 0 : -1)
    if (!next) return
    setCurrent(next.id)
    marks.current.get(next.id)?.focus()
  }
  const close = () => {
    setOpened(undefined)
    // Once the panel is gone: until then it keeps the focus.
    setTimeout(() => marks.current.get(current ?? '')?.focus())
  }
  const title = planWords(t).imageOf(floorName(t, plan))
  if (error) return <ErrorNote error={error} onRetry={retry} />
  if (!doors) return <Skeleton height={320} />
  const seesDoors = may('access-points:read')
  return (
    <Stack gap="sm">
      {!seesDoors && (
        <Alert color="gray" icon={<IconEyeOff size={18} aria-hidden />}>
          {planWords(t).doorsUnseen}
        </Alert>
      )}
      <PlanCanvas plan={plan} title={title} aria-label={planWords(t).doors(floorName(t, plan))} onKeyDown={walk}>
        {doors.map((door) => (
          <PlanMarker
            key={door.id}
            ref={(button) => {
              if (button) marks.current.set(door.id, button)
              else marks.current.delete(door.id)
            }}
            name={door.name}
            look={door.look}
            said={planWords(t).looks[door.look]}
            x={door.x}
            y={door.y}
            tabIndex={door.id === reached?.id ? 0 : -1}
            onFocus={() => setCurrent(door.id)}
            onClick={() => setOpened(door.access_point_id)}
          />
        ))}
      </PlanCanvas>
      {seesDoors && doors.length === 0 && (
        <Text size="sm" c="dimmed">
          {absence(resources['access-points'], planWords(t).noDoors)}
        </Text>
      )}
      {doors.length > 0 && <Legend doors={doors} />}
      <LimitNote resource={resources['floor-plans']} />
      {opened !== undefined && <DoorPanel id={opened} onClose={close} />}
    </Stack>
  )
}

function Legend({ doors }: { doors: readonly SeenDoor[] }) {
  const t = useWords()
  const format = useFormat()
  return (
    <section aria-label={planWords(t).legend}>
      <ul className="plan-legend">
        {allLooks.map((look) => (
          <li key={look}>
            <Mark look={look} />
            {planWords(t).looks[look]}
            <span className="number">{format.number(doors.filter((door) => door.look === look).length)}</span>
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed" className="no-print">
        {planWords(t).keys}
      </Text>
    </section>
  )
}
