import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../i18n/language.tsx'

interface ConfirmDialogProps {
  title: string
  text?: string | undefined
  confirm: string
  isDangerous?: boolean
  isBusy?: boolean
  isDisabled?: boolean
  cancel?: string
  children?: ReactNode
  onConfirm(): void
  onClose(): void
}

/** Asks before something is done. Escape and a click beside it mean no. */
export function ConfirmDialog({
  title,
  text,
  confirm,
  isDangerous,
  isBusy,
  isDisabled,
  cancel,
  children,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const t = useWords()
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t.words.close }}>
      <Stack gap="md">
        {text !== undefined && <Text size="sm">{text}</Text>}
        {children}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {cancel ?? t.words.cancel}
          </Button>
          <Button
            onClick={onConfirm}
            loading={isBusy ?? false}
            disabled={isDisabled ?? false}
            {...(isDangerous ? { color: 'red' } : {})}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** Before what was typed is lost. */
export function DiscardDialog({ onDiscard, onClose }: { onDiscard(): void; onClose(): void }) {
  const t = useWords()
  return (
    <ConfirmDialog
      title={t.form.discardTitle}
      text={t.form.discardText}
      confirm={t.form.discard}
      cancel={t.form.keepOpen}
      isDangerous
      onConfirm={onDiscard}
      onClose={onClose}
    />
  )
}

/** What is shown once is closed by saying that it was read, not by a slip. */
export function ResultDialog({
  title,
  isSecret = false,
  children,
  onClose,
}: {
  title: string
  isSecret?: boolean
  children: ReactNode
  onClose(): void
}) {
  const t = useWords()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>{isSecret ? t.form.shownOnceDone : t.words.done}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
