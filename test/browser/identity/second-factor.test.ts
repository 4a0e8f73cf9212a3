import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { expectAccessible } from '../support/accessible.ts'
import { browsing } from '../support/browse.ts'
import { ada, addAuthenticator, call, codeOf, logIn, setUp } from '../support/people.ts'
import { settle } from '../support/settle.ts'
import { startSite } from '../support/site.ts'

// A second factor that is demanded: of everybody or by role, set up at the next step, given by whoever has one.

const site = await startSite()
afterAll(() => site.stop())
const { open } = browsing()
const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const toggle = (page: Page | Locator, name: string) => page.getByRole('switch', { name })
const field = (page: Page | Locator, name: string) => page.getByLabel(name, { exact: true })

/** Ada's, each for one login. */
let recovery: string[] = []
const asOwner = async (context: BrowserContext) =>
  call(context, site, '/api/v1/login', { email: ada.email, password: ada.password, code: recovery.shift() })

describe('a second factor that is demanded', () => {
  it('of everybody is set up by whoever demands it too, who then goes on where they were', async () => {
    const { page, context } = await open(site)
    await setUp(context, site)
    const elsewhere = await open(site)
    await logIn(elsewhere.context, site, ada.email, ada.password)
    await elsewhere.page.goto('/spaces')
    await elsewhere.page.getByRole('heading', { level: 1, name: 'Spaces' }).waitFor()
    await page.goto('/organization')
    await toggle(page, 'Second factor for everybody').click()
    await button(page, 'Save changes').click()
    await page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor()
    await settle(page)
    await expectAccessible(page)
    // Nothing else is to be had by its address.
    await page.goto('/spaces')
    await page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor()
    await page.goto('/second-factor?return=%2Forganization')
    await button(page, 'Set up an authenticator app').click()
    const enrolling = page.getByRole('dialog', { name: 'Set up an authenticator app' })
    const secret = ((await enrolling.locator('.secret-key').textContent()) ?? '').replaceAll(' ', '')
    await field(enrolling, 'Code that the app shows').fill(codeOf(secret))
    await button(enrolling, 'Turn on').click()
    const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
    await expect.poll(() => codes.getByRole('listitem').count()).toBe(10)
    recovery = await codes.getByRole('listitem').allTextContents()
    await button(codes, 'I have stored it').click()
    await page.getByRole('heading', { level: 1, name: 'Organization settings' }).waitFor()
    expect(await toggle(page, 'Second factor for everybody').isChecked()).toBe(true)

    // Where they were logged in by the password alone they give it, and go on too.
    await elsewhere.page.getByRole('link', { name: 'Access points', exact: true }).click()
    await elsewhere.page.getByRole('heading', { level: 1, name: 'Second factor' }).waitFor()
    await settle(elsewhere.page)
    await expectAccessible(elsewhere.page)
    await field(elsewhere.page, 'Code').fill('000000')
    await button(elsewhere.page, 'Confirm').click()
    await elsewhere.page.getByText('The code is not right').waitFor()
    await button(elsewhere.page, 'Use a recovery code instead').click()
    await field(elsewhere.page, 'Recovery code').fill(recovery.shift() ?? '')
    await button(elsewhere.page, 'Confirm').click()
    await elsewhere.page.getByRole('heading', { level: 1, name: 'Access points' }).waitFor()
  })

  it('is a passkey for whoever would rather, after a login or an invitation', async () => {
    const owner = await open(site)
    await asOwner(owner.context)
    const invited = await call(owner.context, site, '/api/v1/users', { name: 'Grace', email: 'grace@example.org' })
    const { page } = await open(site)
    const reader = await addAuthenticator(page)
    await page.goto(String(invited.link))
    await page
      .getByLabel(/assword/)
      .first()
      .fill(ada.password)
    await button(page, 'Accept the invitation').click()
    await page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor()
    await button(page, 'Add a passkey').click()
    await button(page.getByRole('dialog', { name: 'Add a passkey' }), 'Add a passkey').click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(await reader.credentials()).toBe(1)

    // The password alone does not do any more: the passkey is asked for, and a way out is offered.
    await page.context().clearCookies()
    await page.goto('/login?return=%2Fprofile')
    await field(page, 'E-mail address').fill('grace@example.org')
    await field(page, 'Password').fill(ada.password)
    await button(page, 'Log in').click()
    await page.getByText('Use your passkey, and go on.').waitFor()
    await settle(page)
    await expectAccessible(page)
    await button(page, 'Log out').click()
    await page.waitForURL(/\/login/)
    await page.goto('/login?return=%2Fprofile')
    await field(page, 'E-mail address').fill('grace@example.org')
    await field(page, 'Password').fill(ada.password)
    await button(page, 'Log in').click()
    await button(page, 'Confirm with a passkey').click()
    await page.waitForURL(`${site.url}/profile`)
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  })

  it('of a role, built in or not, is a button and a switch', async () => {
    const { page, context } = await open(site)
    await asOwner(context)
    await page.goto('/user-management/roles')
    await page.getByRole('link', { name: 'Operator', exact: true }).click()
    await button(page, 'Actions').click()
    await page.getByRole('menuitem', { name: 'Require a second factor' }).click()
    await button(page.getByRole('dialog'), 'Require a second factor').click()
    await page.getByText('“Operator” requires a second factor').waitFor()
    await page.goto('/user-management/roles')
    await button(page, 'Create role').click()
    const form = page.getByRole('dialog', { name: 'Create role' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Guarded')
    await toggle(form, 'Requires a second factor').click()
    await button(form, 'Create').click()
    await page.getByRole('heading', { name: 'Guarded' }).waitFor()
    await expect
      .poll(() => page.locator('.facts').filter({ hasText: 'Requires a second factor' }).textContent())
      .toContain('Yes')
  })

  it('lets an application ask on: login, the factor, the question, and back to the application with a code', async () => {
    const receiver = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<h1>Thank you</h1>'),
    )
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void receiver.close())
    const callback = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callback`
    const owner = await open(site)
    await asOwner(owner.context)
    const application = await call(owner.context, site, '/api/v1/oauth-applications', {
      name: 'Visitors',
      redirect_uris: [callback],
      permissions: ['individuals:read'],
    })
    const invited = await call(owner.context, site, '/api/v1/users', { name: 'Hedy', email: 'hedy@example.org' })
    await call((await open(site)).context, site, '/api/v1/invitations/accept', {
      token: new URL(String(invited.link)).hash.slice(1),
      password: ada.password,
    })
    const asked = new URLSearchParams({
      client_id: String(application.id),
      response_type: 'code',
      redirect_uri: callback,
      scope: 'openid individuals:read',
      state: 'mine',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })
    const arrive = async (page: Page) => {
      await page.getByRole('heading', { name: 'Thank you' }).waitFor()
      const { searchParams } = new URL(page.url())
      expect([searchParams.get('state'), searchParams.get('error')]).toEqual(['mine', null])
      expect(searchParams.get('code')).toMatch(/^[\w-]{20,}$/)
    }

    // Whoever has none sets one up on the way.
    const { page, watch } = await open(site)
    watch.allow(/request to elsewhere: http:\/\/127|console: .*favicon/)
    await page.goto(`/oauth/auth?${asked}`)
    await field(page, 'E-mail address').fill('hedy@example.org')
    await field(page, 'Password').fill(ada.password)
    await button(page, 'Log in').click()
    await page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor()
    await button(page, 'Set up an authenticator app').click()
    const enrolling = page.getByRole('dialog', { name: 'Set up an authenticator app' })
    const secret = ((await enrolling.locator('.secret-key').textContent()) ?? '').replaceAll(' ', '')
    await field(enrolling, 'Code that the app shows').fill(codeOf(secret))
    await button(enrolling, 'Turn on').click()
    const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
    await expect.poll(() => codes.getByRole('listitem').count()).toBe(10)
    const [spare = ''] = await codes.getByRole('listitem').allTextContents()
    await button(codes, 'I have stored it').click()
    await page.getByRole('heading', { level: 1, name: 'Visitors asks for access' }).waitFor()
    await button(page, 'Agree').click()
    await arrive(page)

    // Whoever has one gives it, with the password. What was agreed to is not asked again.
    const again = await open(site)
    again.watch.allow(/request to elsewhere: http:\/\/127|console: .*favicon/)
    await again.page.goto(`/oauth/auth?${asked}`)
    await field(again.page, 'E-mail address').fill('hedy@example.org')
    await field(again.page, 'Password').fill(ada.password)
    await button(again.page, 'Log in').click()
    await button(again.page, 'Use a recovery code instead').click()
    await field(again.page, 'Recovery code').fill(spare)
    await button(again.page, 'Log in').click()
    await arrive(again.page)
  })
})
