import { Alert, AppShell, Burger, Group, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys, useNetwork } from '@mantine/hooks'
import { IconSearch, IconWifiOff } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { MeContext } from '../api/me.ts'
import { meOptions } from '../api/queries.ts'
import { TimeZoneContext } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { CreateFormContext } from '../resource/forms/create-form.ts'
import { FormDrawer } from '../resource/forms/form-drawer-lazy.ts'
import { Logo } from './logo.tsx'
import { useNavigation } from './navigation.ts'
import { OrganizationMenu } from './organization-menu.tsx'
import { useOwnLinks } from './own-link.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import { UserMenu } from './user-menu.tsx'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

/** Who is there, for everything inside. */
export function Shell() {
  const { data: me } = useSuspenseQuery(meOptions)
  return (
    <MeContext value={me}>
      <TimeZoneContext value={me.organization.time_zone}>
        <CreateFormContext value={FormDrawer}>
          <Frame />
        </CreateFormContext>
      </TimeZoneContext>
    </MeContext>
  )
}

/** Navigation, menus and palette around every page. */
function Frame() {
  const t = useWords()
  const [isOpen, { toggle, close }] = useDisclosure(false)
  // Here, not in the palette: it may be asked for before it is loaded.
  const [isSearching, search] = useDisclosure(false)
  useHotkeys([['mod+K', search.toggle]], [])
  const { pathname } = useLocation()
  const { online } = useNetwork()
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever has chosen a page wants to see it
  useEffect(close, [pathname])
  return (
    <AppShell
      {...useOwnLinks()}
      navbar={{ width: 248, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      header={{ height: { base: 48, md: 0 } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <a href="#main" className="skip-link">
        {t.shell.skip}
      </a>
      <AppShell.Header hiddenFrom="md" className="phone-header">
        <Group h="100%" px="sm" justify="space-between">
          <Burger
            opened={isOpen}
            onClick={toggle}
            size="sm"
            aria-label={isOpen ? t.shell.closeNavigation : t.shell.openNavigation}
          />
          <Logo />
          <UnstyledButton onClick={search.open} aria-label={t.palette.open} className="phone-search">
            <IconSearch size={18} aria-hidden />
          </UnstyledButton>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="navbar">
        <AppShell.Section p="xs">
          <OrganizationMenu />
          <UnstyledButton className="palette-button" onClick={search.open} visibleFrom="md">
            <IconSearch size={15} aria-hidden />
            <span>{t.palette.open}</span>
            <kbd>Ctrl K</kbd>
          </UnstyledButton>
        </AppShell.Section>
        <AppShell.Section grow px="xs" className="navbar-pages">
          <Navigation pathname={pathname} />
        </AppShell.Section>
        <AppShell.Section p="xs" className="navbar-foot">
          <UserMenu />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        {!online && (
          <Alert color="yellow" icon={<IconWifiOff size={18} aria-hidden />} mb="md" role="status">
            {t.shell.offline}
          </Alert>
        )}
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <Suspense>
        <Palette isOpen={isSearching} onClose={search.close} />
      </Suspense>
    </AppShell>
  )
}

function Navigation({ pathname }: { pathname: string }) {
  const t = useWords()
  return (
    <nav aria-label={t.shell.mainNavigation}>
      {useNavigation().map(({ title, entries }) => (
        <div key={title} className="nav-group">
          {title !== '' && (
            <Text component="h2" className="nav-title">
              {title}
            </Text>
          )}
          {entries.map((entry) => {
            const isActive =
              entry.to === '/' ? pathname === '/' : pathname === entry.to || pathname.startsWith(`${entry.to}/`)
            return (
              <Link
                key={entry.to}
                to={entry.to}
                preload="intent"
                aria-current={isActive ? 'page' : undefined}
                className="nav-link"
              >
                <entry.icon size={17} stroke={1.6} aria-hidden className="nav-icon" />
                {entry.title}
              </Link>
            )
          })}
        </div>
      ))}
    </nav>
  )
}
