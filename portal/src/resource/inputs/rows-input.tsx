import { ActionIcon, Button, Input, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'

interface RowsInputProps {
  label: string
  description?: string | undefined
  error: string | undefined
  gap?: 'xs' | 'sm'
  /** What the button says that adds a row. */
  add: string
  onAdd(): void
  children: ReactNode
}

/** Any number of rows under one label, with a button below them for another. */
export function RowsInput({ label, description, error, gap = 'xs', add, onAdd, children }: RowsInputProps) {
  const labelId = useId()
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={error}
      labelElement="div"
      labelProps={{ id: labelId }}
    >
      <Stack gap={gap} mt={6} role="group" aria-labelledby={labelId}>
        {children}
        <div>
          <Button size="compact-sm" variant="subtle" leftSection={<IconPlus size={14} aria-hidden />} onClick={onAdd}>
            {add}
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  )
}

/** At the end of a row: takes it away. */
export const RemoveRow = ({ label, onRemove }: { label: string; onRemove(): void }) => (
  <ActionIcon variant="subtle" color="gray" size="input-sm" aria-label={label} onClick={onRemove}>
    <IconTrash size={16} aria-hidden />
  </ActionIcon>
)
