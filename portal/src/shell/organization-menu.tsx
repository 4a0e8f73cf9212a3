import { Menu, UnstyledButton } from '@mantine/core'
import { IconBook, IconSelector, IconSettings, IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMay, useMe } from '../api/me.ts'
import { useWords } from '../i18n/language.tsx'
import { useUserManagement } from './navigation.ts'

/** The organization menu: it leads to User Management Settings. */
export function OrganizationMenu() {
  const t = useWords()
  const { organization } = useMe()
  const may = useMay()
  const userManagement = useUserManagement()
  return (
    <Menu position="bottom-start" width={248} withinPortal>
      <Menu.Target>
        <UnstyledButton className="organization-button">
          <span className="organization-mark" aria-hidden>
            {organization.name.slice(0, 1).toUpperCase()}
          </span>
          <span className="organization-name">
            {organization.name}
            <span className="visually-hidden">: {t.shell.organizationMenu}</span>
          </span>
          <IconSelector size={15} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {userManagement.length > 0 && (
          <Menu.Item
            leftSection={<IconUsers size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/user-management" {...props} />}
          >
            {t.shell.userManagement}
          </Menu.Item>
        )}
        {may('organization:read') && (
          <Menu.Item
            leftSection={<IconSettings size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/organization" {...props} />}
          >
            {t.shell.organizationSettings}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconBook size={16} aria-hidden />} component="a" href="/docs">
          {t.shell.apiReference}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
