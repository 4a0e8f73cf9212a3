import { MantineThemeProvider } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useWords } from '../i18n/language.tsx'

/**
 * What was done, for a moment: never over the buttons of a drawer, which are at the right, and on a phone at the
 * bottom.
 */
export function Toasts() {
  const t = useWords()
  const isNarrow = useMediaQuery('(max-width: 47.99em)') ?? false
  const theme = useMemo(
    () => ({ components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': t.words.close } } } } }),
    [t],
  )
  return (
    <MantineThemeProvider theme={theme} inherit>
      <Notifications position={isNarrow ? 'top-center' : 'bottom-left'} autoClose={5000} />
    </MantineThemeProvider>
  )
}
