import type { Page } from 'playwright-core'
import { watchTraffic } from './traffic.ts'

export interface Watch {
  /** What no page may do, as far as it has happened. */
  faults(): string[]
  /** Passes over faults that a test brings about on purpose. */
  allow(expression: RegExp): void
}

/**
 * Notes errors on the console, exceptions, violations of the policy, answers that are our fault, and requests to
 * anybody else.
 */
export async function watchPage(page: Page, home: string): Promise<Watch> {
  const faults: string[] = []
  const allowed: RegExp[] = []
  watchTraffic(page)
  page.on('pageerror', (error) => faults.push(`exception: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    const { url } = message.location()
    // Refusals of the API (not logged in yet, a wrong password) are the page's to show; Chromium prints each of them.
    if (message.text().startsWith('Failed to load resource') && URL.parse(url)?.pathname.startsWith('/api/')) return
    faults.push(`console: ${message.text()} (${url})`)
  })
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()} from ${response.url()}`)
  })
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== home) faults.push(`request to elsewhere: ${request.url()}`)
  })
  await page.exposeFunction('noteViolation', (text: string) => faults.push(`policy: ${text}`))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { noteViolation } = globalThis as unknown as { noteViolation: (text: string) => void }
      noteViolation(
        `${event.effectiveDirective} ` +
          `forbids ${event.blockedURI} (${event.sourceFile}:${event.lineNumber}) ${event.sample}`,
      )
    })
  })
  return {
    faults: () => faults.filter((fault) => !allowed.some((expression) => expression.test(fault))),
    allow: (expression) => void allowed.push(expression),
  }
}
