import { ActionIcon, Group, Tooltip } from '@mantine/core'
import { IconMaximize, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { type ComponentPropsWithRef, type KeyboardEvent, useState } from 'react'
import type { FloorPlan } from '../../api/generated/types.ts'
import { useWords } from '../../i18n/language.tsx'
import { planWords } from '../../i18n/plan-words.ts'
import { imagePath } from './plan-queries.ts'

const LARGEST = 6
const STEP = 1.4

interface PlanCanvasProps extends ComponentPropsWithRef<'fieldset'> {
  plan: FloorPlan
  /** What the image shows. */
  title: string
}

/** The image of a plan, as large as wanted, and what stands on it. */
export function PlanCanvas({ plan, title, children, onKeyDown, ...sheet }: PlanCanvasProps) {
  const t = useWords()
  const [zoom, setZoom] = useState(1)
  const { width, height, image_hash: hash } = plan
  const ratio = (width ?? 1) / (height ?? 1)
  const turn = (factor: number) => setZoom((now) => Math.min(LARGEST, Math.max(1, now * factor)))
  const press = (event: KeyboardEvent<HTMLFieldSetElement>) => {
    if (event.key === '+' || event.key === '=') turn(STEP)
    else if (event.key === '-') turn(1 / STEP)
    else if (event.key === '0') setZoom(1)
    else onKeyDown?.(event)
  }
  const tools = [
    { word: 'zoomIn', icon: IconZoomIn, isOff: zoom >= LARGEST, act: () => turn(STEP) },
    { word: 'zoomOut', icon: IconZoomOut, isOff: zoom <= 1, act: () => turn(1 / STEP) },
    { word: 'zoomFit', icon: IconMaximize, isOff: zoom === 1, act: () => setZoom(1) },
  ] as const
  return (
    <div className="plan-outer">
      <Group gap={4} className="plan-zoom no-print">
        {tools.map(({ word, icon: Sign, isOff, act }) => (
          <Tooltip key={word} label={planWords(t)[word]}>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={planWords(t)[word]}
              data-disabled={isOff || undefined}
              onClick={act}
            >
              <Sign size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ))}
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keyboard too */}
      <section className="plan-frame" tabIndex={0} aria-label={title}>
        <fieldset
          className="floor-plan"
          style={{ width: `calc(min(100%, 72vh * ${ratio}) * ${zoom})`, aspectRatio: `${width} / ${height}` }}
          onKeyDown={press}
          {...sheet}
        >
          <img key={hash} src={`${imagePath(plan.id)}#${hash}`} alt="" draggable={false} />
          {children}
        </fieldset>
      </section>
    </div>
  )
}
