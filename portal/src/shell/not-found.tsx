import { Button } from '@mantine/core'
import { IconDoorOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWords } from '../i18n/language.tsx'
import { EmptyState } from '../resource/empty-state.tsx'
import { Page } from './page.tsx'

export function NotFound() {
  const t = useWords()
  return (
    <Page title={t.errors.notFoundTitle}>
      <EmptyState icon={<IconDoorOff size={28} aria-hidden />} text={t.errors.notFoundText}>
        <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
          {t.errors.toOverview}
        </Button>
      </EmptyState>
    </Page>
  )
}
