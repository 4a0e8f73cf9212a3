import { IconBan } from '@tabler/icons-react'
import {
  Conditions,
  GrantEnd,
  GrantSentence,
  GrantStatus,
  grantColumns,
  subjectOf,
  targetOfGrant,
  useGrantTitle,
} from '../access/grant.tsx'
import { grantsOf } from '../access/grant-targets.ts'
import type { AccessGrant } from '../api/generated/types.ts'
import type { Format } from '../i18n/format.ts'
import { instantOf } from '../i18n/time-zone.ts'
import { defineView, type FormFieldDef } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'
import { GrantOnDevices } from './systems/grant-on-devices.tsx'

/** One of several: as soon as one is chosen the others step back. */
const oneOf = (fields: readonly FormFieldDef[]): FormFieldDef[] =>
  fields.map((def) => ({
    ...def,
    when: (values) => !fields.some(({ field }) => field !== def.field && isChosen(values[field])),
  }))

const isChosen = (value: unknown): boolean =>
  value !== null && value !== undefined && (!Array.isArray(value) || value.length > 0)

/** What is over before it begins is seldom meant. */
const hasPassed = (typed: unknown, { timeZone }: Format): boolean =>
  typeof typed === 'string' &&
  typed !== '' &&
  Date.parse(instantOf(`${typed.replace('T', ' ')}:00`, timeZone)) <= Date.now()

export const accessGrants = defineView<AccessGrant>({
  resource: resources['access-grants'],
  columns: [
    grantColumns.who,
    grantColumns.what,
    grantColumns.effect,
    grantColumns.status,
    'reason',
    { field: 'schedule_id', isExtra: true },
    { field: 'valid_from', isExtra: true },
    { field: 'valid_until', isExtra: true },
    { field: 'created_at', isExtra: true },
  ],
  order: 'created_at.desc',
  showsImpact: true,
  expand: grantsOf,
  filters: [
    { field: 'status', kind: 'values', values: ['active', 'scheduled', 'expired', 'revoked'] },
    { field: 'effect', kind: 'values', values: ['allow', 'deny'] },
    { field: 'individual_id', kind: 'reference' },
    { field: 'access_group_id', kind: 'reference' },
    { field: 'access_point_id', kind: 'reference' },
    { field: 'space_id', kind: 'reference' },
    { field: 'building_id', kind: 'reference' },
    { field: 'location_id', kind: 'reference' },
    { field: 'schedule_id', kind: 'reference' },
    { field: 'requires_pin', kind: 'boolean' },
  ],
  form: [
    {
      title: (t) => t.people.who,
      text: (t) => t.people.whoHint,
      fields: oneOf([{ field: 'individual_id' }, { field: 'access_group_id' }]),
    },
    {
      title: (t) => t.people.what,
      text: (t) => t.people.whatHint,
      fields: [
        ...oneOf([
          { field: 'space_id', kind: 'references' },
          { field: 'access_point_id', kind: 'references' },
          { field: 'building_id' },
          { field: 'location_id' },
        ]),
        {
          field: 'floor',
          isOwnNumber: true,
          when: ({ building_id: house }) => isChosen(house),
          hint: (t) => t.people.floorHint,
        },
      ],
    },
    {
      title: (t) => t.people.how,
      fields: [
        { field: 'effect', hint: (t) => t.people.effectHint },
        { field: 'valid_from', isHalf: true },
        {
          field: 'valid_until',
          isHalf: true,
          hint: (t, until, format) => (hasPassed(until, format) ? t.people.hasEnded : t.time.zone(format.timeZone)),
        },
        { field: 'schedule_id', hint: (t) => t.people.scheduleHint },
        { field: 'requires_pin', isHalf: true },
        { field: 'requires_second_person', isHalf: true },
        { field: 'during_lockdown', when: ({ effect }) => effect !== 'deny' },
        'reason',
        'external_id',
      ],
    },
  ],
  detail: {
    title: useGrantTitle,
    subtitle: (grant) => <GrantSentence grant={grant} />,
    lead: ({ id }) => <GrantOnDevices id={id} />,
    sections: [
      {
        facts: [
          { key: 'who', title: (t) => t.people.who, render: (grant) => <GrantEnd end={subjectOf(grant)} /> },
          { key: 'what', title: (t) => t.people.what, render: (grant) => <GrantEnd end={targetOfGrant(grant)} /> },
          { field: 'effect', render: (grant) => <Conditions grant={grant} /> },
          { field: 'status', render: (grant) => <GrantStatus grant={grant} /> },
          'schedule_id',
          'valid_from',
          'valid_until',
          'during_lockdown',
          'reason',
          'external_id',
        ],
      },
    ],
  },
  isFixed: ({ status }) => status === 'revoked',
  // What once let somebody through stays on record.
  isDeletable: ({ status }) => status === 'scheduled',
  actions: [
    {
      name: 'revoke',
      label: (t) => t.people.revokeGrant,
      icon: IconBan,
      permission: 'access-grants:write',
      when: ({ status }) => status === 'active' || status === 'scheduled',
      isDangerous: true,
      isPrimary: true,
      title: (t) => t.people.revokeGrantTitle,
      text: (t) => t.people.revokeGrantText,
      details: (grant) => <GrantSentence grant={grant} />,
      showsImpact: true,
      done: (t) => t.people.grantRevoked,
    },
  ],
})
