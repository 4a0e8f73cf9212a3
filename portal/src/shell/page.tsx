import { Anchor, Breadcrumbs, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, use, useEffect, useRef } from 'react'
import { MeContext } from '../api/me.ts'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { Breakable } from '../resource/shown/breakable.tsx'

interface PageProps {
  title: string
  crumbs?: ReadonlyArray<{ title: string; to: string }>
  subtitle?: ReactNode
  badges?: ReactNode
  actions?: ReactNode
  /** The title is not known yet. */
  isPending?: boolean
  children: ReactNode
}

/** True once the first page has been shown: from then on a new page takes the focus. */
let hasNavigated = false

/**
 * The frame of every page: title of the document, way back, headline, actions; whoever navigates by keyboard or ear
 * lands on the headline.
 */
export function Page({ title, crumbs = [], subtitle, badges, actions, isPending = false, children }: PageProps) {
  const t = useWords()
  const headline = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Gatehouse`
  }, [title])
  useEffect(() => {
    // Not when a form has opened with the page and has the focus.
    if (hasNavigated && !document.querySelector('[role="dialog"]')) headline.current?.focus({ preventScroll: true })
    hasNavigated = true
  }, [])
  return (
    <Stack gap="md" className="page">
      <header className="page-header">
        <div>
          {crumbs.length > 0 && (
            <nav aria-label={t.shell.breadcrumbs}>
              <Breadcrumbs separator="›" className="crumbs">
                {crumbs.map((crumb) => (
                  <Anchor key={crumb.to} size="sm" c="dimmed" renderRoot={(props) => <Link to={crumb.to} {...props} />}>
                    {crumb.title}
                  </Anchor>
                ))}
              </Breadcrumbs>
            </nav>
          )}
          <Group gap="sm" align="center">
            <Title order={1} ref={headline} tabIndex={-1} className="headline">
              {isPending ? <Skeleton height={24} width={220} aria-label={title} /> : <Breakable text={title} />}
            </Title>
            {badges}
          </Group>
          <PrintedAt />
          {subtitle && (
            <Text component="div" c="dimmed" size="sm">
              {subtitle}
            </Text>
          )}
        </div>
        {actions && (
          <Group gap="xs" className="page-actions">
            {actions}
          </Group>
        )}
      </header>
      {children}
    </Stack>
  )
}

/** Whoever finds it on paper knows whose it is and how old. */
function PrintedAt() {
  const me = use(MeContext)
  const format = useFormat()
  return (
    <p className="only-print">
      {[me?.organization.name, format.moment(new Date().toISOString())].filter(Boolean).join(' · ')}
    </p>
  )
}
