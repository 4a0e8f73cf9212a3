import { Text } from '@mantine/core'
import { useWords } from '../i18n/language.tsx'

/** Nobody takes a part for the whole. */
export function CutNote({ isCut }: { isCut: boolean }) {
  const t = useWords()
  if (!isCut) return null
  return (
    <Text size="xs" c="dimmed">
      {t.people.cut}
    </Text>
  )
}
