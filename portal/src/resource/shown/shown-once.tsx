import { Alert, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { CopyText } from '../../shell/copy.tsx'

/** A secret that is never shown again, with its warning and a button that copies it. */
export function ShownOnce({
  value,
  label,
  warning,
  caption,
}: {
  value: string
  label: string
  warning?: string
  caption?: string
}) {
  return (
    <Stack gap="sm">
      {warning !== undefined && (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />}>
          {warning}
        </Alert>
      )}
      {caption !== undefined && (
        <Text size="sm" fw={600} mb={-8}>
          {caption}
        </Text>
      )}
      <Group gap="xs" wrap="nowrap" className="shown-once">
        <Code block aria-label={label} className="shown-once-value">
          {value}
        </Code>
        <CopyText value={value} />
      </Group>
    </Stack>
  )
}
