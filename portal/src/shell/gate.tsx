import { ActionIcon, Group, Menu, Paper, Stack, Text, Title } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { languageNames, languages } from '../i18n/load.ts'
import { Logo } from './logo.tsx'

/** The frame of the pages before login. */
export function Gate({ title, text, children }: { title: string; text?: string | undefined; children: ReactNode }) {
  const { t, speak } = useLanguage()
  useEffect(() => {
    document.title = `${title} · Gatehouse`
  }, [title])
  return (
    <main className="gate">
      <Stack gap="lg" className="gate-card">
        <Group justify="space-between">
          <Logo isLarge />
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t.language.label}
                title={t.language.label}
              >
                <IconLanguage size={20} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {languages.map((one) => (
                <Menu.Item key={one} lang={one} onClick={() => speak(one)}>
                  {languageNames[one]}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </Group>
        <Paper withBorder p="lg" radius="lg" shadow="xs">
          <Stack gap="md">
            <div>
              <Title order={1} size="h2">
                {title}
              </Title>
              {text !== undefined && (
                <Text size="sm" c="dimmed" mt={4}>
                  {text}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </main>
  )
}
