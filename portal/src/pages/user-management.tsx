import { Tabs, Text } from '@mantine/core'
import { Navigate, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { useWords } from '../i18n/language.tsx'
import { useChosenInSight } from '../shell/chosen-tab.ts'
import { useUserManagement } from '../shell/navigation.ts'
import { NotFound } from '../shell/not-found.tsx'

/** User Management Settings: Users, Service Users, Roles and Permissions. */
export function UserManagement() {
  const t = useWords()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const entries = useUserManagement()
  const [first] = entries
  const list = useChosenInSight(pathname)
  if (!first) return <NotFound />
  if (pathname.replace(/\/$/, '') === '/user-management') return <Navigate to={first.to} replace />
  // An item's page says where it belongs by its breadcrumbs.
  if (!entries.some(({ to }) => to === pathname)) return <Outlet />
  const active = entries.find(({ to }) => pathname === to)
  return (
    <div className="page managed">
      <Text className="managed-title">{t.shell.userManagement}</Text>
      <Tabs value={active?.to ?? null} onChange={(to) => to !== null && void navigate({ to })} mb="md">
        <Tabs.List aria-label={t.shell.userManagement} className="detail-tabs" ref={list}>
          {entries.map(({ to, title, icon: Icon }) => (
            <Tabs.Tab key={to} value={to} leftSection={<Icon size={16} stroke={1.6} aria-hidden />}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Outlet />
    </div>
  )
}
