import { MantineThemeProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useWords } from '../i18n/language.tsx'

/** What was done, for a moment in the corner. */
export function Toasts() {
  const t = useWords()
  const theme = useMemo(
    () => ({ components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': t.words.close } } } } }),
    [t],
  )
  return (
    <MantineThemeProvider theme={theme} inherit>
      <Notifications position="bottom-right" autoClose={5000} />
    </MantineThemeProvider>
  )
}
