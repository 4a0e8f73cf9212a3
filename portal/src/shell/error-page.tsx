import { Button, Group } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useWords } from '../i18n/language.tsx'
import { ErrorNote } from './error-note.tsx'
import { Page } from './page.tsx'

/** A page that broke. A file that an update has taken away is there again after a reload. */
export function ErrorPage({ error }: { error: Error }) {
  const t = useWords()
  const router = useRouter()
  const isOutdated = /dynamically imported module|module script/i.test(error.message)
  return (
    <Page title={isOutdated ? t.shell.updated : t.errors.title}>
      {!isOutdated && <ErrorNote error={error} onRetry={() => void router.invalidate()} />}
      <Group>
        <Button variant="default" onClick={() => location.reload()}>
          {t.shell.reload}
        </Button>
      </Group>
    </Page>
  )
}
