import { Text } from '@mantine/core'
import { IconArrowBackUp, IconBan, IconCheck } from '@tabler/icons-react'
import { GrantEnd, targetOf, useRequestTitle } from '../access/grant.tsx'
import type { AccessRequest } from '../api/generated/types.ts'
import { useWords } from '../i18n/language.tsx'
import { type ActionDef, defineView, type FormFieldDef } from '../resource/define-view.ts'
import { Located } from '../resource/located.tsx'
import { Reference } from '../resource/reference.tsx'
import { resources } from '../resource/resources.ts'

const PLACES = ['space_id', 'access_point_id', 'building_id', 'location_id'] as const

/** As soon as one place is chosen the others step back. */
const what: FormFieldDef[] = PLACES.map((field) => ({
  field,
  when: (values) => !PLACES.some((one) => one !== field && values[one]),
}))

function Target({ request }: { request: AccessRequest }) {
  return <Located end={targetOf(request)} />
}

function Became({ request: { access_grant_id } }: { request: AccessRequest }) {
  const t = useWords()
  const to = resources['access-grants']
  return access_grant_id && <Reference to={to} id={access_grant_id} kind={t.resources['access-grants'].one} />
}

/** Whose it is, and for what. */
const details = (request: AccessRequest) => (
  <Text size="sm">
    <Reference to={resources.individuals} id={request.individual_id} /> → <Target request={request} />
  </Text>
)

const isOpen = ({ status }: AccessRequest) => status === 'open'
/** Who asked puts it otherwise or takes it back; anybody else who may give access there decides it. */
const isMine = (request: AccessRequest, me: string) =>
  isOpen(request) && (request.requester_id === null || request.requester_id === me)
const isToDecide = (request: AccessRequest, me: string) => isOpen(request) && request.requester_id !== me
const note: ActionDef<AccessRequest>['form'] = {
  body: 'AccessRequestStep',
  sections: [{ fields: ['note'] }],
}

export const accessRequests = defineView<AccessRequest>({
  resource: resources['access-requests'],
  columns: [
    'individual_id',
    {
      key: 'what',
      title: (t) => t.people.what,
      render: (request) => <GrantEnd end={targetOf(request)} isPlain />,
      madeOf: PLACES,
    },
    'status',
    'reason',
    'requested_by',
    'created_at',
    { field: 'valid_from', isExtra: true },
    { field: 'valid_until', isExtra: true },
    { field: 'decided_at', isExtra: true },
    { field: 'decided_by', isExtra: true },
  ],
  order: 'created_at.desc',
  filters: [
    { field: 'status', kind: 'values', values: ['open', 'approved', 'denied', 'withdrawn'] },
    { field: 'individual_id', kind: 'reference' },
    { field: 'building_id', kind: 'reference' },
    { field: 'location_id', kind: 'reference' },
  ],
  createLabel: (t) => t.requests.ask,
  form: [
    { title: (t) => t.people.who, fields: ['individual_id'] },
    { title: (t) => t.people.what, text: (t) => t.people.whatHint, fields: what },
    {
      title: (t) => t.people.how,
      fields: [
        'reason',
        { field: 'valid_from', isHalf: true },
        { field: 'valid_until', isHalf: true },
        { field: 'schedule_id', hint: (t) => t.people.scheduleHint },
        'external_id',
      ],
    },
  ],
  detail: {
    title: useRequestTitle,
    badges: ['status'],
    subtitle: ({ reason }) => reason,
    sections: [
      {
        facts: [
          'individual_id',
          { key: 'what', title: (t) => t.people.what, render: (request) => <Target request={request} /> },
          'valid_from',
          'valid_until',
          'schedule_id',
          'requested_by',
          'created_at',
          'decided_by',
          'decided_at',
          'decision_note',
          { field: 'access_grant_id', render: (request) => <Became request={request} /> },
        ],
      },
    ],
  },
  isFixed: (request, me) => !isMine(request, me),
  isDeletable: () => false,
  actions: [
    {
      name: 'approve',
      label: (t) => t.requests.approve,
      icon: IconCheck,
      permission: 'access-grants:write',
      when: isToDecide,
      isPrimary: true,
      title: (t) => t.requests.approveTitle,
      text: (t) => t.requests.approveText,
      details,
      form: note,
      showsImpact: true,
      done: (t) => t.requests.approved,
    },
    {
      name: 'deny',
      label: (t) => t.requests.deny,
      icon: IconBan,
      permission: 'access-grants:write',
      when: isOpen,
      isDangerous: true,
      title: (t) => t.requests.denyTitle,
      text: (t) => t.requests.denyText,
      details,
      form: note,
      done: (t) => t.requests.denied,
    },
    {
      name: 'withdraw',
      label: (t) => t.requests.withdraw,
      icon: IconArrowBackUp,
      permission: 'access-requests:write',
      when: isMine,
      title: (t) => t.requests.withdrawTitle,
      details,
      done: (t) => t.requests.withdrawn,
    },
  ],
})
