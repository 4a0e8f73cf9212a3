import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useWords } from '../i18n/language.tsx'

/** What is typed here is hidden until its button, which has a name in the reader's language, shows it. */
export function PasswordField(props: PasswordInputProps) {
  const t = useWords()
  return <PasswordInput {...props} visibilityToggleButtonProps={{ 'aria-label': t.form.showTyped }} />
}
