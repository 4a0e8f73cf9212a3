import { afterAll, describe, expect, it } from 'vitest'
import { browsing } from './support/browse.ts'
import { logIn } from './support/people.ts'
import { startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

describe('the API reference', () => {
  it('finds what stands anywhere in it, and goes there', async () => {
    const { page } = await open(site)
    await page.goto('/docs')
    await page.keyboard.press('/')
    // No title has this: it is in the words of a parameter.
    await page.keyboard.type('merge patch location')
    const first = page.locator('#results a').first()
    await first.waitFor()
    expect(await first.locator('span').textContent()).toBe('Change a location')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#patchlocation$/)
    await page.getByRole('searchbox').fill('zzz nothing')
    await page.getByText('Nothing fits.').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('#operations').waitFor()
  })

  it('sends an operation as whoever is logged in, and with a token', async () => {
    const { page, context } = await open(site)
    await page.goto('/docs#listlocations')
    const article = page.locator('#listlocations')
    await article.getByRole('button', { name: 'Try it' }).click()
    const send = article.getByRole('button', { name: 'Send GET' })
    const status = article.locator('.try-answer p')
    await send.click()
    await status.getByText('→ 401').waitFor()
    await article.getByLabel('Token').fill(site.token)
    await article.getByLabel('limit').fill('1')
    await send.click()
    await status.getByText('/api/v1/locations?limit=1 → 200').waitFor()
    await article.getByLabel('Token').fill('')
    await logIn(context, site, site.email, site.password)
    await send.click()
    await status.getByText('→ 200').waitFor()
    expect(await article.locator('.try-answer code').textContent()).toContain('"msg": "Retrieved 1 location"')
  })

  it('shows a file that can be read, and gives to keep one that cannot', async () => {
    const { page } = await open(site)
    await page.goto('/docs#listlocations')
    const article = page.locator('#listlocations')
    await article.getByRole('button', { name: 'Try it' }).click()
    await article.getByLabel('Token').fill(site.token)
    await article.getByText('more parameters').click()
    const send = article.getByRole('button', { name: 'Send GET' })
    await article.getByLabel('format').fill('ndjson')
    await send.click()
    await article.locator('.try-answer').getByText('format=ndjson → 200').waitFor()
    const text = (await article.locator('.try-answer code').textContent()) ?? ''
    expect(text.split('\n')[0]).toMatch(/^\{"id":.*\}$/)
    await article.getByLabel('format').fill('xlsx')
    await send.click()
    const file = article.locator('.try-answer').getByRole('link', { name: /^locations-.*\.xlsx$/ })
    const [download] = await Promise.all([page.waitForEvent('download'), file.click()])
    const kept = await Array.fromAsync(await download.createReadStream())
    expect(
      Buffer.concat(kept as Buffer[])
        .subarray(0, 2)
        .toString(),
    ).toBe('PK')
  })

  it('sends a body, and shows what is wrong with it', async () => {
    const { page } = await open(site)
    await page.goto('/docs#createlocation')
    const article = page.locator('#createlocation')
    await article.getByRole('button', { name: 'Try it' }).click()
    await article.getByLabel('Token').fill(site.token)
    await article.getByLabel('dry_run').fill('true')
    await article.getByLabel('Body').fill('{"name": "Elsewhere"}')
    await article.getByRole('button', { name: 'Send POST' }).click()
    await article.locator('.try-answer').getByText('→ 201').waitFor()
    await article.getByLabel('Body').fill('{"nome": "Elsewhere"}')
    await article.getByRole('button', { name: 'Send POST' }).click()
    await article.locator('.try-answer').getByText('→ 400').waitFor()
    expect(await article.locator('.try-answer code').textContent()).toContain('VALIDATION_ERROR')
  })
})
