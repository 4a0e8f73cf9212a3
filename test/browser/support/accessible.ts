import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import type { Theme } from './browse.ts'
import { settle, stand } from './settle.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** In both themes, axe finds nothing serious or critical on the page as it stands. */
export async function expectAccessible(page: Page, themes: readonly Theme[] = ['light', 'dark']): Promise<void> {
  await settle(page)
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme })
    // The page follows the theme as soon as it hears of it; one that knows no themes has nothing to follow.
    await page.waitForFunction((wanted) => {
      const shown = document.documentElement.getAttribute('data-mantine-color-scheme')
      return shown === null || shown === wanted
    }, theme)
    await stand(page)
    const faults = await faultsOf(page)
    if (faults.length > 0) throw new Error(`${page.url()} is not accessible, ${theme}:\n${faults.join('\n\n')}`)
  }
}

async function faultsOf(page: Page): Promise<string[]> {
  // By the debugger, which no content security policy hinders.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe.run({
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`))
}
