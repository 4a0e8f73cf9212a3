import { afterAll, describe, expect, it } from 'vitest'
import { atEnd } from '../../support/at-end.ts'
import { expectAccessible } from '../support/accessible.ts'
import { browsing } from '../support/browse.ts'
import { pressOn, typeInto } from '../support/keyboard.ts'
import { ada, call, codeOf, setUp } from '../support/people.ts'
import { setupLink, startDemoSite, startSite } from '../support/site.ts'
import { timed } from '../support/timing.ts'

const [empty, demo] = [await startSite(), await startDemoSite()]
afterAll(async () => {
  await Promise.all([empty.stop(), demo.stop()])
})
const { open } = browsing()

describe('the first run', () => {
  it('leads from the printed link to an organization and its owner, who is logged in, by keyboard alone', async () => {
    const { page, context } = await open(empty)
    await page.goto(await setupLink(empty))
    await expectAccessible(page)
    const field = (name: string) => page.getByLabel(name, { exact: true })
    await typeInto(page, field('Name of the organization'), 'Castle')
    await typeInto(page, field('Your name'), 'Ada')
    await typeInto(page, field('E-mail address'), 'ada@example.org')
    await typeInto(page, page.getByLabel(/^(New p|P)assword$/), 'correct horse battery staple')
    await pressOn(page, page.getByRole('button', { name: 'Set up' }))
    await page.waitForURL(`${empty.url}/`)
    const me = await (await context.request.get('/api/v1/me')).json()
    expect(me.data).toMatchObject({ kind: 'user', name: 'Ada', roles: [{ name: 'Owner' }] })
  })
})

describe('a second factor', () => {
  it('is asked for after the password, and a code of the authenticator app lets in', async () => {
    const site = await startSite()
    atEnd(site.stop)
    const owner = await open(site)
    await setUp(owner.context, site)
    const { secret } = await call(owner.context, site, '/api/v1/me/totp')
    await call(owner.context, site, '/api/v1/me/totp/confirm', { code: codeOf(secret as string) })

    const { page } = await open(site)
    await page.goto('/login')
    await page.getByLabel('E-mail address').fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.keyboard.press('Enter')
    const code = page.getByLabel('Code', { exact: true })
    await code.waitFor()
    await expectAccessible(page)
    await code.fill(codeOf(secret as string, 1))
    await page.keyboard.press('Enter')
    await page.waitForURL(`${site.url}/`)
  })
})

describe('the login', () => {
  it.each(['wide', 'narrow'] as const)('is accessible in both themes, %s, in English and German', async (size) => {
    for (const locale of ['en-GB', 'de-CH']) {
      const { page } = await open(demo, { size, locale })
      await page.goto('/login')
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(locale.slice(0, 2))
      await expectAccessible(page)
    }
  })

  it('refuses a wrong password in words, and lets in with the right one, back to where somebody wanted to go', async () => {
    const { page } = await open(demo)
    await page.goto('/spaces')
    await page.waitForURL(/\/login\?/)
    await page.getByLabel('E-mail address').fill(demo.email)
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(demo.password)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${demo.url}/spaces`)
  })

  it('opens the first screen of the demo soon', async () => {
    const { page } = await open(demo)
    await page.goto('/login')
    await page.getByLabel('E-mail address').fill(demo.email)
    await page.getByLabel('Password', { exact: true }).fill(demo.password)
    const overview = async () => {
      await page.waitForURL(`${demo.url}/`)
      await page.getByRole('navigation').first().waitFor()
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    }
    await timed('from the login to the overview', async () => {
      await page.keyboard.press('Enter')
      await overview()
    })
    await timed('the overview, loaded anew', async () => {
      await page.reload()
      await overview()
    })
  })
})
