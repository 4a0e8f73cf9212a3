import { Code, Stack, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconRefresh, IconRepeat, IconSend } from '@tabler/icons-react'
import type { Answer } from '../../api/client.ts'
import type { Webhook, WebhookTest } from '../../api/generated/types.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import type { Messages } from '../../i18n/messages.ts'
import { webhookWords } from '../../i18n/webhook-words.ts'
import { defineView } from '../../resource/define-view.ts'
import { resources } from '../../resource/resources.ts'
import { ShownOnce } from '../../resource/shown/shown-once.tsx'
import { StatusBadge } from '../../resource/shown/status-badge.tsx'
import { inWords } from '../../typed.ts'

const feedName = (t: Messages, feed: string): string => inWords(webhookWords(t).feeds, feed) ?? feed
const isActive = ({ status }: Webhook) => status === 'active'

export const webhooks = defineView<Webhook>({
  resource: resources.webhooks,
  columns: [
    'url',
    'status',
    { field: 'types', isUnsortable: true },
    'description',
    'last_delivered_at',
    'failure_count',
    { field: 'next_attempt_at', isExtra: true },
    { field: 'blocked_reason', isExtra: true },
  ],
  order: 'url.asc',
  filters: [{ field: 'status', kind: 'values', values: ['active', 'disabled'] }],
  form: [
    {
      fields: [
        { field: 'url', hint: (t) => webhookWords(t).urlHint },
        { field: 'types', hint: (t) => webhookWords(t).typesHint },
        'description',
        'external_id',
      ],
    },
  ],
  createdTitle: (t) => webhookWords(t).secretTitle,
  created: ({ data }) => <Secret secret={data.secret} />,
  detail: {
    badges: ['status'],
    subtitle: ({ description }) => description,
    sections: [
      { facts: ['types', 'user_id', 'service_user_id', 'external_id'] },
      {
        title: (t) => webhookWords(t).sending,
        facts: [
          'last_delivered_at',
          'failure_count',
          'failing_since',
          'next_attempt_at',
          'blocked_reason',
          'disabled_reason',
        ],
      },
    ],
    tabs: [
      {
        key: 'deliveries',
        view: 'webhook-deliveries',
        isNested: true,
        glimpse: ['attempted_at', 'type', 'result', 'status_code'],
      },
    ],
  },
  actions: [
    {
      name: 'test',
      label: (t) => webhookWords(t).test,
      icon: IconSend,
      permission: 'webhooks:write',
      isPrimary: true,
      title: (t) => webhookWords(t).testTitle,
      text: (t) => webhookWords(t).testText,
      done: (t) => webhookWords(t).tested,
      resultTitle: (t) => webhookWords(t).testResult,
      result: ({ data }: Answer<WebhookTest>) => <TestResult test={data} />,
    },
    {
      name: 'replay',
      label: (t) => webhookWords(t).replay,
      icon: IconRepeat,
      permission: 'webhooks:write',
      title: (t) => webhookWords(t).replayTitle,
      text: (t) => webhookWords(t).replayText,
      form: {
        body: 'WebhookReplay',
        sections: [
          {
            fields: [
              {
                field: 'feed',
                label: (t) => webhookWords(t).replayFeed,
                values: ['changes', 'access-events'],
                valueLabel: feedName,
              },
              { field: 'after', label: (t) => webhookWords(t).replayAfter },
            ],
          },
        ],
        initial: () => ({ after: 0 }),
      },
      done: (t) => webhookWords(t).replayed,
    },
    {
      name: 'rotate-secret',
      label: (t) => webhookWords(t).rotate,
      icon: IconRefresh,
      permission: 'webhooks:write',
      title: (t) => webhookWords(t).rotateTitle,
      text: (t) => webhookWords(t).rotateText,
      done: (t) => webhookWords(t).rotated,
      resultTitle: (t) => webhookWords(t).secretTitle,
      result: ({ data }) => <Secret secret={data.secret} />,
      isSecret: true,
    },
    {
      name: 'enable',
      label: (t) => webhookWords(t).enable,
      icon: IconPlayerPlay,
      permission: 'webhooks:write',
      when: (webhook) => !isActive(webhook),
      isPrimary: true,
      title: (t) => webhookWords(t).enableTitle,
      text: (t) => webhookWords(t).enableText,
      patch: { status: 'active' },
      done: (t) => webhookWords(t).enabled,
    },
    {
      name: 'disable',
      label: (t) => webhookWords(t).disable,
      icon: IconPlayerPause,
      permission: 'webhooks:write',
      when: isActive,
      isDangerous: true,
      title: (t) => webhookWords(t).disableTitle,
      text: (t) => webhookWords(t).disableText,
      patch: { status: 'disabled' },
      done: (t) => webhookWords(t).disabled,
    },
  ],
})

function Secret({ secret }: { secret: unknown }) {
  const words = webhookWords(useWords())
  return <ShownOnce value={String(secret)} label={words.secretLabel} warning={words.secretWarning} />
}

/** What the receiver has said to a test. */
function TestResult({
  test: { result, status_code: status, duration_ms: ms, response, error },
}: {
  test: WebhookTest
}) {
  const words = webhookWords(useWords())
  const format = useFormat()
  return (
    <Stack gap="sm">
      <StatusBadge field="result" value={result} />
      <Text size="sm">
        {status === null ? (error ?? words.noAnswer) : words.answered(String(status), format.number(ms))}
      </Text>
      {response && <Code block>{response}</Code>}
    </Stack>
  )
}
