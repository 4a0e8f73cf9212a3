import { ActionIcon, Button, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useWords } from '../i18n/language.tsx'

/** Copies a text; what it did is seen and heard. `isSmall` within other text. */
export function CopyText({ value, isSmall = false }: { value: string; isSmall?: boolean }) {
  const t = useWords()
  const size = isSmall ? 14 : 16
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          {...(isSmall
            ? { size: 'compact-sm', variant: 'subtle', flex: 'none' }
            : { variant: copied ? 'light' : 'default', color: copied ? 'green' : 'brand', 'data-autofocus': true })}
          leftSection={copied ? <IconCheck size={size} aria-hidden /> : <IconCopy size={size} aria-hidden />}
          onClick={copy}
        >
          <span aria-live="polite">{copied ? t.words.copied : t.words.copy}</span>
        </Button>
      )}
    </CopyButton>
  )
}

/** The same beside an identifier. */
export function CopyIcon({ value, label }: { value: string; label: string }) {
  const t = useWords()
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t.words.copied : label}>
          <ActionIcon size="xs" variant="subtle" color="gray" onClick={copy} aria-label={label}>
            {copied ? <IconCheck size={12} aria-hidden /> : <IconCopy size={12} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
