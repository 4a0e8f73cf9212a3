import { Anchor, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RoleAssignment } from '../../api/generated/types.ts'
import { useIsLimited, useMay } from '../../api/me.ts'
import { listOptions } from '../../api/queries.ts'
import { givenName } from '../../i18n/given-names.ts'
import { useWords } from '../../i18n/language.tsx'
import type { Messages } from '../../i18n/messages.ts'
import { defineView } from '../../resource/define-view.ts'
import { Located } from '../../resource/located.tsx'
import { Reference } from '../../resource/reference.tsx'
import { resources } from '../../resource/resources.ts'
import { ToneBadge, wordFor } from '../../resource/shown/status-badge.tsx'
import { Nothing } from '../../resource/shown/value.tsx'
import { inWords } from '../../typed.ts'

/** Where a role holds: everywhere, or in one place with all below it. */
export function Place({ at }: { at: { location_id: string | null; building_id: string | null } }) {
  const t = useWords()
  if (at.building_id !== null) return <Located end={{ resource: resources.buildings, id: at.building_id }} />
  if (at.location_id !== null) return <Located end={{ resource: resources.locations, id: at.location_id }} />
  return t.words.everywhere
}

/** Somebody, or some software. */
function Holder({
  assignment: { user_id, user_name, service_user_id, service_user_name },
}: {
  assignment: RoleAssignment
}) {
  if (user_id !== null) return <Reference to={resources.users} id={user_id} fallback={user_name ?? undefined} />
  if (service_user_id !== null)
    return <Reference to={resources['service-users']} id={service_user_id} fallback={service_user_name ?? undefined} />
  return <Nothing />
}

const MOST = '100'

/** A table asks once for all its rows, as long as one page holds every assignment there is. */
function useAssignments(by: 'user_id' | 'service_user_id', id: string): readonly RoleAssignment[] | undefined {
  const may = useMay()('role-assignments:read')
  const { api } = resources['role-assignments']
  const { data: all } = useQuery({ ...listOptions<RoleAssignment>(api, { limit: MOST }), enabled: may })
  const isWhole = all !== undefined && all.total <= all.items.length
  const { data: own } = useQuery({
    ...listOptions<RoleAssignment>(api, { [by]: `eq.${id}`, limit: MOST }),
    enabled: may && all !== undefined && !isWhole,
  })
  return isWhole ? all.items.filter((assignment) => assignment[by] === id) : own?.items
}

/** The roles that somebody has, each with its place; who has none may do nothing, which is said. */
function RolesOf({ by, id }: { by: 'user_id' | 'service_user_id'; id: string }) {
  const t = useWords()
  const may = useMay()
  const isLimited = useIsLimited()
  const held = useAssignments(by, id)
  if (!may('role-assignments:read')) return <Nothing word={t.words.notVisible} />
  if (!held) return null
  if (held.length === 0 && isLimited('role-assignments:read')) return <Nothing word={t.words.notVisible} />
  if (held.length === 0) return <ToneBadge tone="warning">{t.identity.noRole}</ToneBadge>
  return (
    <>
      {held.map((assignment) => (
        <Group key={assignment.id} gap={6}>
          <Anchor
            inherit
            renderRoot={(props) => <Link to={`${resources.roles.path}/${assignment.role_id}`} {...props} />}
          >
            {givenName(assignment.role_name ?? '')}
          </Anchor>
          <Text span inherit c="dimmed">
            · <Place at={assignment} />
          </Text>
        </Group>
      ))}
    </>
  )
}

/** In a list and among the facts. */
export const rolesOf = (by: 'user_id' | 'service_user_id') => ({
  key: 'roles',
  title: (t: Messages) => t.resources['role-assignments'].many,
  render: ({ id }: { id: string }) => <RolesOf by={by} id={id} />,
})

/** Opened on somebody's page: it is for them. */
const hasHolder = (given: Record<string, unknown>): boolean => 'user_id' in given || 'service_user_id' in given
const scopeOf = (values: Record<string, unknown>): unknown => values.scope ?? 'organization'

export const roleAssignments = defineView<RoleAssignment>({
  resource: resources['role-assignments'],
  columns: [
    'role_id',
    { key: 'holder', title: (t) => t.identity.holder, render: (assignment) => <Holder assignment={assignment} /> },
    { key: 'place', title: (t) => t.identity.scope, render: (assignment) => <Place at={assignment} /> },
    { field: 'created_at', title: (t) => t.identity.assignedAt },
  ],
  order: 'created_at.asc',
  createLabel: (t) => t.identity.assignRole,
  createdNote: (t) => t.identity.roleAssigned,
  form: [
    {
      fields: [
        { field: 'role_id', hint: (t) => t.identity.roleHint },
        {
          field: 'holder',
          label: (t) => t.identity.holderKind,
          when: (_values, given) => !hasHolder(given),
          choices: { values: ['user', 'service_user'], label: (t, value) => wordFor(t.values, 'actor_kind', value) },
        },
        { field: 'user_id', when: ({ holder }, given) => !hasHolder(given) && holder === 'user', isNeeded: true },
        {
          field: 'service_user_id',
          when: ({ holder }, given) => !hasHolder(given) && holder === 'service_user',
          isNeeded: true,
        },
      ],
    },
    {
      title: (t) => t.identity.scope,
      text: (t) => t.identity.scopeHint,
      fields: [
        {
          field: 'scope',
          label: (t) => t.identity.scopeLabel,
          choices: {
            values: ['organization', 'location', 'building'],
            label: (t, value) => inWords(t.identity.scopes, value) ?? value,
          },
        },
        { field: 'location_id', when: (values) => scopeOf(values) === 'location', isNeeded: true },
        { field: 'building_id', when: (values) => scopeOf(values) === 'building', isNeeded: true },
      ],
    },
  ],
  deletion: {
    label: (t) => t.identity.takeRole,
    title: (t, name) => t.identity.takeRoleTitle(name),
    text: (t) => t.identity.takeRoleText,
    done: (t) => t.identity.roleTaken,
  },
})
