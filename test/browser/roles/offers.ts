import type { APIResponse, BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

// What the head of a page and the menu of a row offer is tried, as the person to whom it is offered; as a dry run, so
// that nothing comes of it.

type Asked = [method: 'POST' | 'PATCH' | 'DELETE', where?: string, body?: Record<string, unknown>]

/** In whose place the item itself is put, and somebody whom the person sees. */
const ITSELF = 'itself'
const SOMEBODY = 'somebody'
const year = new Date().getFullYear()

/** What each asks for: where, behind the item's own address or not, and with what. */
const asked: Readonly<Record<string, Readonly<Record<string, Asked>>>> = {
  'access-grants': { Revoke: ['POST', '/revoke'] },
  'access-requests': { Approve: ['POST', '/approve'], Deny: ['POST', '/deny'], Withdraw: ['POST', '/withdraw'] },
  'access-reviews': { Start: ['POST', '/start'], Close: ['POST', '/close'], 'Cancel review': ['POST', '/cancel'] },
  alarms: { Acknowledge: ['POST', '/acknowledge'], Close: ['POST', '/close'] },
  buildings: { Move: ['PATCH'] },
  calendars: { 'Propose holidays': ['POST', '/fill', { from_year: year, to_year: year }] },
  credentials: {
    Issue: ['PATCH', '', { individual_id: SOMEBODY, status_reason: 'none' }],
    'Mark as collected': ['PATCH', '', { status_reason: 'none' }],
    Unblock: ['PATCH', '', { status_reason: 'none' }],
    'Report found': ['POST', '/found'],
    'Take back into use': ['PATCH', '', { status_reason: 'forgotten' }],
    Block: ['PATCH', '', { status_reason: 'forgotten' }],
    'Report lost …': ['PATCH', '', { status_reason: 'lost' }],
    'Replace …': ['PATCH', '', { status_reason: 'damaged' }],
    'Take back': ['PATCH', '', { status_reason: 'returned' }],
    Revoke: ['PATCH', '', { status_reason: 'revoked' }],
  },
  individuals: {
    'Issue card': ['POST', '/api/v1/credentials', { type: 'card', number: '4711', individual_id: ITSELF }],
    Suspend: ['POST', '/suspend'],
    Activate: ['POST', '/reactivate'],
    Offboard: ['POST', '/offboard'],
    'Do not offboard': ['POST', '/take-back-offboarding'],
    Anonymise: ['POST', '/anonymise'],
  },
  keys: {
    Issue: ['POST', '/issue', { individual_id: SOMEBODY }],
    'Take back': ['POST', '/return'],
    Receive: ['POST', '/receive'],
    'Report found': ['POST', '/found'],
    'Report lost': ['POST', '/report-lost'],
    'Report stolen': ['POST', '/report-stolen'],
    'Mark defective': ['POST', '/mark-defective'],
    'Write off': ['POST', '/write-off'],
    Destroy: ['POST', '/destroy'],
  },
  locations: { Move: ['PATCH'] },
}

interface Offer {
  label: string
  /** The item's address in the API. */
  item: string
}

const isItem = /\/[\da-f]{8}-[\da-f-]{27}$/

/** What stands at the head of an item, and in its menu. */
async function offersOf(page: Page, seen: Set<string>): Promise<Offer[]> {
  const isNew = (menu: string) => seen.size < seen.add(menu).size
  const offers: Offer[] = []
  const add = (labels: readonly string[], path: string) => {
    const item = path.replace('/user-management', '/api/v1').replace(/^(?!\/api)/, '/api/v1')
    for (const label of labels) if (label.trim() !== '') offers.push({ label: label.trim(), item })
  }
  for (const head of await page.locator('main .page-header').all()) {
    const item = await itemAt(page, head)
    // In each of its tabs it is the same.
    if (item === undefined || !isNew(`head ${item}`)) continue
    add(await head.getByRole('button').allTextContents(), item)
    add(await itemsOf(page, head.getByRole('button', { name: 'Actions', exact: true })), item)
  }
  return offers
}

/** Whose head it is: the page's, or that of a place beside the tree of places, which leads to its page. */
async function itemAt(page: Page, head: Locator): Promise<string | undefined> {
  const { pathname } = new URL(page.url())
  if (isItem.test(pathname)) return pathname
  const links = await head.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  return links.find((link) => isItem.test(link))
}

async function itemsOf(page: Page, menu: Locator): Promise<string[]> {
  if ((await menu.count()) === 0) return []
  await menu.click()
  const items = page.getByRole('menuitem')
  await items.first().waitFor()
  const labels = await items.allTextContents()
  await page.keyboard.press('Escape')
  await items.first().waitFor({ state: 'detached' })
  return labels
}

function askedBy({ label, item }: Offer): Asked {
  if (label === 'Edit') return ['PATCH']
  if (label.startsWith('Delete ')) return ['DELETE']
  const noun = item.split('/').at(-2) ?? ''
  const found = asked[noun]?.[label]
  if (!found) throw new Error(`Nothing says what “${label}” asks for: ${noun} in roles/offers.ts`)
  return found
}

/** What comes of what the page asks for, as a dry run. */
async function nextAsDryRun(page: Page): Promise<{ answer: Promise<APIResponse> }> {
  const { promise, resolve } = Promise.withResolvers<APIResponse>()
  await page.route('**/api/v1/**', async (route) => {
    const url = new URL(route.request().url())
    // What a change would mean is a question of the page's own.
    if (route.request().method() === 'GET' || url.searchParams.has('dry_run')) return route.fallback()
    url.searchParams.set('dry_run', 'true')
    const response = await route.fetch({ url: url.href })
    await route.fulfill({ response })
    resolve(response)
  })
  return { answer: promise.finally(() => page.unrouteAll({ behavior: 'wait' })) }
}

/** Rows with menus, one of each state: what can be done with a row depends on how it stands. */
async function rowsToTry(page: Page): Promise<Locator[]> {
  const rows = page.locator('main .data-table tbody tr:has(.row-actions button)')
  const states = await rows.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll('.status-badge')].map(({ textContent }) => textContent).join()),
  )
  return [...new Set(states)].map((state) => rows.nth(states.indexOf(state)))
}

/** What has no page has a menu in its row. What that does is clicked: it is done at once, or after its dialog. */
async function tryRows(page: Page, seen: Set<string>): Promise<number> {
  if (seen.has(page.url())) return 0
  seen.add(page.url())
  const rows = await rowsToTry(page)
  for (const row of rows) await tryRow(page, row.locator('.row-actions button'))
  return rows.length
}

async function tryRow(page: Page, menu: Locator): Promise<void> {
  for (const label of await itemsOf(page, menu)) {
    const { answer } = await nextAsDryRun(page)
    await menu.click()
    await page.getByRole('menuitem', { name: label, exact: true }).click()
    const confirmed = page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click()
    await Promise.race([answer, confirmed])
    confirmed.catch(() => undefined)
    const response = await answer
    expect(
      response.ok(),
      `${page.url()} offers “${label}” in a row: ${response.status()} ${await response.text()}`,
    ).toBe(true)
  }
}

/** Tries what is offered here, and says in how many rows; `seen` holds what has been before. */
export async function tryOffers(
  page: Page,
  { request }: BrowserContext,
  site: string,
  seen: Set<string>,
): Promise<number> {
  async function filled(body: Record<string, unknown>, item: string): Promise<object> {
    if (body.individual_id === ITSELF) return { ...body, individual_id: item.split('/').at(-1) }
    if (body.individual_id !== SOMEBODY) return body
    const { data } = await (await request.get(`${site}/api/v1/individuals?status=eq.active&limit=1`)).json()
    return { ...body, individual_id: data[0].id }
  }
  for (const offer of await offersOf(page, seen)) {
    const { label, item } = offer
    if (seen.has(`${item} ${label}`)) continue
    seen.add(`${item} ${label}`)
    const [method, where = '', body = {}] = askedBy(offer)
    const path = where.startsWith('/api') ? where : `${item}${where}`
    const data = method === 'DELETE' ? {} : { data: await filled(body, item) }
    const answer = await request.fetch(`${site}${path}?dry_run=true`, { method, headers: { origin: site }, ...data })
    // That something still needs it is no matter of who deletes it.
    if (method === 'DELETE' && answer.status() === 409) continue
    expect(answer.ok(), `${page.url()} offers “${label}” for ${item}: ${answer.status()} ${await answer.text()}`).toBe(
      true,
    )
  }
  return tryRows(page, seen)
}
