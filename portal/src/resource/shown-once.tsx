import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import { useWords } from '../i18n/language.tsx'

/** A secret that is never shown again, with its warning and a button that copies it. */
export function ShownOnce({ value, label, warning, caption }: { value: string; label: string; warning?: string; caption?: string }) {
  const t = useWords()
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
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              variant={copied ? 'light' : 'default'}
              color={copied ? 'green' : 'brand'}
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={copy}
              data-autofocus
            >
              <span aria-live="polite">{copied ? t.words.copied : t.words.copy}</span>
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  )
}
