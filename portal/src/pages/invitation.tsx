import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { waysOptions } from '../api/ways.ts'
import { useWords } from '../i18n/language.tsx'
import { useEnter } from './enter.ts'
import { LinkForm } from './link-form.tsx'
import { NewPassword } from './new-password.tsx'
import { SingleSignOn } from './single-sign-on.tsx'

const initial = { name: '', password: '' }

export function InvitationPage() {
  const t = useWords()
  const enter = useEnter()
  const hasProviders = (useQuery(waysOptions).data?.providers.length ?? 0) > 0
  const how = hasProviders ? t.login.invitationTextSso : t.login.invitationText
  return (
    <LinkForm
      kind="invitation"
      title={t.login.invitationTitle}
      text={(link) => [...(link?.organization ? [t.login.invitedBy(link.organization)] : []), how].join(' ')}
      button={t.login.invitationButton}
      path="/api/v1/invitations/accept"
      deadText={t.login.invitationDead}
      initial={initial}
      onDone={() => enter()}
      besides={(token, onDead) => <SingleSignOn invitation={token} returnTo="/" onDead={onDead} />}
    >
      {(values, set, faultOf, link) => (
        <>
          <NewPassword
            isFirst
            value={values.password}
            error={faultOf('password')}
            onChange={(value) => set('password', value)}
          />
          <TextInput
            label={t.login.nameOptional}
            autoComplete="name"
            placeholder={link?.name ?? ''}
            value={values.name}
            error={faultOf('name')}
            onChange={({ currentTarget }) => set('name', currentTarget.value)}
          />
        </>
      )}
    </LinkForm>
  )
}
