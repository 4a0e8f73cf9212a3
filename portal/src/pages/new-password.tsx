import { useWords } from '../i18n/language.tsx'
import { PasswordField } from '../shell/password-field.tsx'

const PASSWORD_LENGTH = 12

/** The one input for a password that is being chosen. */
export function NewPassword({
  value,
  error,
  label,
  isFirst = false,
  onChange,
}: {
  value: string
  error: string | undefined
  label?: string
  isFirst?: boolean
  onChange(value: string): void
}) {
  const t = useWords()
  return (
    <PasswordField
      label={label ?? t.login.password}
      description={t.login.passwordHint}
      autoComplete="new-password"
      minLength={PASSWORD_LENGTH}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      required
      autoFocus={isFirst}
      withAsterisk={false}
    />
  )
}
