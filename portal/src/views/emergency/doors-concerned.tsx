import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useIsLimited, useMay } from '../../api/me.ts'
import { listOptions } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { liveWords } from '../../i18n/live-words.ts'
import { resources } from '../../resource/resources.ts'

/** The doors of the place that was chosen; of the whole organization where none was. Nothing opens mechanical ones. */
function doorsConcerned(values: Record<string, unknown>): Record<string, string> {
  return {
    ...doorsOf(values),
    ...(values.kind === 'evacuation' ? { access_control_system_id: 'not.is.null' } : {}),
  }
}

function doorsOf(values: Record<string, unknown>): Record<string, string> {
  const { building_id: building, location_id: location, space_id: space, access_point_id: door } = values
  if (building) return { within_building: String(building) }
  if (location) return { within_location: String(location) }
  if (space) return { space_id: `eq.${space}` }
  return door ? { id: `eq.${door}` } : {}
}

/** How many doors an emergency concerns, before it is started. */
export function DoorsConcerned({ values }: { values: Record<string, unknown> }) {
  const t = useWords()
  const format = useFormat()
  const read = resources['access-points'].read
  const isSeen = useMay()(read)
  const isLimited = useIsLimited()(read)
  const { data } = useQuery({
    ...listOptions(resources['access-points'].api, { ...doorsConcerned(values), limit: '1' }),
    enabled: isSeen,
  })
  if (!data) return null
  const words = liveWords(t)
  return (
    <Text size="sm" fw={600} role="status">
      {(isLimited ? words.concernsSeen : words.concerns)(format.number(data.total))}
    </Text>
  )
}
