import { useQuery } from '@tanstack/react-query'
import type { Identity } from '../api/generated/types.ts'
import { waysOptions } from '../api/ways.ts'
import { defineView } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'

/** What stands on its button; one that is not configured any more is called what it was. */
function ProviderName({ id }: { id: string }) {
  const { data } = useQuery(waysOptions)
  return data?.providers.find((provider) => provider.id === id)?.name ?? id
}

/** My own, on my profile. */
export const identities = defineView<Identity>({
  resource: resources.identities,
  columns: [
    { key: 'provider', title: (t) => t.profile.provider, render: ({ provider }) => <ProviderName id={provider} /> },
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
