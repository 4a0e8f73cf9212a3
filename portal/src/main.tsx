// First of all.
import './start.ts'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './styles.css'
import './print.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/queries.ts'
import { LanguageProvider } from './i18n/language.tsx'
import { ViewsContext } from './resource/known-views.ts'
import { router } from './router.tsx'
import { Toasts } from './shell/toasts.tsx'
import { words } from './start.ts'
import { theme } from './theme.ts'
import { views } from './views/views.ts'

/**
 * The policy lets through only those styles that carry this page's nonce; libraries that make styles look for it here.
 */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
Object.assign(globalThis, { __webpack_nonce__: nonce })

const root = document.getElementById('root')
if (!root) throw new Error('the page has no root')

// The page is drawn once, with what it shows. Meanwhile the browser loads what it knows of dates, which takes it a
// while.
const page = router.load()
// The page's own file comes while it is asked who is there.
for (const { routeId } of router.matchRoutes(router.latestLocation)) {
  const { component } = router.routesById[routeId]?.options ?? {}
  void component?.preload?.()?.catch(() => undefined)
}
Intl.DateTimeFormat()
const [language] = await Promise.all([words, page])
createRoot(root).render(
  <StrictMode>
    <LanguageProvider initial={language}>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <QueryClientProvider client={queryClient}>
          <ViewsContext value={views}>
            <Toasts />
            <RouterProvider router={router} />
          </ViewsContext>
        </QueryClientProvider>
      </MantineProvider>
    </LanguageProvider>
  </StrictMode>,
)
