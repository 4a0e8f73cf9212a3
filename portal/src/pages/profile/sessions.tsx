import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconLogout } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { listOptions, useChange } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { ConfirmDialog } from '../../resource/dialog.tsx'
import { useView } from '../../resource/known-views.ts'
import { resources } from '../../resource/resources.ts'
import { ShortList } from '../../resource/shown/short-list.tsx'
import { ErrorNote } from '../../shell/error-note.tsx'

const ORDER = 'last_seen_at.desc'

export function Sessions() {
  const t = useWords()
  const format = useFormat()
  const change = useChange<{ ended: number }>()
  const [isAsking, setAsking] = useState(false)
  const hasOthers = (useQuery(listOptions(resources.sessions.api, { limit: '100', order: ORDER })).data?.total ?? 0) > 1
  const endOthers = async () => {
    const { data } = await change.mutateAsync({ method: 'POST', path: '/api/v1/sessions/end-others', body: {} })
    notifications.show({ message: t.profile.othersEnded(format.number(data.ended)), color: 'green' })
    setAsking(false)
  }
  return (
    <>
      <Suspense>
        <Own />
      </Suspense>
      {hasOthers && (
        <Group>
          <Button variant="default" leftSection={<IconLogout size={16} aria-hidden />} onClick={() => setAsking(true)}>
            {t.profile.endOthers}
          </Button>
        </Group>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t.profile.endOthersTitle}
          text={t.profile.endOthersText}
          confirm={t.profile.endOthers}
          isBusy={change.isPending}
          onConfirm={() => void endOthers().catch(() => undefined)}
          onClose={() => setAsking(false)}
        >
          {change.error && <ErrorNote error={change.error} />}
        </ConfirmDialog>
      )}
    </>
  )
}

const Own = () => <ShortList view={useView('sessions')} order={ORDER} />
