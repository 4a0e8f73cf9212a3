import { ActionIcon, Paper, Stack, Text, Title, Tooltip } from '@mantine/core'
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type DragEvent, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { AccessPoint, FloorPlan } from '../../api/generated/types.ts'
import { listOptions, useChange } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { planWords } from '../../i18n/plan-words.ts'
import { useAbsence } from '../../resource/absence.tsx'
import { SearchInput } from '../../resource/inputs/search-input.tsx'
import { labelOf, resources } from '../../resource/resources.ts'
import { ErrorNote } from '../../shell/error-note.tsx'
import { floorName } from './floor-name.ts'
import { type SeenDoor, useSeenDoors } from './live-plan.tsx'
import { PlanCanvas } from './plan-canvas.tsx'
import { PlanMarker } from './plan-marker.tsx'
import { positionsPath } from './plan-queries.ts'

const STEP = 0.01
const SMALL_STEP = 0.002
/** After the last press of a key a move is kept. */
const KEEP_MS = 400
const DRAGGED = 'application/x-gatehouse-door'

interface Spot {
  x: number
  y: number
}

const within = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000

const steps: Partial<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Where doors are put on a plan: dragged by the mouse or a finger, moved by keys. */
export function PlanEditor({ plan }: { plan: FloorPlan }) {
  const t = useWords()
  const format = useFormat()
  const change = useChange()
  const { doors = [], error, retry } = useSeenDoors(plan)
  const path = positionsPath(plan.id)
  const sheet = useRef<HTMLFieldSetElement>(null)
  /** Where those are that were moved and are not kept yet. */
  const [moved, setMoved] = useState<Readonly<Record<string, Spot>>>({})
  /** The door that was just put there: it takes the focus, to be moved. */
  const fresh = useRef<string>(undefined)
  const dragging = useRef<string>(undefined)

  const spotOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Spot => {
    const box = sheet.current?.getBoundingClientRect()
    if (!box) return { x: 0.5, y: 0.5 }
    return { x: within((clientX - box.left) / box.width), y: within((clientY - box.top) / box.height) }
  }
  const attempt = async (what: Parameters<typeof change.mutateAsync>[0]) => {
    try {
      await change.mutateAsync(what)
    } catch {
      // Told above the plan.
    }
  }
  const put = (doorId: string, spot: Spot) => {
    fresh.current = doorId
    void attempt({ method: 'POST', path, body: { access_point_id: doorId, ...spot } })
  }
  const takeOff = (door: SeenDoor) => void attempt({ method: 'DELETE', path: `${path}/${door.id}` })
  const keep = async (id: string, spot: Spot) => {
    await attempt({ method: 'PATCH', path: `${path}/${id}`, body: spot })
    setMoved(({ [id]: kept, ...rest }) =>
      kept && kept.x === spot.x && kept.y === spot.y ? rest : { ...rest, ...(kept && { [id]: kept }) },
    )
  }
  const keepSoon = useDebouncedCallback((id: string, spot: Spot) => void keep(id, spot), {
    delay: KEEP_MS,
    flushOnUnmount: true,
  })

  const press = (event: KeyboardEvent, door: SeenDoor) => {
    const step = steps[event.key]
    if (event.key === 'Delete' || event.key === 'Backspace') takeOff(door)
    if (!step) return
    event.preventDefault()
    event.stopPropagation()
    const from = moved[door.id] ?? door
    const by = event.shiftKey ? SMALL_STEP : STEP
    const spot = { x: within(from.x + step[0] * by), y: within(from.y + step[1] * by) }
    setMoved((now) => ({ ...now, [door.id]: spot }))
    keepSoon(door.id, spot)
  }
  const drag = (event: PointerEvent<HTMLButtonElement>, door: SeenDoor) => {
    if (dragging.current !== door.id) return
    const spot = spotOf(event)
    setMoved((now) => ({ ...now, [door.id]: spot }))
  }
  const drop = (door: SeenDoor) => {
    const spot = moved[door.id]
    if (dragging.current === door.id && spot) void keep(door.id, spot)
    dragging.current = undefined
  }
  const receive = (event: DragEvent) => {
    const id = event.dataTransfer.getData(DRAGGED)
    if (id === '') return
    event.preventDefault()
    put(id, spotOf(event))
  }
  const percent = (value: number) => `${format.number(Math.round(value * 100))} %`
  const failure = change.error ?? error
  return (
    <Stack gap="sm">
      <Paper className="plan-note" p="xs">
        <Text size="sm">{planWords(t).placing}</Text>
      </Paper>
      {failure && <ErrorNote error={failure} onRetry={error ? retry : undefined} />}
      <div className="plan-editing">
        <ToPlace plan={plan} placed={doors} onPut={(id) => put(id, { x: 0.5, y: 0.5 })} />
        <PlanCanvas
          plan={plan}
          title={planWords(t).imageOf(floorName(t, plan))}
          aria-label={planWords(t).doors(floorName(t, plan))}
          ref={sheet}
          data-editing
          onDragOver={(event) => event.preventDefault()}
          onDrop={receive}
        >
          {doors.map((door) => {
            const { x, y } = moved[door.id] ?? door
            return (
              <EditedMarker
                key={door.id}
                door={door}
                spot={{ x, y }}
                said={planWords(t).at(percent(x), percent(y))}
                takeOffLabel={planWords(t).takeOff(door.name)}
                isFresh={fresh.current === door.access_point_id}
                onSettled={() => {
                  fresh.current = undefined
                }}
                onKeyDown={(event) => press(event, door)}
                onPointerDown={(event) => {
                  event.currentTarget.setPointerCapture(event.pointerId)
                  dragging.current = door.id
                }}
                onPointerMove={(event) => drag(event, door)}
                onPointerUp={() => drop(door)}
                onTakeOff={() => takeOff(door)}
              />
            )
          })}
        </PlanCanvas>
      </div>
    </Stack>
  )
}

interface EditedMarkerProps {
  door: SeenDoor
  spot: Spot
  said: string
  takeOffLabel: string
  isFresh: boolean
  onSettled(): void
  onKeyDown(event: KeyboardEvent<HTMLButtonElement>): void
  onPointerDown(event: PointerEvent<HTMLButtonElement>): void
  onPointerMove(event: PointerEvent<HTMLButtonElement>): void
  onPointerUp(): void
  onTakeOff(): void
}

function EditedMarker({ door, spot, said, takeOffLabel, isFresh, onSettled, onTakeOff, ...events }: EditedMarkerProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isReached, setReached] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it comes
  useEffect(() => {
    if (!isFresh) return
    button.current?.focus()
    onSettled()
  }, [])
  return (
    <>
      <PlanMarker
        ref={button}
        name={door.name}
        look={door.look}
        said={said}
        {...spot}
        {...events}
        onFocus={() => setReached(true)}
        onBlur={() => setReached(false)}
      />
      {isReached && (
        <Tooltip label={takeOffLabel}>
          <ActionIcon
            className="plan-take-off"
            style={{ left: `${spot.x * 100}%`, top: `${spot.y * 100}%` }}
            variant="filled"
            color="red"
            size="sm"
            radius="xl"
            tabIndex={-1}
            aria-label={takeOffLabel}
            onPointerDown={(event) => event.preventDefault()}
            onClick={onTakeOff}
          >
            <IconX size={12} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </>
  )
}

/** Doors of the building that are not on the plan: a click puts one in the middle, from where it is moved. */
function ToPlace({ plan, placed, onPut }: { plan: FloorPlan; placed: readonly SeenDoor[]; onPut(id: string): void }) {
  const t = useWords()
  const absence = useAbsence()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const query = { within_building: plan.building_id, order: 'name', limit: '100', ...(search === '' ? {} : { search }) }
  const { data } = useQuery(listOptions<AccessPoint>(resources['access-points'].api, query))
  const taken = new Set(placed.map(({ access_point_id: id }) => id))
  const left = data?.items.filter(({ id }) => !taken.has(id)) ?? []
  // Those of the floor first.
  const sorted = left.toSorted((a, b) => Number(b.floor === plan.floor) - Number(a.floor === plan.floor))
  return (
    <section aria-labelledby="to-place" className="plan-to-place">
      <Title order={3} size="h5" id="to-place" mb="xs">
        {planWords(t).toPlace}
      </Title>
      <SearchInput label={planWords(t).findDoor} value={text} onChange={setText} />
      <ul className="plan-doors">
        {sorted.map((door) => {
          const name = labelOf(resources['access-points'], door)
          return (
            <li key={door.id} draggable onDragStart={({ dataTransfer }) => dataTransfer.setData(DRAGGED, door.id)}>
              <span>{name}</span>
              <ActionIcon variant="default" aria-label={planWords(t).put(name)} onClick={() => onPut(door.id)}>
                <IconPlus size={14} aria-hidden />
              </ActionIcon>
            </li>
          )
        })}
      </ul>
      {data && left.length === 0 && (
        <Text size="sm" c="dimmed">
          {absence(resources['access-points'], data.items.length === 0 ? t.form.nothingFound : planWords(t).allPlaced)}
        </Text>
      )}
    </section>
  )
}
