import { Alert, Text } from '@mantine/core'
import { IconInfoCircle, IconKey, IconMailForward, IconShieldOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { RoleAssignment, User } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { listOptions } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { type ActionDef, defineView } from '../../resource/define-view.ts'
import { resources } from '../../resource/resources.ts'
import { ShownOnce } from '../../resource/shown/shown-once.tsx'
import { type OwnOf, wordedAction } from '../../resource/worded-action.ts'
import { assignRole, reactivate, suspend } from '../shared-actions.ts'
import { rolesOf } from './role-assignments.tsx'

/** A link that whoever asked for it hands over; where there is mail it was sent, and there is nothing to hand over. */
function HandOver({ link, expiresAt, text }: { link: string; expiresAt: string; text: string }) {
  const t = useWords()
  const format = useFormat()
  return (
    <>
      <Text size="sm">{text}</Text>
      <ShownOnce value={link} label={t.identity.link} warning={t.identity.linkWarning(format.moment(expiresAt))} />
    </>
  )
}

const linkOf = (data: Record<string, unknown>, text: string) =>
  typeof data.link === 'string' ? (
    <HandOver link={data.link} expiresAt={String(data.link_expires_at)} text={text} />
  ) : undefined

function InvitationLink({ data }: { data: Record<string, unknown> }) {
  const t = useWords()
  return linkOf(data, t.identity.invitedText(String(data.name)))
}

function LinkFor({ data, user, isReset = false }: { data: Record<string, unknown>; user: User; isReset?: boolean }) {
  const t = useWords()
  return linkOf(data, isReset ? t.identity.resetLinkText(user.name) : t.identity.invitedText(user.name))
}

/** Says beforehand what the service would refuse. */
function LastOwner({ user }: { user: User }) {
  const t = useWords()
  const may = useMay()
  const { data } = useQuery({
    ...listOptions<RoleAssignment>(resources['role-assignments'].api, {
      role_name: 'eq.Owner',
      location_id: 'is.null',
      building_id: 'is.null',
      limit: '2',
    }),
    enabled: may('role-assignments:read'),
  })
  if (data?.total !== 1 || data.items[0]?.user_id !== user.id) return null
  return (
    <Alert color="brand" icon={<IconInfoCircle size={18} aria-hidden />}>
      {t.identity.lastOwner(user.name)}
    </Alert>
  )
}

/** Makes a link. Where it was sent by mail the note says whereto, since there is nothing to see. */
function byMail(
  sent: 'invitedByMail' | 'resetLinkByMail',
  word: 'inviteAgain' | 'resetLink',
  own: OwnOf<User, 'identity'>,
): ActionDef<User> {
  const action = wordedAction<User, 'identity'>('identity', word, own)
  const done: ActionDef<User>['done'] = (t, name, data, user) =>
    data.mailed === true ? t.identity[sent](name, user.email ?? name) : action.done(t, name, data, user)
  return { ...action, done }
}

const roles = rolesOf('user_id')

export const users = defineView<User>({
  resource: resources.users,
  columns: [
    'name',
    'email',
    'status',
    roles,
    'mfa',
    'last_login_at',
    { field: 'language', isExtra: true },
    { field: 'external_id', isExtra: true },
    { field: 'created_at', isExtra: true },
  ],
  order: 'name.asc',
  filters: [
    { field: 'status', kind: 'values', values: ['invited', 'active', 'suspended'] },
    { field: 'mfa', kind: 'boolean' },
  ],
  createLabel: (t) => t.identity.inviteUser,
  form: [
    {
      text: (t) => t.identity.inviteHint,
      fields: ['name', 'email', { field: 'language', hint: (t) => t.identity.userLanguageHint }, 'external_id'],
    },
  ],
  createdTitle: (t) => t.identity.invitedTitle,
  createdNote: (t, { name, email, mailed }) =>
    mailed === true ? t.identity.invitedByMail(String(name), String(email)) : t.identity.invited(String(name)),
  created: ({ data }) => (data.mailed === true ? undefined : <InvitationLink data={data} />),
  detail: {
    badges: ['status'],
    subtitle: ({ email }) => email,
    sections: [
      {
        facts: ['email', roles, 'mfa', 'last_login_at', 'language', 'external_id'],
      },
    ],
    extra: (user) => <LastOwner user={user} />,
    tabs: [{ key: 'roles', view: 'role-assignments', by: 'user_id', isCreatedAbove: true }],
  },
  actions: [
    assignRole('user_id'),
    byMail('invitedByMail', 'inviteAgain', {
      name: 'invite',
      icon: IconMailForward,
      permission: 'users:write',
      when: ({ status }) => status === 'invited',
      isPrimary: true,
      done: 'invited',
      resultTitle: (t) => t.identity.invitedTitle,
      result: ({ data }, user) => (data.mailed === true ? undefined : <LinkFor data={data} user={user} />),
    }),
    byMail('resetLinkByMail', 'resetLink', {
      name: 'reset-link',
      icon: IconKey,
      permission: 'users:write',
      when: ({ status }) => status === 'active',
      text: (t) => t.identity.resetLinkHint,
      done: 'resetLinkDone',
      resultTitle: (t) => t.identity.resetLinkMade,
      result: ({ data }, user) => (data.mailed === true ? undefined : <LinkFor data={data} user={user} isReset />),
    }),
    wordedAction('identity', 'removeFactor', {
      name: 'remove-second-factor',
      icon: IconShieldOff,
      permission: 'users:write',
      when: ({ status }) => status !== 'invited',
      isDangerous: true,
      form: {
        body: 'SecondFactorRemove',
        sections: [
          {
            fields: [
              {
                field: 'passkeys',
                label: (t) => t.identity.removePasskeys,
                hint: (t) => t.identity.removePasskeysHint,
              },
            ],
          },
        ],
      },
      done: 'factorRemoved',
    }),
    suspend('identity', {
      permission: 'users:write',
      when: ({ status }) => status !== 'suspended',
      text: (t) => t.identity.suspendUserText,
    }),
    reactivate('identity', {
      permission: 'users:write',
      when: ({ status }) => status === 'suspended',
      text: (t) => t.identity.reactivateUserText,
    }),
  ],
  deletion: {
    label: (t) => t.identity.removeUser,
    title: (t, name) => t.identity.removeUserTitle(name),
    text: (t) => t.identity.removeUserText,
    done: (t, name) => t.identity.userRemoved(name),
  },
})
