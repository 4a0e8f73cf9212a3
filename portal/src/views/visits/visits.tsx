import { Text } from '@mantine/core'
import { IconBan, IconDoorEnter, IconDoorExit, IconId } from '@tabler/icons-react'
import type { Answer } from '../../api/client.ts'
import type { Visit, VisitQrCode } from '../../api/generated/types.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { visitWords } from '../../i18n/visit-words.ts'
import { defineView, type FormFieldDef } from '../../resource/define-view.ts'
import type { Values } from '../../resource/forms/form-values.ts'
import { useReferenced } from '../../resource/reference.tsx'
import { labelOf, resources } from '../../resource/resources.ts'
import { ShownOnce } from '../../resource/shown/shown-once.tsx'
import { isTexts } from '../../typed.ts'
import { Badge } from './badge.tsx'
import { usualVisit } from './usual-visit.ts'
import { VisitPlaces } from './visit-places.tsx'

const PLACES = ['building_id', 'space_id', 'access_point_id'] as const
const where: FormFieldDef[] = PLACES.map((field) => ({ field, kind: 'references' }))

/** Whom the service takes: a visitor, and somebody who is there to be visited. */
const visitor: FormFieldDef = {
  field: 'visitor_id',
  hint: (t) => visitWords(t).visitorHint,
  among: () => ({ kind: 'eq.visitor', status: 'eq.active' }),
}
const host: FormFieldDef = { field: 'host_id', among: () => ({ status: 'eq.active' }) }

/** Each place that was chosen is one of the visit's. */
async function withPlaces(body: Values): Promise<Values[]> {
  const { building_id, space_id, access_point_id, ...rest } = body
  const chosen = { building_id, space_id, access_point_id }
  const places = PLACES.flatMap((field) => {
    const ids = chosen[field]
    return isTexts(ids) ? ids.map((id) => ({ [field]: id })) : []
  })
  return [{ ...rest, places }]
}

/** A visit is called after who comes. */
function useVisitor({ visitor_id: id }: Visit): string {
  const { data } = useReferenced(resources.individuals, id)
  return data ? labelOf(resources.individuals, data) : ''
}

/** Who is meant, and when. */
function Meant({ visit }: { visit: Visit }) {
  const format = useFormat()
  return (
    <Text size="sm">
      <b>{useVisitor(visit)}</b> {format.moment(visit.valid_from)} – {format.moment(visit.valid_until)}
    </Text>
  )
}

const details = (visit: Visit) => <Meant visit={visit} />
const isPlanned = ({ status }: Visit) => status === 'planned'
const hasCode = ({ status, credential_type: type }: Visit) =>
  type === 'qr' && (status === 'planned' || status === 'arrived')

export const visits = defineView<Visit>({
  resource: resources.visits,
  columns: [
    'visitor_id',
    'status',
    'host_id',
    'valid_from',
    'valid_until',
    'purpose',
    { field: 'credential_type', isExtra: true },
    { field: 'arrived_at', isExtra: true },
    { field: 'left_at', isExtra: true },
  ],
  order: 'valid_from.desc',
  filters: [
    { field: 'status', kind: 'values', values: ['planned', 'arrived', 'left', 'cancelled', 'expired'] },
    { field: 'visitor_id', kind: 'reference' },
    { field: 'host_id', kind: 'reference' },
    { field: 'valid_from', kind: 'period' },
  ],
  createLabel: (t) => visitWords(t).announce,
  form: [
    { title: (t) => visitWords(t).who, fields: [visitor, host, 'purpose'] },
    {
      title: (t) => visitWords(t).when,
      fields: [
        { field: 'valid_from', isHalf: true },
        { field: 'valid_until', isHalf: true },
      ],
    },
    { title: (t) => visitWords(t).where, text: (t) => visitWords(t).whereHint, fields: where },
    { fields: [{ field: 'credential_type', hint: (t) => visitWords(t).credentialHint }, 'external_id'] },
  ],
  initial: usualVisit,
  expand: withPlaces,
  createdTitle: (t) => visitWords(t).pinTitle,
  created: ({ data }) => (typeof data.pin === 'string' ? <Pin pin={data.pin} /> : undefined),
  detail: {
    title: (visit, t) => useVisitor(visit) || t.resources.visits.one,
    badges: ['status'],
    subtitle: ({ purpose }) => purpose,
    sections: [
      {
        facts: [
          'visitor_id',
          'host_id',
          'valid_from',
          'valid_until',
          { key: 'where', title: (t) => visitWords(t).where, render: (visit) => <VisitPlaces visit={visit} /> },
          'credential_type',
          'arrived_at',
          'left_at',
          'cancelled_at',
          'external_id',
        ],
      },
    ],
  },
  // Whom it is to and what for may change while it goes on.
  isFixed: ({ status }) => status !== 'planned' && status !== 'arrived',
  isDeletable: () => false,
  actions: [
    {
      name: 'arrive',
      label: (t) => visitWords(t).arrive,
      icon: IconDoorEnter,
      permission: 'visits:receive',
      when: isPlanned,
      isPrimary: true,
      title: (t) => visitWords(t).arriveTitle,
      details,
      done: (t) => visitWords(t).arrived,
    },
    {
      name: 'leave',
      label: (t) => visitWords(t).leave,
      icon: IconDoorExit,
      permission: 'visits:receive',
      // A door may have let them in though nobody has noted that they came: the service knows who is inside.
      when: ({ status }) => status === 'arrived' || status === 'expired',
      isPrimary: true,
      title: (t) => visitWords(t).leaveTitle,
      text: (t) => visitWords(t).leaveText,
      details,
      done: (t) => visitWords(t).left,
    },
    {
      name: 'qr-code',
      label: (t) => visitWords(t).showBadge,
      icon: IconId,
      permission: 'visits:write',
      when: hasCode,
      isPrimary: true,
      title: (t) => visitWords(t).badgeTitle,
      text: (t) => visitWords(t).badgeText,
      details,
      done: (t) => visitWords(t).badge,
      resultTitle: (t) => visitWords(t).badgeTitle,
      result: ({ data }: Answer<VisitQrCode>, visit) => <Badge visit={visit} code={data} />,
    },
    {
      name: 'cancel',
      label: (t) => visitWords(t).cancel,
      icon: IconBan,
      permission: 'visits:write',
      when: isPlanned,
      isDangerous: true,
      title: (t) => visitWords(t).cancelTitle,
      text: (t) => visitWords(t).cancelText,
      details,
      done: (t) => visitWords(t).cancelled,
    },
  ],
})

function Pin({ pin }: { pin: string }) {
  const words = visitWords(useWords())
  return <ShownOnce value={pin} label={words.pinLabel} warning={words.pinWarning} />
}
