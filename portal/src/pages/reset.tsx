import { useNavigate } from '@tanstack/react-router'
import { useWords } from '../i18n/language.tsx'
import { LinkForm } from './link-form.tsx'
import { NewPassword } from './new-password.tsx'

const initial = { password: '' }

export function ResetPage() {
  const t = useWords()
  const navigate = useNavigate()
  return (
    <LinkForm
      kind="reset"
      title={t.login.resetTitle}
      text={() => t.login.resetText}
      button={t.login.resetButton}
      path="/api/v1/password-reset"
      deadText={t.login.resetDead}
      initial={initial}
      onDone={() => navigate({ to: '/login', search: { state: 'password-set' } })}
    >
      {(values, set, faultOf) => (
        <NewPassword
          isFirst
          value={values.password}
          error={faultOf('password')}
          label={t.login.newPassword}
          onChange={(value) => set('password', value)}
        />
      )}
    </LinkForm>
  )
}
