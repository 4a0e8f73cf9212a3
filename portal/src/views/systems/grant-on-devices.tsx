import { Alert, List } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { AccessGrantSync } from '../../api/generated/types.ts'
import { readOptions } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { liveWords } from '../../i18n/live-words.ts'
import { Reference } from '../../resource/reference.tsx'
import { resources } from '../../resource/resources.ts'
import { DeviceState } from '../doors/device-state.tsx'

const api = resources['access-grants'].api

/** Whether devices know of a grant, and which doors it still opens though it was taken back. */
export function GrantOnDevices({ id }: { id: string }) {
  const t = useWords()
  const format = useFormat()
  const words = liveWords(t)
  const { data } = useQuery(readOptions<AccessGrantSync>(`${api}/${id}/sync`))
  if (!data || data.systems?.length === 0) return null
  return (
    <>
      <DeviceState api={api} id={id} />
      {data.still_opens && data.still_opens.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />} title={words.stillOpens}>
          <List size="sm">
            {data.still_opens.map(({ access_point_id: door, name, until }) => (
              <List.Item key={door}>
                <Reference to={resources['access-points']} id={door} fallback={name} />{' '}
                {until === null ? words.stillOpensOpen : words.stillOpensUntil(format.moment(until))}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  )
}
