import type { Browser } from 'playwright-core'
import { contextOptions } from '../support/browse.ts'
import { logIn } from '../support/people.ts'
import type { DemoSite } from '../support/site.ts'

export interface Address {
  /** Of the picture's file. */
  readonly name: string
  readonly path: string
  /** Who looks: somebody logged in, nobody, or the first person of an empty service. */
  readonly who: 'somebody' | 'nobody' | 'nobody yet'
}

interface Router {
  readonly routesByPath: Readonly<Record<string, unknown>>
}

/** Which item a parameter of an address stands for, where the word before it is not the name of a list of the API. */
const lists: Readonly<Record<string, string>> = {}

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
  const routes = await page.evaluate(() => Object.keys((globalThis as unknown as { __TSR_ROUTER__: Router }).__TSR_ROUTER__.routesByPath))
  await logIn(context, site, site.email, site.password)
  const addresses: Address[] = []
  const unknown: string[] = []
  for (const route of routes.map((path) => path.replace(/(.)\/$/, '$1')).sort()) {
    const path = await fill(site, route)
    if (path === undefined) {
      unknown.push(route)
      continue
    }
    const name = route === '/' ? 'start' : route.slice(1).replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, '')
    if (route === '/setup') {
      addresses.push({ name, path: setupLink, who: 'nobody yet' })
      continue
    }
    // Pages for whoever is not logged in send everybody else on.
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    const isForStrangers = new URL(page.url()).pathname !== path && route !== '/'
    addresses.push({ name, path, who: isForStrangers ? 'nobody' : 'somebody' })
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
