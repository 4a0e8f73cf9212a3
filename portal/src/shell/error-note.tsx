import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { ApiError, faultAt } from '../api/client.ts'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { CopyIcon } from './copy.tsx'

/** What went wrong in the person's language; what has no words of ours is told in the service's. */
export function useErrorText(): (error: unknown) => string {
  const t = useWords()
  const format = useFormat()
  return (error) => {
    if (!(error instanceof ApiError)) return t.errors.title
    if (error.status === 0) return t.errors.unreachable
    if (error.code === 'RATE_LIMITED' && error.retryAfterSeconds)
      return t.errors.wait(format.duration(error.retryAfterSeconds))
    if (error.code === 'INTERNAL') return t.errors.internal
    return t.errors.byReason[error.reason ?? ''] ?? t.errors.byReason[error.code] ?? error.message
  }
}

/** What is wrong with one field, to be told at its input; `otherwise` where the rule has no words of ours. */
export function useFaultText(): (error: unknown, path: string, otherwise?: string) => string | undefined {
  const t = useWords()
  return (error, path, otherwise) => {
    const fault = faultAt(error, path)
    return fault && (t.errors.byRule[fault.rule] ?? otherwise ?? fault.message)
  }
}

interface ErrorNoteProps {
  error: Error
  title?: string
  onRetry?: () => void
}

/** An error where it happened, with the number under which the service has logged it. */
export function ErrorNote({ error, title, onRetry }: ErrorNoteProps) {
  const t = useWords()
  const text = useErrorText()(error)
  const faults =
    error instanceof ApiError
      ? error.details.map(({ message }) => message).filter((message) => message !== error.message)
      : []
  const reqId = error instanceof ApiError ? error.reqId : undefined
  return (
    <Alert
      color="red"
      icon={<IconAlertCircle size={18} aria-hidden />}
      role="alert"
      {...(title === undefined ? {} : { title })}
    >
      <Text size="sm">{text}</Text>
      {faults.map((message) => (
        <Text key={message} size="sm">
          {message}
        </Text>
      ))}
      {(reqId || onRetry) && (
        <Group gap="xs" mt={6}>
          {onRetry && (
            <Button size="compact-xs" variant="default" onClick={onRetry}>
              {t.words.retry}
            </Button>
          )}
          {reqId && <RequestId id={reqId} />}
        </Group>
      )}
    </Alert>
  )
}

function RequestId({ id }: { id: string }) {
  const t = useWords()
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="xs" className="code">
        {t.errors.request(id)}
      </Text>
      <CopyIcon value={id} label={t.errors.copyRequest} />
    </Group>
  )
}
