import { afterAll, expect, it } from 'vitest'
import { browsing } from './support/browse.ts'
import { logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

const LIMIT_BYTES = 250_000

it.each(['/login', '/', '/spaces'])(
  'the first load of %s takes less than 250 KB of compressed JavaScript',
  async (path) => {
    const { page, context } = await open(site)
    if (path !== '/login') await logIn(context, site, site.email, site.password)
    const loads: Array<Promise<{ name: string; bytes: number }>> = []
    page.on('requestfinished', (request) => {
      const { pathname } = new URL(request.url())
      if (!pathname.endsWith('.js')) return
      loads.push(request.sizes().then(({ responseBodySize }) => ({ name: pathname, bytes: responseBodySize })))
    })
    await page.goto(path)
    await settle(page)
    const files = await Promise.all(loads)
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    console.log(`first load of ${path}: ${files.length} scripts, ${Math.round(total / 1000)} KB`)
    expect(files.length).toBeGreaterThan(0)
    expect(total, JSON.stringify(files)).toBeLessThan(LIMIT_BYTES)
  },
)
