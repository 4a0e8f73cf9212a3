import { Code, Group, Text } from '@mantine/core'
import { IconBan, IconRefresh } from '@tabler/icons-react'
import type { Token } from '../../api/generated/types.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { defineView, type FormSection } from '../../resource/define-view.ts'
import { resources } from '../../resource/resources.ts'
import { ShownOnce } from '../../resource/shown/shown-once.tsx'
import { ToneBadge } from '../../resource/shown/status-badge.tsx'
import { Moment } from '../../resource/shown/value.tsx'
import { wordedAction } from '../../resource/worded-action.ts'

/** The one sight of a token's value. */
function NewToken({ value }: { value: string }) {
  const t = useWords()
  return (
    <>
      <ShownOnce value={value} label={t.resources.tokens.one} warning={t.identity.tokenMadeWarning} />
      <div>
        <Text size="sm" c="dimmed" mb={4}>
          {t.identity.tokenUse}
        </Text>
        <Code block>{`curl -H 'Authorization: Token ${value}' \\\n  '${location.origin}/api/v1/spaces?limit=10'`}</Code>
      </div>
    </>
  )
}

const SOON_MS = 14 * 86_400_000

/** What runs out soon is said before software stops working. */
function Expiry({ token: { expires_at, status } }: { token: Token }) {
  const t = useWords()
  const format = useFormat()
  const isSoon = status === 'active' && Date.parse(expires_at) - Date.now() < SOON_MS
  return (
    <Group gap={6}>
      <Moment at={expires_at} />
      {isSoon && <ToneBadge tone="warning">{t.identity.expiresSoon(format.relative(expires_at))}</ToneBadge>}
    </Group>
  )
}

/** A bare day would end by the clock of UTC: what is sent is the moment, by the organization's clock. */
const expiry = {
  field: 'expires_at',
  kind: 'timestamp',
  hint: (t, _, { timeZone }) => t.identity.tokenExpiryHint(timeZone),
} satisfies FormSection['fields'][number]

export const tokens = defineView<Token>({
  resource: resources.tokens,
  columns: [
    'name',
    'status',
    { field: 'expires_at', render: (token) => <Expiry token={token} /> },
    'last_used_at',
    { field: 'last_used_ip', isExtra: true },
    { field: 'last_four', render: ({ prefix, last_four }) => <span className="code">{`${prefix}…${last_four}`}</span> },
    { field: 'permissions', isUnsortable: true, isExtra: true },
    { field: 'location_id', isExtra: true },
    { field: 'building_id', isExtra: true },
    { field: 'created_at', isExtra: true },
  ],
  order: 'created_at.desc',
  createLabel: (t) => t.identity.createToken,
  form: [
    { text: (t) => t.identity.tokenHint, fields: ['name', expiry] },
    {
      title: (t) => t.identity.tokenLimits,
      fields: [
        { field: 'location_id', isHalf: true },
        { field: 'building_id', isHalf: true },
        { field: 'addresses', hint: (t) => t.identity.addressesHint },
        { field: 'permissions', hint: (t) => t.identity.permissionsHint },
      ],
    },
  ],
  createdTitle: (t) => t.identity.tokenMadeTitle,
  created: ({ data }) => <NewToken value={String(data.value)} />,
  actions: [
    wordedAction('identity', 'rotate', {
      icon: IconRefresh,
      permission: 'tokens:write',
      when: ({ status }) => status === 'active',
      form: { body: 'TokenRotate', sections: [{ fields: [expiry, 'grace_seconds'] }] },
      done: 'tokenMadeTitle',
      isSecret: true,
      resultTitle: (t) => t.identity.tokenMadeTitle,
      result: ({ data }) => <NewToken value={String(data.value)} />,
    }),
    wordedAction('identity', 'revoke', {
      icon: IconBan,
      permission: 'tokens:write',
      when: ({ status }) => status === 'active',
      isDangerous: true,
      done: 'revoked',
    }),
  ],
})
