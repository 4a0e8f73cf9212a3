import type { ExternalIdentity } from '../../api/generated/types.ts'
import { defineView } from '../../resource/define-view.ts'
import { resources } from '../../resource/resources.ts'
import { wordFor } from '../../resource/shown/status-badge.tsx'

const isUser = ({ holder }: Record<string, unknown>): boolean => holder === 'user'

/** Who a JWT of a trusted issuer stands for. */
export const externalIdentities = defineView<ExternalIdentity>({
  resource: resources['external-identities'],
  columns: ['subject', 'issuer', 'user_id', 'service_user_id', { field: 'created_at', isExtra: true }],
  order: 'issuer.asc,subject.asc',
  form: [
    {
      text: (t) => t.identity.externalText,
      fields: [
        { field: 'issuer', hint: (t) => t.identity.issuerHint },
        { field: 'subject', hint: (t) => t.identity.subjectHint },
        {
          field: 'holder',
          label: (t) => t.identity.standsFor,
          choices: { values: ['service_user', 'user'], label: (t, value) => wordFor(t.values, 'actor_kind', value) },
          when: (_values, given) => given.id === undefined,
        },
        {
          field: 'user_id',
          when: (values, given) => (given.id === undefined ? isUser(values) : given.user_id !== null),
          isNeeded: true,
        },
        {
          field: 'service_user_id',
          when: (values, given) => (given.id === undefined ? !isUser(values) : given.service_user_id !== null),
          isNeeded: true,
        },
        { field: 'permissions', hint: (t) => t.identity.externalPermissionsHint },
      ],
    },
  ],
  detail: {
    sections: [{ facts: ['issuer', 'subject', 'user_id', 'service_user_id', 'permissions'] }],
  },
})
