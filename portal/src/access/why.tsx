import { Anchor, List, Modal, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/client.ts'
import type { AccessDecision } from '../api/generated/types.ts'
import { useMay } from '../api/me.ts'
import { useLanguage, useWords } from '../i18n/language.tsx'
import { pathTo, resources } from '../resource/resources.ts'
import { ToneBadge, wordFor } from '../resource/shown/status-badge.tsx'
import { Moment } from '../resource/shown/value.tsx'
import { ErrorNote } from '../shell/error-note.tsx'
import { momentQuery, useAsked } from './moment-asked.ts'

interface Judged {
  allowed: boolean
  reason: string
  next_allowed_at: string | null
  individual_id?: string | null
  access_point_id?: string
}

/**
 * Whether it opens and the reason in a word, and from when on where the clock alone stands against it; pressed, the
 * reason in sentences.
 */
export function Verdict({ row }: { row: Judged }) {
  const t = useWords()
  return (
    <div>
      <Reason row={row} />
      {row.next_allowed_at !== null && (
        <div className="opens-from">
          {t.fields.next_allowed_at} <Moment at={row.next_allowed_at} />
        </div>
      )}
    </div>
  )
}

function Reason({ row }: { row: Judged }) {
  const t = useWords()
  const may = useMay()
  const asked = useAsked()
  const [isOpen, setOpen] = useState(false)
  const individualId = row.individual_id ?? asked.individualId
  const accessPointId = row.access_point_id ?? asked.accessPointId
  const badge = <ToneBadge tone={row.allowed ? 'good' : 'bad'}>{wordFor(t.values, 'reason', row.reason)}</ToneBadge>
  if (!may('access-decisions:check') || !individualId || !accessPointId) return badge
  return (
    <>
      <UnstyledButton className="verdict" title={t.opening.why} onClick={() => setOpen(true)}>
        {badge}
        <span className="visually-hidden">: {t.opening.why}</span>
      </UnstyledButton>
      {isOpen && <Why individualId={individualId} accessPointId={accessPointId} onClose={() => setOpen(false)} />}
    </>
  )
}

function Why({
  individualId,
  accessPointId,
  onClose,
}: {
  individualId: string
  accessPointId: string
  onClose(): void
}) {
  const t = useWords()
  const may = useMay()
  const { language } = useLanguage()
  const { at } = useAsked()
  const body = { individual_id: individualId, access_point_id: accessPointId, ...momentQuery(at) }
  const { data, error } = useQuery({
    queryKey: ['decision', body, language],
    queryFn: async ({ signal }) =>
      (
        await call<AccessDecision>('/api/v1/access-decisions', {
          method: 'POST',
          body,
          signal,
          language,
          withoutKey: true,
        })
      ).data,
  })
  return (
    <Modal opened onClose={onClose} title={t.opening.why} closeButtonProps={{ 'aria-label': t.words.close }}>
      {error ? (
        <ErrorNote error={error} />
      ) : data === undefined ? (
        <Skeleton height={80} />
      ) : (
        <Stack gap="sm">
          <ToneBadge tone={data.decision === 'granted' ? 'good' : 'bad'}>
            {wordFor(t.values, 'reason', data.reason)}
          </ToneBadge>
          <List size="sm" spacing={6}>
            {data.explanation.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
          {data.path.length > 0 && (
            <Text size="sm" c="dimmed">
              {data.path.map(({ name }) => name).join(' → ')}
            </Text>
          )}
          {data.grant_id !== null && may('access-grants:read') && (
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link to={pathTo(resources['access-grants'], data.grant_id ?? '') ?? '/'} {...props} />
              )}
            >
              {t.opening.toGrant}
            </Anchor>
          )}
        </Stack>
      )}
    </Modal>
  )
}
