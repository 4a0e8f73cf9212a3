import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, expect, onTestFinished } from 'vitest'
import { launchChromium } from './chromium.ts'
import type { Site } from './site.ts'
import { type Watch, watchPage } from './watch.ts'

export type Theme = 'light' | 'dark'

export const sizes = {
  wide: { width: 1440, height: 900 },
  middle: { width: 820, height: 1180 },
  narrow: { width: 390, height: 844 },
} as const
export type Size = keyof typeof sizes

export interface Look {
  theme?: Theme
  size?: Size
  locale?: string
}

/** How a person's browser is set up; also used for pictures. */
export const contextOptions = (site: Site, { theme = 'light', size = 'wide', locale = 'en-GB' }: Look = {}) => ({
  baseURL: site.url,
  colorScheme: theme,
  viewport: sizes[size],
  locale,
  timezoneId: 'Europe/Zurich',
  // What moves is neither readable nor the same twice.
  reducedMotion: 'reduce' as const,
})

export interface Browsing {
  open(site: Site, look?: Look): Promise<{ page: Page; context: BrowserContext; watch: Watch }>
}

/**
 * One browser for a test file. Each page is of a person of its own (cookies, storage), and when the test ends it must
 * have done nothing that a page may not do: no errors, no violations of the policy, no requests to anybody else.
 */
export function browsing(): Browsing {
  let browser: Promise<Browser> | undefined
  afterAll(async () => {
    await (await browser)?.close()
  })
  return {
    open: async (site, look) => {
      browser ??= launchChromium()
      const context = await (await browser).newContext(contextOptions(site, look))
      context.setDefaultTimeout(15_000)
      const page = await context.newPage()
      const watch = await watchPage(page, site.url)
      onTestFinished(async () => {
        await context.close()
        expect(watch.faults()).toEqual([])
      })
      return { page, context, watch }
    },
  }
}
