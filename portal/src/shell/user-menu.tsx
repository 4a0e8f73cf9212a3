import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { person } from '../api/client.ts'
import { useMe } from '../api/me.ts'
import { useLanguage } from '../i18n/language.tsx'
import { languageNames, languages } from '../i18n/load.ts'

const schemes = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
] as const

/** Me: appearance, language, the way out. */
export function UserMenu() {
  const { t, language, speak } = useLanguage()
  const me = useMe()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="top-start" width={248}>
      <Menu.Target>
        <UnstyledButton className="organization-button">
          <span className="user-mark" aria-hidden>
            {initialsOf(me.name)}
          </span>
          <span className="organization-name">
            {me.name}
            <span className="visually-hidden">: {t.shell.userMenu}</span>
            <small>{me.user?.email}</small>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconUserCircle size={16} aria-hidden />}
          renderRoot={(props) => <Link to="/profile" {...props} />}
        >
          {t.shell.profile}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t.theme.label}</Menu.Label>
        {schemes.map(([scheme, Icon]) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
            leftSection={<Icon size={16} aria-hidden />}
            rightSection={colorScheme === scheme ? <IconCheck size={14} aria-hidden /> : null}
            onClick={() => setColorScheme(scheme)}
          >
            {t.theme[scheme]}
          </Menu.Item>
        ))}
        <Menu.Label>{t.language.label}</Menu.Label>
        {languages.map((one) => (
          <Menu.Item
            key={one}
            lang={one}
            role="menuitemradio"
            aria-checked={language === one}
            rightSection={language === one ? <IconCheck size={14} aria-hidden /> : null}
            onClick={() => speak(one)}
          >
            {languageNames[one]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void person.logOut()}>
          {t.shell.logOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word[0])
    .slice(0, 2)
    .join('')
    .toUpperCase()
