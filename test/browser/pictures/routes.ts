import type { Browser } from 'playwright-core'
import { contextOptions } from '../support/browse.ts'
import type { DemoSite } from '../support/site.ts'

export interface Address {
  /** Of the picture's file. */
  readonly name: string
  readonly path: string
  /** Who looks: somebody logged in, nobody, or the first person of an empty service. */
  readonly who: 'somebody' | 'nobody' | 'nobody yet'
}

interface Router {
  readonly routesByPath: Readonly<Record<string, { readonly id: string }>>
}

/** Which list of the API a parameter is of, where the word before it in the address is not that list's name. */
const lists: Readonly<Record<string, string>> = {}

/** What a page that is opened by a link expects behind `#`; it is looked at by the service only when the form is sent. */
const links: ReadonlySet<string> = new Set(['/invitation', '/reset'])
const SOME_TOKEN = 'A'.repeat(43)

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
    Object.entries((globalThis as unknown as { __TSR_ROUTER__: Router }).__TSR_ROUTER__.routesByPath).map(([path, { id }]) => ({
      path: path.replace(/(.)\/$/, '$1'),
      // What is for people who are logged in is inside the shell.
      isInside: id.startsWith('/shell'),
    })),
  )
  const inside = new Set(routes.filter(({ isInside }) => isInside).map(({ path }) => path))
  const addresses: Address[] = []
  const unknown: string[] = []
  for (const route of new Set(routes.map(({ path }) => path).sort())) {
    const name = route === '/' ? 'overview' : route.slice(1).replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, '')
    const path = await fill(site, route)
    if (path === undefined) unknown.push(route)
    else if (route === '/setup') addresses.push({ name, path: setupLink, who: 'nobody yet' })
    else if (links.has(route)) addresses.push({ name, path: `${path}#${SOME_TOKEN}`, who: 'nobody' })
    else addresses.push({ name, path, who: inside.has(route) ? 'somebody' : 'nobody' })
  }
  await context.close()
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
    const before = parts.at(-1) ?? ''
    const list = lists[before] ?? before
    const answer = await fetch(`${site.url}/api/v1/${list}?limit=1`, { headers: { authorization: `Token ${site.token}` } })
    const { data } = (await answer.json()) as { data?: Array<{ id: string }> }
    if (!answer.ok || !data?.[0]) return undefined
    parts.push(data[0].id)
  }
  return parts.join('/')
}

/** Patterns are words that the name or the address contains; none takes all. */
export const takes = (patterns: readonly string[], name: string, path: string): boolean =>
  patterns.length === 0 || patterns.some((pattern) => name.includes(pattern) || path.includes(pattern))
