import type { Passkey } from '../../api/generated/types.ts'
import { useWords } from '../../i18n/language.tsx'
import { defineView } from '../../resource/define-view.ts'
import { resources } from '../../resource/resources.ts'

function Kept({ passkey }: { passkey: Passkey }) {
  const t = useWords()
  return passkey.is_synced ? t.profile.synced : t.profile.onDevice
}

/** My own, on my profile. */
export const passkeys = defineView<Passkey>({
  resource: resources.passkeys,
  columns: [
    'name',
    { key: 'kept', title: (t) => t.profile.kept, render: (passkey) => <Kept passkey={passkey} /> },
    'last_used_at',
    { field: 'created_at', title: (t) => t.profile.added },
  ],
  form: [{ fields: ['name'] }],
  deletion: {
    label: (t) => t.profile.removePasskey,
    title: (t, name) => t.profile.removePasskeyTitle(name),
    text: (t) => t.profile.removePasskeyText,
    done: (t, name) => t.profile.passkeyRemoved(name),
  },
})
