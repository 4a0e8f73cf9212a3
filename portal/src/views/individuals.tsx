import { Button } from '@mantine/core'
import { IconHandGrab, IconId, IconPlayerPlay, IconUserMinus, IconUserOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { KeysOut } from '../access/keys-out.tsx'
import { KeysToRecover, type OffboardAnswer } from '../access/keys-to-recover.tsx'
import { MembershipsOf } from '../access/memberships-of.tsx'
import { CanOpen } from '../access/openings.tsx'
import { TakesBack } from '../access/takes-back.tsx'
import type { Answer } from '../api/client.ts'
import type { Individual } from '../api/generated/types.ts'
import { useWords } from '../i18n/language.tsx'
import { defineView, type FormFieldDef, type FormSection } from '../resource/define-view.ts'
import { useMayHandOut } from '../resource/own-places.ts'
import { resources } from '../resource/resources.ts'
import { wordFor } from '../resource/shown/status-badge.tsx'
import { wordedAction } from '../resource/worded-action.ts'
import { issueFields, issueInitial } from './credentials.tsx'
import { reactivate, suspend } from './shared-actions.ts'

/** What no reader can read is handed to nobody. */
const isNumber = (def: FormSection['fields'][number]): def is FormFieldDef =>
  typeof def === 'object' && def.field === 'number'

const isGone = ({ status }: Individual) => status === 'offboarded' || status === 'anonymised'

export const individuals = defineView<Individual>({
  resource: resources.individuals,
  columns: [
    'display_name',
    'status',
    'kind',
    'department',
    'company',
    'email',
    { field: 'personnel_number', isExtra: true },
    { field: 'phone', isExtra: true },
    { field: 'manager_id', isExtra: true },
    { field: 'building_id', isExtra: true },
    { field: 'location_id', isExtra: true },
    { field: 'valid_from', isExtra: true },
    { field: 'valid_until', isExtra: true },
    { field: 'created_at', isExtra: true },
  ],
  order: 'family_name.asc,given_name.asc',
  filters: [
    { field: 'status', kind: 'values', values: ['invited', 'active', 'suspended', 'offboarded', 'anonymised'] },
    { field: 'kind', kind: 'values', values: ['employee', 'contractor', 'tenant', 'visitor', 'service'] },
    { field: 'department', kind: 'text' },
    { field: 'company', kind: 'text' },
    { field: 'manager_id', kind: 'reference' },
    { field: 'building_id', kind: 'reference' },
    { field: 'location_id', kind: 'reference' },
  ],
  startsInOwnPlace: true,
  form: [
    {
      fields: [
        { field: 'given_name', isHalf: true },
        { field: 'family_name', isHalf: true },
        { field: 'display_name', label: (t) => t.people.displayName, hint: (t) => t.people.displayNameHint },
        { field: 'kind', isHalf: true },
        { field: 'status', isHalf: true, values: ['active', 'invited'] },
      ],
    },
    {
      title: (t) => t.people.contact,
      fields: [
        { field: 'email', isHalf: true },
        { field: 'phone', isHalf: true },
      ],
    },
    {
      title: (t) => t.people.work,
      fields: [
        { field: 'department', isHalf: true },
        { field: 'company', isHalf: true },
        { field: 'personnel_number', isHalf: true },
        { field: 'manager_id', isHalf: true },
        'external_id',
      ],
    },
    {
      title: (t) => t.people.belongs,
      text: (t) => t.people.belongsHint,
      fields: [
        { field: 'building_id', isHalf: true },
        { field: 'location_id', isHalf: true },
      ],
    },
    {
      title: (t) => t.people.validity,
      text: (t) => t.people.validityHint,
      fields: [
        { field: 'valid_from', isHalf: true },
        { field: 'valid_until', isHalf: true },
      ],
    },
  ],
  detail: {
    badges: ['status'],
    subtitle: (individual) => <Subtitle individual={individual} />,
    lead: (individual) => <KeysOut individual={individual} />,
    sections: [
      {
        facts: [
          'email',
          'phone',
          'department',
          'company',
          'personnel_number',
          'manager_id',
          'building_id',
          'location_id',
          'external_id',
          { field: 'means', title: (t) => t.people.seenBy },
        ],
      },
      { title: (t) => t.people.validity, facts: ['valid_from', 'valid_until', 'offboard_at'] },
    ],
    tabs: [
      { key: 'credentials', view: 'credentials', by: 'individual_id', glimpse: ['label', 'type', 'status_type'] },
      {
        key: 'groups',
        title: (t) => t.resources.memberships.many,
        permission: 'access-groups:read',
        render: (individual) => <MembershipsOf individual={individual} />,
      },
      {
        key: 'grants',
        title: (t) => t.people.ownGrants,
        view: 'access-grants',
        by: 'individual_id',
        glimpse: ['what', 'effect', 'status'],
      },
      {
        key: 'keys',
        title: (t) => t.people.keysHeld,
        view: 'keys',
        by: 'individual_id',
        isCreatedAbove: true,
        tools: ({ id, status }) => status === 'active' && <IssueKeys id={id} />,
        glimpse: ['key_type_code', 'status', 'due_back_on'],
      },
      {
        key: 'may-open',
        title: (t) => t.people.mayOpen,
        permission: 'access-points:audience',
        render: (individual) => <CanOpen individual={individual} />,
      },
    ],
  },
  isFixed: ({ status }) => status === 'anonymised',
  actions: [
    wordedAction('people', 'issueCredential', {
      name: 'issue-credential',
      icon: IconId,
      permission: 'credentials:write',
      isPrimary: true,
      when: (individual) => !isGone(individual),
      form: {
        body: 'CredentialCreate',
        initial: () => issueInitial,
        sections: [{ fields: issueFields.map((def) => (isNumber(def) ? { ...def, isNeeded: true } : def)) }],
      },
      run: (change, { id }, body) =>
        change({ method: 'POST', path: resources.credentials.api, body: { ...body, individual_id: id } }),
      done: 'issued',
    }),
    suspend('people', {
      permission: 'individuals:write',
      when: ({ status }) => status === 'active' || status === 'invited',
    }),
    reactivate('people', {
      permission: 'individuals:write',
      when: ({ status }) => status === 'invited' || status === 'suspended' || status === 'offboarded',
      // Coming back after having left means something else.
      text: undefined,
      details: (individual) => <ReactivateNote individual={individual} />,
    }),
    wordedAction('people', 'offboard', {
      icon: IconUserMinus,
      permission: 'individuals:write',
      when: (individual) => !isGone(individual),
      isDangerous: true,
      details: (individual) => <TakesBack individual={individual} />,
      showsImpact: true,
      form: {
        body: 'OffboardStep',
        sections: [
          {
            fields: [{ field: 'on', kind: 'date', label: (t) => t.people.lastDay, hint: (t) => t.people.lastDayHint }],
          },
        ],
      },
      done: 'offboardingDone',
      resultTitle: (t) => t.people.offboardedTitle,
      result: ({ data }: Answer<OffboardAnswer>) => <KeysToRecover answer={data} />,
    }),
    wordedAction('people', 'takeBackOffboarding', {
      name: 'take-back-offboarding',
      icon: IconPlayerPlay,
      permission: 'individuals:write',
      when: (individual) => !isGone(individual) && individual.offboard_at !== null,
      done: 'offboardingTakenBack',
    }),
    wordedAction('people', 'anonymise', {
      icon: IconUserOff,
      permission: 'individuals:write',
      when: ({ status }) => status === 'offboarded',
      isDangerous: true,
      typed: ({ display_name: name }) => name,
      done: 'anonymised',
    }),
  ],
})

/** At the key desk, with this person standing there. */
function IssueKeys({ id }: { id: string }) {
  const t = useWords()
  if (!useMayHandOut()) return null
  return (
    <Button
      leftSection={<IconHandGrab size={16} aria-hidden />}
      renderRoot={(props) => <Link to="/key-desk" search={{ person: id }} {...props} />}
    >
      {t.people.issueKey}
    </Button>
  )
}

function Subtitle({ individual: { kind, department, company } }: { individual: Individual }) {
  const t = useWords()
  return [wordFor(t.values, 'kind', kind), department, company].filter(Boolean).join(' · ')
}

function ReactivateNote({ individual: { status } }: { individual: Individual }) {
  const t = useWords()
  return status === 'offboarded' ? t.people.reactivateOffboarded : t.people.reactivateText
}
