import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon: ReactNode
  title?: string
  text?: string
  /** What to do next. */
  children?: ReactNode
}

export function EmptyState({ icon, title, text, children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" className="empty-state">
      <span className="empty-icon">{icon}</span>
      {title !== undefined && (
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
      )}
      {text !== undefined && (
        <Text c="dimmed" maw={440} ta="center">
          {text}
        </Text>
      )}
      {children}
    </Stack>
  )
}
