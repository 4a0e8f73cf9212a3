import type { Identity } from '../../api/generated/types.ts'
import { defineView } from '../../resource/define-view.ts'
import { resources } from '../../resource/resources.ts'

/** My own, on my profile. */
export const identities = defineView<Identity>({
  resource: resources.identities,
  columns: [
    { key: 'provider', title: (t) => t.profile.provider, render: ({ provider_name }) => provider_name },
    'email',
    'last_used_at',
    { field: 'created_at', title: (t) => t.profile.connectedAt },
  ],
  deletion: {
    label: (t) => t.profile.disconnect,
    title: (t, name) => t.profile.disconnectTitle(name),
    text: (t) => t.profile.disconnectText,
    done: (t) => t.profile.disconnected,
  },
})
