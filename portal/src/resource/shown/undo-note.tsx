import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../i18n/language.tsx'

/** What was done, for a moment in the corner, with the way back. */
export function UndoNote({ children, onUndo }: { children: ReactNode; onUndo?: (() => void) | undefined }) {
  const t = useWords()
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      {children}
      {onUndo && (
        <Button size="compact-sm" variant="light" onClick={onUndo}>
          {t.words.undo}
        </Button>
      )}
    </Group>
  )
}
