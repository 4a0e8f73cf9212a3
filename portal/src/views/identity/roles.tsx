import { Paper, Title } from '@mantine/core'
import { IconCopy, IconShieldCheck, IconShieldOff } from '@tabler/icons-react'
import type { Role } from '../../api/generated/types.ts'
import { givenName } from '../../i18n/given-names.ts'
import { useWords } from '../../i18n/language.tsx'
import { secondFactorWords } from '../../i18n/second-factor-words.ts'
import { defineView, type FormSection } from '../../resource/define-view.ts'
import { PermissionList } from '../../resource/inputs/permissions-input.tsx'
import { resources } from '../../resource/resources.ts'
import { Value } from '../../resource/shown/value.tsx'

function Kind({ role }: { role: Role }) {
  const t = useWords()
  return role.is_built_in ? t.identity.builtIn : t.identity.custom
}

/** The built-in roles come in English; what they are for is said in the person's language, as their names are. */
function Purpose({ role }: { role: Role }) {
  const t = useWords()
  const known: Record<string, string> = t.identity.builtInRoles
  return (
    <Value
      field="description"
      value={(role.is_built_in && known[role.name]) || role.description}
      resource={resources.roles}
    />
  )
}

function Permissions({ role }: { role: Role }) {
  const t = useWords()
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="sm">
        {t.identity.mayDo}
      </Title>
      <PermissionList permissions={role.permissions} />
    </Paper>
  )
}

const sections: readonly FormSection[] = [
  {
    fields: [
      'name',
      'description',
      { field: 'requires_second_factor', hint: (t) => secondFactorWords(t).roleFactorHint },
      { field: 'permissions', hint: (t) => t.identity.permissionsOwnHint },
    ],
  },
]

export const roles = defineView<Role>({
  resource: resources.roles,
  columns: [
    { field: 'name', render: ({ name }) => givenName(name) },
    { field: 'is_built_in', title: (t) => t.fields.kind, render: (role) => <Kind role={role} /> },
    { field: 'description', render: (role) => <Purpose role={role} />, isUnsortable: true },
    {
      key: 'permissions',
      title: (t) => t.fields.permissions,
      render: ({ permissions }) => <span className="number">{permissions.length}</span>,
      align: 'right',
    },
    { field: 'requires_second_factor', isExtra: true },
    { field: 'updated_at', isExtra: true },
  ],
  order: 'is_built_in.desc,name.asc',
  filters: [{ field: 'is_built_in', kind: 'boolean' }],
  form: sections,
  detail: {
    sections: [
      {
        facts: [
          { field: 'is_built_in', title: (t) => t.fields.kind, render: (role) => <Kind role={role} /> },
          { field: 'description', render: (role) => <Purpose role={role} /> },
          'requires_second_factor',
          { key: 'count', title: (t) => t.fields.permissions, render: ({ permissions }) => permissions.length },
        ],
      },
    ],
    extra: (role) => <Permissions role={role} />,
    tabs: [
      {
        key: 'assignments',
        title: (t) => t.identity.assignments,
        view: 'role-assignments',
        by: 'role_id',
        glimpse: ['holder', 'place'],
      },
    ],
  },
  isFixed: ({ is_built_in }) => is_built_in,
  actions: [
    // Of a built-in role it is all that can be changed; others have it in their form.
    {
      name: 'demand-factor',
      label: (t) => secondFactorWords(t).demandFactor,
      icon: IconShieldCheck,
      permission: 'roles:write',
      when: ({ is_built_in, requires_second_factor }) => is_built_in && !requires_second_factor,
      patch: { requires_second_factor: true },
      title: (t, name) => secondFactorWords(t).demandFactorTitle(name),
      text: (t) => secondFactorWords(t).demandFactorText,
      done: (t, name) => secondFactorWords(t).factorDemanded(name),
    },
    {
      name: 'waive-factor',
      label: (t) => secondFactorWords(t).waiveFactor,
      icon: IconShieldOff,
      permission: 'roles:write',
      when: ({ is_built_in, requires_second_factor }) => is_built_in && requires_second_factor,
      isDangerous: true,
      patch: { requires_second_factor: false },
      title: (t, name) => secondFactorWords(t).waiveFactorTitle(name),
      text: (t) => secondFactorWords(t).waiveFactorText,
      done: (t, name) => secondFactorWords(t).factorWaived(name),
    },
    {
      name: 'copy',
      label: (t) => t.identity.copyRole,
      icon: IconCopy,
      permission: 'roles:write',
      isPrimary: true,
      run: (change, _role, body) => change({ method: 'POST', path: resources.roles.api, body }),
      title: (t, name) => t.identity.copyRoleTitle(name),
      text: (t) => t.identity.copyRoleText,
      form: {
        body: 'RoleCreate',
        sections,
        initial: ({ name, description, permissions, requires_second_factor }, t) => ({
          name: t.identity.copyName(givenName(name)),
          description,
          permissions,
          requires_second_factor,
        }),
      },
      done: (t) => t.identity.roleCopied,
    },
  ],
})
