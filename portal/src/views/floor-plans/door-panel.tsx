import { Anchor, Drawer, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AccessPoint } from '../../api/generated/types.ts'
import { itemOptions } from '../../api/queries.ts'
import { useWords } from '../../i18n/language.tsx'
import { planWords } from '../../i18n/plan-words.ts'
import { labelOf, pathTo, resources } from '../../resource/resources.ts'
import { ErrorNote } from '../../shell/error-note.tsx'
import { LiveDoor } from '../doors/live-door.tsx'

const doors = resources['access-points']

/** A door beside the plan it was chosen on: how it stands, and what can be done with it, as on its own page. */
export function DoorPanel({ id, onClose }: { id: string; onClose(): void }) {
  const t = useWords()
  const { data, error, refetch } = useQuery(itemOptions<AccessPoint>(doors.api, id))
  const isGone = error && 'status' in error && error.status === 404
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={data ? labelOf(doors, data.item) : t.words.loading}
      closeButtonProps={{ 'aria-label': t.words.close }}
    >
      <Stack gap="md">
        {isGone ? (
          <Text>{planWords(t).gone}</Text>
        ) : (
          error && <ErrorNote error={error} onRetry={() => void refetch()} />
        )}
        {data ? <LiveDoor point={data.item} /> : !error && <Skeleton height={240} />}
        {data && (
          <Anchor renderRoot={(props) => <Link to={pathTo(doors, id) ?? '/'} {...props} />}>
            {planWords(t).toDoor}
          </Anchor>
        )}
      </Stack>
    </Drawer>
  )
}
