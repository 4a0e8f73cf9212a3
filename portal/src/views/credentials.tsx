import {
  IconArrowBackUp,
  IconBan,
  IconCards,
  IconEyeCheck,
  IconLock,
  IconLockOpen,
  IconUserPlus,
  IconZoomQuestion,
} from '@tabler/icons-react'
import { CredentialReason } from '../access/credential-reason.tsx'
import type { Credential } from '../api/generated/types.ts'
import { useWords } from '../i18n/language.tsx'
import { defineView, type FormSection } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'
import { wordFor } from '../resource/shown/status-badge.tsx'
import { wordedAction } from '../resource/worded-action.ts'

const TERMINATED: readonly string[] = ['lost', 'stolen', 'damaged', 'returned', 'revoked']
const SUSPENDED: readonly string[] = ['forgotten', 'inactivity', 'locked_out']
const MISSING: readonly string[] = ['lost', 'stolen']

const isEnded = ({ status_type: status, status_reason: reason }: Credential) =>
  status === 'terminated' || TERMINATED.includes(reason)
const isBlocked = ({ status_reason: reason }: Credential) => SUSPENDED.includes(reason)

/** A PIN makes sense for cards and for itself; while one is changed its type is fixed and not among the values. */
const takesPin = ({ type }: Record<string, unknown>) => type === undefined || type === 'card' || type === 'pin'
const isRead = ({ type }: Record<string, unknown>) => type !== 'pin'
const isCard = ({ type }: Record<string, unknown>) => type === undefined || type === 'card' || type === 'transponder'

/** Most are cards. */
export const issueInitial = { type: 'card' }

/** What must be known to give somebody a card. */
export const issueFields: FormSection['fields'] = [
  'type',
  { field: 'number', isHalf: true, when: isRead, kind: 'card_number' },
  { field: 'label', isHalf: true, label: (t) => t.people.printed },
  { field: 'facility_code', isHalf: true, when: isCard },
  { field: 'format', isHalf: true, when: isCard },
  { field: 'pin', kind: 'password', when: takesPin, hint: (t) => t.people.pinHint },
  { field: 'valid_from', isHalf: true },
  { field: 'valid_until', isHalf: true },
  { field: 'access_control_system_id', isHalf: true },
  { field: 'max_uses', isHalf: true },
]

export const credentials = defineView<Credential>({
  resource: resources.credentials,
  columns: [
    { field: 'label', render: (credential) => <CredentialName credential={credential} /> },
    'type',
    'number',
    'individual_id',
    'status_type',
    {
      field: 'status_reason',
      title: (t) => t.people.why,
      render: (credential) => <CredentialReason credential={credential} />,
    },
    'last_used_at',
    { field: 'valid_until', isExtra: true },
    { field: 'facility_code', isExtra: true },
    { field: 'has_pin', isExtra: true },
    { field: 'access_control_system_id', isExtra: true },
    { field: 'use_count', isExtra: true },
    { field: 'created_at', isExtra: true },
  ],
  order: 'created_at.desc',
  labels: (t) => ({ label: t.people.printed }),
  filters: [
    { field: 'status_type', kind: 'values', values: ['pending', 'active', 'suspended', 'expired', 'terminated'] },
    { field: 'type', kind: 'values', values: ['card', 'pin', 'mobile', 'transponder', 'qr', 'plate', 'biometric'] },
    {
      field: 'status_reason',
      kind: 'values',
      values: ['none', 'not_collected', ...SUSPENDED, ...TERMINATED],
    },
    { field: 'individual_id', kind: 'reference' },
    { field: 'access_control_system_id', kind: 'reference' },
    { field: 'last_used_at', kind: 'period' },
  ],
  initial: issueInitial,
  form: [
    { fields: [{ field: 'individual_id', hint: (t) => t.people.holderHint, isOwn: true }, ...issueFields] },
    { fields: ['external_id'] },
  ],
  detail: {
    badges: ['status_type'],
    title: useCredentialName,
    subtitle: (credential) => <CredentialReason credential={credential} />,
    sections: [
      {
        facts: [
          'individual_id',
          'type',
          'number',
          'label',
          'facility_code',
          'format',
          'has_pin',
          'access_control_system_id',
        ],
      },
      {
        title: (t) => t.people.use,
        facts: ['valid_from', 'valid_until', 'last_used_at', 'use_count', 'max_uses', 'external_id'],
      },
    ],
  },
  actions: [
    wordedAction('people', 'issue', {
      icon: IconUserPlus,
      permission: 'credentials:write',
      isPrimary: true,
      when: (credential) => credential.individual_id === null && !isEnded(credential),
      form: { body: 'CredentialPatch', sections: [{ fields: [{ field: 'individual_id', isOwn: true }] }] },
      patch: { status_reason: 'none' },
      done: 'issuedOne',
    }),
    wordedAction('people', 'collected', {
      icon: IconEyeCheck,
      permission: 'credentials:write',
      isPrimary: true,
      when: ({ status_reason: reason, individual_id: holder }) => reason === 'not_collected' && holder !== null,
      patch: { status_reason: 'none' },
      done: 'usableAgain',
    }),
    wordedAction('people', 'unblock', {
      icon: IconLockOpen,
      permission: 'credentials:write',
      isPrimary: true,
      when: isBlocked,
      patch: { status_reason: 'none' },
      done: 'usableAgain',
    }),
    wordedAction('people', 'found', {
      icon: IconEyeCheck,
      permission: 'credentials:write',
      isPrimary: true,
      when: ({ status_reason: reason }) => MISSING.includes(reason),
      done: 'blocked',
    }),
    wordedAction('people', 'revive', {
      icon: IconArrowBackUp,
      permission: 'credentials:write',
      when: ({ status_reason: reason }) => TERMINATED.includes(reason) && !MISSING.includes(reason),
      patch: { status_reason: 'forgotten' },
      done: 'blocked',
    }),
    wordedAction('people', 'block', {
      icon: IconLock,
      permission: 'credentials:write',
      when: (credential) => !isEnded(credential) && !isBlocked(credential),
      form: {
        body: 'CredentialPatch',
        sections: [{ fields: [{ field: 'status_reason', values: SUSPENDED }] }],
        initial: () => ({ status_reason: 'forgotten' }),
      },
      patch: {},
      done: 'blocked',
    }),
    wordedAction('people', 'lost', {
      icon: IconZoomQuestion,
      permission: 'credentials:write',
      when: (credential) => !isEnded(credential),
      isDangerous: true,
      form: {
        body: 'CredentialPatch',
        sections: [{ fields: [{ field: 'status_reason', values: ['lost', 'stolen', 'damaged'] }] }],
        initial: () => ({ status_reason: 'lost' }),
      },
      patch: {},
      done: 'endedOne',
    }),
    wordedAction('people', 'replace', {
      icon: IconCards,
      permission: 'credentials:write',
      when: ({ individual_id: holder, status_reason: reason }) =>
        holder !== null && reason !== 'returned' && reason !== 'revoked',
      form: {
        body: 'CredentialCreate',
        sections: [
          {
            fields: [
              {
                field: 'status_reason',
                label: (t) => t.people.replaceReason,
                values: ['lost', 'stolen', 'damaged', 'returned'],
              },
              { field: 'number', label: (t) => t.people.newNumber, isHalf: true },
              { field: 'label', label: (t) => t.people.newLabel, isHalf: true },
            ],
          },
        ],
        initial: ({ status_reason: reason }) => ({ status_reason: TERMINATED.includes(reason) ? reason : 'lost' }),
      },
      run: async (change, old, { status_reason, ...typed }) => {
        const path = `${resources.credentials.api}/${old.id}`
        const end = () => change({ method: 'PATCH', path, body: { status_reason } })
        const { type, individual_id, access_control_system_id, facility_code, format, valid_until } = old
        const body = { type, individual_id, access_control_system_id, facility_code, format, valid_until, ...typed }
        // A number is free again only once the old one is ended; otherwise the old one works until the new one exists.
        const isSameNumber = typed.number === old.number
        if (isSameNumber) await end()
        const made = await change({ method: 'POST', path: resources.credentials.api, body })
        if (!isSameNumber) await end()
        return made
      },
      done: 'replaced',
    }),
    wordedAction('people', 'return', {
      icon: IconArrowBackUp,
      permission: 'credentials:write',
      when: (credential) => credential.individual_id !== null && !isEnded(credential),
      patch: { status_reason: 'returned' },
      done: 'endedOne',
    }),
    wordedAction('people', 'revoke', {
      icon: IconBan,
      permission: 'credentials:write',
      when: (credential) => !isEnded(credential),
      isDangerous: true,
      patch: { status_reason: 'revoked' },
      done: 'endedOne',
    }),
  ],
})

/** Not every one has something written on it. */
function useCredentialName({ label, number, type }: Credential): string {
  const t = useWords()
  return label ?? (number === null ? wordFor(t.values, 'type', type) : `${wordFor(t.values, 'type', type)} ${number}`)
}

function CredentialName({ credential }: { credential: Credential }) {
  return useCredentialName(credential)
}
