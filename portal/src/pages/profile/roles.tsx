import { List, Text } from '@mantine/core'
import { useMe } from '../../api/me.ts'
import { givenName } from '../../i18n/given-names.ts'
import { useWords } from '../../i18n/language.tsx'
import { Place } from '../../views/identity/role-assignments.tsx'

/** What I may do and where, in short. */
export function Roles() {
  const t = useWords()
  const { roles } = useMe()
  if (roles.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t.profile.noRoles}
      </Text>
    )
  }
  return (
    <List size="sm" spacing={4}>
      {roles.map((role) => (
        <List.Item key={role.role_assignment_id}>
          <b>{givenName(role.name)}</b> · <Place at={role} />
        </List.Item>
      ))}
    </List>
  )
}
