import { Button, FileButton, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPhotoUp } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import type { FloorPlan, FloorPlanDrawn } from '../../api/generated/types.ts'
import { useChange } from '../../api/queries.ts'
import { useWords } from '../../i18n/language.tsx'
import { planWords } from '../../i18n/plan-words.ts'
import { ErrorNote } from '../../shell/error-note.tsx'
import { imagePath } from './plan-queries.ts'

const TYPES = ['image/svg+xml', 'image/png']
const MOST_BYTES = 5 * 1024 * 1024

/** Sends an image for a plan, after the two things that can be told without sending it. */
export function usePlanImage(plan: FloorPlan) {
  const t = useWords()
  const change = useChange<FloorPlanDrawn>()
  const [fault, setFault] = useState<string>()
  const send = async (file: File | null | undefined) => {
    if (!file) return
    change.reset()
    const isRefused = !TYPES.includes(file.type)
      ? planWords(t).wrongType
      : file.size > MOST_BYTES
        ? planWords(t).tooLarge
        : undefined
    setFault(isRefused)
    if (isRefused !== undefined) return
    try {
      const { data } = await change.mutateAsync({
        method: 'PUT',
        path: imagePath(plan.id),
        body: file,
        contentType: file.type,
      })
      const isWhole = data.left_out.length === 0
      const message = isWhole ? planWords(t).stored : planWords(t).leftOut(data.left_out.join(', '))
      notifications.show({ message, color: isWhole ? 'green' : 'yellow' })
    } catch {
      // Told beside it.
    }
  }
  return { send, isBusy: change.isPending, fault, error: change.error }
}

type PlanImage = ReturnType<typeof usePlanImage>

export function ImageButton({ image, label }: { image: PlanImage; label: string }) {
  return (
    <FileButton accept={TYPES.join(',')} onChange={(file) => void image.send(file)}>
      {(props) => (
        <Button variant="default" leftSection={<IconPhotoUp size={16} aria-hidden />} loading={image.isBusy} {...props}>
          {label}
        </Button>
      )}
    </FileButton>
  )
}

export function ImageFault({ image: { fault, error } }: { image: PlanImage }) {
  if (fault !== undefined)
    return (
      <Text role="alert" size="sm" c="red">
        {fault}
      </Text>
    )
  return error && <ErrorNote error={error} />
}

/** Where an image is dropped, or chosen. */
export function ImageDrop({ image }: { image: PlanImage }) {
  const t = useWords()
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void image.send(event.dataTransfer.files[0])
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: whoever does not drag uses the button in it
    <div
      className="plan-drop"
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconPhotoUp size={28} aria-hidden />
      <Text fw={600}>{planWords(t).drop}</Text>
      <Text size="sm" c="dimmed" ta="center">
        {planWords(t).dropText}
      </Text>
      <ImageButton image={image} label={planWords(t).choose} />
      <ImageFault image={image} />
    </div>
  )
}
