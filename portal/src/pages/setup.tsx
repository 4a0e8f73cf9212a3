import { Select, TextInput } from '@mantine/core'
import { useWords } from '../i18n/language.tsx'
import { useEnter } from './enter.ts'
import { LinkForm } from './link-form.tsx'
import { NewPassword } from './new-password.tsx'

const zones = Intl.supportedValuesOf('timeZone')
const initial = {
  organization: '',
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  name: '',
  email: '',
  password: '',
}

/** First run: the link that the service prints leads here. */
export function SetupPage() {
  const t = useWords()
  const enter = useEnter()
  return (
    <LinkForm
      kind="setup"
      title={t.login.setupTitle}
      text={() => t.login.setupText}
      button={t.login.setupButton}
      path="/api/v1/setup"
      deadText={t.login.setupDead}
      initial={initial}
      onDone={() => enter()}
    >
      {(values, set, faultOf) => (
        <>
          <TextInput
            label={t.login.organizationName}
            autoComplete="organization"
            value={values.organization}
            error={faultOf('organization')}
            onChange={({ currentTarget }) => set('organization', currentTarget.value)}
            required
            withAsterisk={false}
            autoFocus
          />
          <Select
            label={t.login.timeZone}
            data={zones.includes(values.time_zone) ? zones : [values.time_zone, ...zones]}
            value={values.time_zone}
            error={faultOf('time_zone')}
            onChange={(zone) => set('time_zone', zone ?? 'UTC')}
            searchable
            allowDeselect={false}
          />
          <TextInput
            label={t.login.yourName}
            autoComplete="name"
            value={values.name}
            error={faultOf('name')}
            onChange={({ currentTarget }) => set('name', currentTarget.value)}
            required
            withAsterisk={false}
          />
          <TextInput
            label={t.login.email}
            type="email"
            autoComplete="username"
            value={values.email}
            error={faultOf('email')}
            onChange={({ currentTarget }) => set('email', currentTarget.value)}
            required
            withAsterisk={false}
          />
          <NewPassword
            value={values.password}
            error={faultOf('password')}
            onChange={(value) => set('password', value)}
          />
        </>
      )}
    </LinkForm>
  )
}
