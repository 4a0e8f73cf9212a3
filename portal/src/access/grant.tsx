import { Badge, Group } from '@mantine/core'
import { IconPassword, IconUsers } from '@tabler/icons-react'
import type { AccessGrant, AccessRequest } from '../api/generated/types.ts'
import { useMay } from '../api/me.ts'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import type { ColumnDef } from '../resource/define-view.ts'
import { type End, Located } from '../resource/located.tsx'
import { useReferenced } from '../resource/reference.tsx'
import { labelOf, type Noun, resources } from '../resource/resources.ts'
import { type Tone, ToneBadge } from '../resource/shown/status-badge.tsx'
import { keysOf } from '../typed.ts'

const SUBJECTS = { individual_id: 'individuals', access_group_id: 'access-groups' } as const
const TARGETS = {
  access_point_id: 'access-points',
  space_id: 'spaces',
  building_id: 'buildings',
  location_id: 'locations',
} as const

function endOf<Field extends string>(
  grant: Readonly<Record<NoInfer<Field>, unknown>>,
  fields: Readonly<Record<Field, Noun>>,
): End {
  for (const field of keysOf(fields)) {
    const id = grant[field]
    if (typeof id === 'string') return { resource: resources[fields[field]], id }
  }
  throw new Error('a grant has one subject and one target')
}

export const subjectOf = (grant: AccessGrant): End => endOf(grant, SUBJECTS)
export const targetOfGrant = (grant: AccessGrant): End => targetOf(grant)
/** What access is given to, or asked for. */
export const targetOf = (row: Readonly<Record<keyof typeof TARGETS, unknown>>): End => endOf(row, TARGETS)

/** A person, group, door or place with its sign; what may not be seen is told by its kind. */
export function GrantEnd({ end: { resource, id }, isPlain = false }: { end: End; isPlain?: boolean }) {
  const t = useWords()
  return (
    <span className="grant-end">
      <resource.icon size={15} stroke={1.6} className="grant-end-icon" aria-hidden />
      <span className="visually-hidden">{t.resources[resource.noun].one}: </span>
      <Located end={{ resource, id }} isPlain={isPlain} />
    </span>
  )
}

/** The name of an end, once it is known. */
function useEndName({ resource, id }: End): string {
  const t = useWords()
  const may = useMay()
  const { data } = useReferenced(resource, id)
  if (!may(resource.read) || data === null) return t.resources[resource.noun].one
  return data === undefined ? '…' : labelOf(resource, data)
}

/** Who is to get in where: what a grant and what is asked for are called. */
function useEndsTitle(subject: End, target: End): string {
  const who = useEndName(subject)
  const what = useEndName(target)
  return `${who} → ${what}`
}
export const useGrantTitle = (grant: AccessGrant): string => useEndsTitle(subjectOf(grant), targetOfGrant(grant))
export const useRequestTitle = (request: AccessRequest): string =>
  useEndsTitle({ resource: resources.individuals, id: request.individual_id }, targetOf(request))

const tones: Record<AccessGrant['status'], Tone> = {
  scheduled: 'waiting',
  active: 'good',
  expired: 'over',
  revoked: 'over',
}

/** Since when and until when, instead of a word that leaves both open. */
export function GrantStatus({ grant }: { grant: AccessGrant }) {
  const t = useWords()
  const format = useFormat()
  const { status, valid_from: from, valid_until: until, revoked_at: revoked } = grant
  const text = {
    scheduled: () => t.people.starts(format.day(from ?? '')),
    active: () => (until === null ? t.people.inForce : t.people.inForceUntil(format.day(until))),
    expired: () => t.people.ended(format.day(until ?? '')),
    revoked: () => t.people.revokedOn(format.day(revoked ?? '')),
  }[status]()
  return <ToneBadge tone={tones[status]}>{text}</ToneBadge>
}

/** Everything in one sentence, for those who must explain it to somebody. */
export function GrantSentence({ grant }: { grant: AccessGrant }) {
  const t = useWords()
  const who = useEndName(subjectOf(grant))
  const target = targetOfGrant(grant)
  const what = useEndName(target)
  const words = grant.effect === 'allow' ? t.people.mayOpenSentence : t.people.keptOutSentence
  const conditions = [
    grant.requires_pin && t.people.withPin,
    grant.requires_second_person && t.people.withSecond,
  ].filter(Boolean)
  return `${words(who, what, target.resource.noun === 'access-points')}${conditions.map((one) => `, ${one}`).join('')}.`
}

export function Conditions({ grant }: { grant: AccessGrant }) {
  const t = useWords()
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex" className="conditions">
      {grant.effect === 'deny' ? (
        <ToneBadge tone="bad">{t.people.keepsOut}</ToneBadge>
      ) : (
        <ToneBadge tone="good">{t.people.lets}</ToneBadge>
      )}
      {grant.requires_pin && (
        <Badge variant="default" leftSection={<IconPassword size={12} aria-hidden />}>
          {t.people.pinToo}
        </Badge>
      )}
      {grant.requires_second_person && (
        <Badge variant="default" leftSection={<IconUsers size={12} aria-hidden />}>
          {t.people.twoPersons}
        </Badge>
      )}
    </Group>
  )
}

/** Plain: the row leads to the grant itself. */
export const grantColumns = {
  who: {
    key: 'who',
    title: (t) => t.people.who,
    madeOf: Object.keys(SUBJECTS),
    render: (grant) => <GrantEnd end={subjectOf(grant)} isPlain />,
  },
  what: {
    key: 'what',
    title: (t) => t.people.what,
    madeOf: Object.keys(TARGETS),
    render: (grant) => <GrantEnd end={targetOfGrant(grant)} isPlain />,
  },
  effect: { field: 'effect', render: (grant) => <Conditions grant={grant} /> },
  status: { field: 'status', render: (grant) => <GrantStatus grant={grant} /> },
} satisfies Record<string, ColumnDef<AccessGrant>>
