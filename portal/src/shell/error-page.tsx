import { Button, Group } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { useWords } from '../i18n/language.tsx'
import { ErrorNote } from './error-note.tsx'
import { MissingFile } from './missing-file.ts'
import { Page } from './page.tsx'

/** A page that broke. A file that an update has taken away is there again after a reload. */
export function ErrorPage({ error }: { error: Error }) {
  const t = useWords()
  const router = useRouter()
  const isMissing = error instanceof MissingFile || /dynamically imported module|module script/i.test(error.message)
  const isAway = useIsAway(isMissing)
  const isOutdated = isMissing && isAway === false
  if (isMissing && isAway === undefined) return null
  return (
    <Page title={isOutdated ? t.shell.updated : t.errors.title}>
      {isAway && (
        <ErrorNote error={new ApiError('', { status: 0, code: 'UNREACHABLE' })} onRetry={() => location.reload()} />
      )}
      {!isMissing && <ErrorNote error={error} onRetry={() => void router.invalidate()} />}
      <Group>
        <Button variant="default" onClick={() => location.reload()}>
          {t.shell.reload}
        </Button>
      </Group>
    </Page>
  )
}

/** A file that does not come: an update has taken it away, or nobody answers at all. Undefined: not known yet. */
function useIsAway(isAsked: boolean): boolean | undefined {
  const [isAway, setAway] = useState<boolean>()
  useEffect(() => {
    if (!isAsked) return
    fetch('/readyz').then(
      () => setAway(false),
      () => setAway(true),
    )
  }, [isAsked])
  return isAway
}
