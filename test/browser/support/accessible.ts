import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import type { Theme } from './browse.ts'
import { settle, stand } from './settle.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/**
 * The rules that ask what colour something has. A page whose other theme differs in nothing else need not be asked the
 * others again.
 */
const colours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** In both themes, axe finds nothing serious or critical on the page as it stands. */
export async function expectAccessible(page: Page, themes: readonly Theme[] = ['light', 'dark']): Promise<void> {
  await settle(page)
  let before: string | undefined
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme })
    // The page follows the theme as soon as it hears of it; one that knows no themes has nothing to follow.
    await page.waitForFunction((wanted) => {
      const shown = document.documentElement.getAttribute('data-mantine-color-scheme')
      return shown === null || shown === wanted
    }, theme)
    await stand(page)
    const drawn = await page.evaluate(drawing)
    const faults = await faultsOf(page, drawn === before ? colours : everything)
    before = drawn
    if (faults.length > 0) throw new Error(`${page.url()} is not accessible, ${theme}:\n${faults.join('\n\n')}`)
  }
}

/** What is on the page and where, but for its colours; runs in the page. */
function drawing(): string {
  const boxes = [...document.body.querySelectorAll('*')].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return `${x} ${y} ${width} ${height} ${element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })}`
  })
  return `${document.body.outerHTML}${boxes.join()}`
}

async function faultsOf(page: Page, runOnly: object): Promise<string[]> {
  // By the debugger, which no content security policy hinders.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const { violations } = await page.evaluate(runAxe, { reporter: 'no-passes', runOnly } as const)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
    )
}

interface Axe {
  run(options: object): Promise<AxeResults>
  _audit: { rules: Array<{ id: string; impact: string }> }
}

/**
 * Runs in the page. Whatever a rule finds has the weight of the rule: those that find nothing serious are not asked.
 */
function runAxe(options: object): Promise<AxeResults> {
  const { axe } = globalThis as unknown as { axe: Axe }
  const light = axe._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate')
  return axe.run({ ...options, rules: Object.fromEntries(light.map(({ id }) => [id, { enabled: false }])) })
}
