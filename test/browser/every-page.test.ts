import { afterAll, describe, expect, it } from 'vitest'
import { addressesOf } from './pictures/routes.ts'
import { expectAccessible } from './support/accessible.ts'
import { browsing, sizes } from './support/browse.ts'
import { launchChromium } from './support/chromium.ts'
import { logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { setupLink, startDemoSite, startSite } from './support/site.ts'

const [empty, demo] = [await startSite(), await startDemoSite()]
afterAll(async () => {
  await Promise.all([empty.stop(), demo.stop()])
})
const scout = await launchChromium()
const { addresses, unknown } = await addressesOf(scout, demo, await setupLink(empty))
await scout.close()
const { open } = browsing()

it('every address of the portal has something to show in the demo', () => {
  expect(unknown).toEqual([])
  expect(addresses.length).toBeGreaterThan(5)
})

describe('every page is accessible in both themes, breaks nothing and fits a phone', () => {
  it.each(addresses)('$name', async ({ path, who }) => {
    const site = who === 'nobody yet' ? empty : demo
    const { page, context } = await open(site)
    if (who === 'somebody') await logIn(context, demo, demo.email, demo.password)
    await page.goto(path)
    await settle(page)
    expect(await page.title()).toMatch(/Gatehouse/)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    await expectAccessible(page)
    await page.setViewportSize(sizes.narrow)
    await settle(page)
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(wider, 'pixels wider than a phone').toBeLessThanOrEqual(0)
  })
})
