import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './styles.css'
import { MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode, useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/queries.ts'
import { LanguageProvider, loadLanguage, useWords } from './i18n/language.tsx'
import { ViewsContext } from './resource/views.tsx'
import { router } from './router.tsx'
import { theme } from './theme.ts'
import { views } from './views/views.ts'

/** The policy lets through only those styles that carry this page's nonce; libraries that make styles look for it here. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
Object.assign(globalThis, { __webpack_nonce__: nonce })

const root = document.getElementById('root')
if (!root) throw new Error('the page has no root')

/** What Mantine says by itself is said in the person's language. */
function Themed({ children }: { children: ReactNode }) {
  const t = useWords()
  const spoken = useMemo(
    () =>
      mergeThemeOverrides(theme, { components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': t.words.close } } } } }),
    [t],
  )
  return (
    <MantineProvider theme={spoken} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      {children}
    </MantineProvider>
  )
}

const language = await loadLanguage()
createRoot(root).render(
  <StrictMode>
    <LanguageProvider initial={language}>
      <Themed>
        <QueryClientProvider client={queryClient}>
          <ViewsContext value={views}>
            <Notifications position="bottom-right" autoClose={5000} />
            <RouterProvider router={router} />
          </ViewsContext>
        </QueryClientProvider>
      </Themed>
    </LanguageProvider>
  </StrictMode>,
)
