import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AccessPointSync } from '../../api/generated/types.ts'
import { readOptions } from '../../api/queries.ts'
import { useWords } from '../../i18n/language.tsx'
import { liveWords, noteOf } from '../../i18n/live-words.ts'
import { StatusBadge } from '../../resource/shown/status-badge.tsx'
import { Moment } from '../../resource/shown/value.tsx'

/** Whether the device holds what the rules say: what it does not know yet it does not do. */
export function DeviceState({ api, id }: { api: string; id: string }) {
  const t = useWords()
  const { data } = useQuery(readOptions<AccessPointSync>(`${api}/${id}/sync`))
  if (!data) return null
  const text = noteOf(liveWords(t), data.error) ?? liveWords(t).deviceTexts[data.state]
  return (
    <Group gap="xs" component="section" aria-label={liveWords(t).device}>
      <Text size="sm" fw={600}>
        {liveWords(t).device}
      </Text>
      <StatusBadge field="state" value={data.state} />
      <Text size="sm" c="dimmed">
        {text.endsWith('.') ? text : `${text}.`}{' '}
        <span className="next-sentence">
          {t.estate.since} <Moment at={data.since} />
        </span>
      </Text>
    </Group>
  )
}
