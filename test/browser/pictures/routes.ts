import type { Browser } from 'playwright-core'
import { contextOptions } from '../support/browse.ts'
import type { DemoSite } from '../support/site.ts'

export const lookers = ['somebody', 'somebody halfway', 'nobody', 'nobody yet'] as const

export interface Address {
  /** Of the picture's file. */
  readonly name: string
  readonly path: string
  /**
   * Who looks: somebody logged in, one whose second factor is awaited, nobody, or the first person of an empty service.
   */
  readonly who: (typeof lookers)[number]
}

interface Router {
  /** By name, which begins with that of the layout: `/shell/spaces`. */
  readonly routesById: Readonly<Record<string, { readonly fullPath?: string }>>
}

/** Every address that nothing lives at. */
const NOWHERE = '/$'
/**
 * An application's question and a link by mail live for a while and are somebody's own: see furnish.ts. So is a factor
 * that is awaited.
 */
const passing: ReadonlySet<string> = new Set(['/consent/$uid', '/invitation', '/reset', '/second-factor'])

/** Every address that the portal's own router knows, with items of the demo in it: a new page is not forgotten. */
export async function addressesOf(
  browser: Browser,
  site: DemoSite,
  setupLink: string,
): Promise<{ addresses: Address[]; unknown: string[] }> {
  const context = await browser.newContext(contextOptions(site))
  const page = await context.newPage()
  await page.goto('/login')
  await page.waitForFunction(() => '__TSR_ROUTER__' in globalThis)
  const routes = await page.evaluate(() =>
    Object.entries((globalThis as unknown as { __TSR_ROUTER__: Router }).__TSR_ROUTER__.routesById).map(
      ([id, { fullPath }]) => ({
        // A layout has the address of its first page.
        route: (fullPath ?? '').replace(/(.)\/$/, '$1'),
        isInside: id.startsWith('/shell'),
      }),
    ),
  )
  await context.close()
  const addresses: Address[] = []
  const unknown: string[] = []
  const known = new Map(
    routes.filter(({ route }) => route !== '' && !passing.has(route)).map(({ route, isInside }) => [route, isInside]),
  )
  for (const [route, isInside] of [...known].sort()) {
    const name =
      route === '/'
        ? 'overview'
        : route === NOWHERE
          ? 'nowhere'
          : route.slice(1).replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, '')
    const path = route === NOWHERE ? '/nowhere' : await fill(site, route)
    if (path === undefined) unknown.push(route)
    else if (route === '/setup') addresses.push({ name, path: setupLink, who: 'nobody yet' })
    else addresses.push({ name, path, who: isInside ? 'somebody' : 'nobody' })
  }
  return { addresses, unknown }
}

/** Puts the first item of the list that stands before it in the place of each parameter. */
async function fill(site: DemoSite, route: string): Promise<string | undefined> {
  const parts: string[] = []
  for (const part of route.split('/')) {
    if (!part.startsWith('$')) {
      parts.push(part)
      continue
    }
    const list = parts.at(-1)
    const answer = await fetch(`${site.url}/api/v1/${list}?limit=1`, {
      headers: { authorization: `Token ${site.token}` },
    })
    const { data } = (await answer.json()) as { data?: Array<{ id: string }> }
    if (!answer.ok || !data?.[0]) return undefined
    parts.push(data[0].id)
  }
  return parts.join('/')
}

/** Patterns are words that the name or the address contains; none takes all. */
export const takes = (patterns: readonly string[], name: string, path: string): boolean =>
  patterns.length === 0 || patterns.some((pattern) => name.includes(pattern) || path.includes(pattern))
