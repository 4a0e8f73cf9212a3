import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { IdentityProvider } from '../../support/peers/identity-provider.ts'
import { MailServer, type ReceivedMail } from '../../support/peers/smtp.ts'
import { expectAccessible } from '../support/accessible.ts'
import { browsing, type Look, sizes } from '../support/browse.ts'
import { ada, call, logIn } from '../support/people.ts'
import { setupLink, startSite } from '../support/site.ts'

// Single sign-on with a provider of OpenID Connect, and what comes by mail: real ones, on this machine.

const letters = await MailServer.onFreePort()
await letters.start()
const providers: Record<'corp' | 'open', IdentityProvider> = {} as never
const site = await startSite(async (url) => {
  for (const id of ['corp', 'open'] as const) {
    providers[id] = await IdentityProvider.start(`${url}/login/sso/${id}/callback`)
    providers[id].asks = true
  }
  return {
    SSO_PROVIDERS: 'corp, open, ruin',
    // Nobody listens there.
    SSO_RUIN_ISSUER: 'http://127.0.0.1:9',
    SSO_RUIN_NAME: 'Ruin ID',
    SSO_RUIN_CLIENT_ID: 'gatehouse',
    SSO_RUIN_CLIENT_SECRET: 'secret',
    OUTGOING_ALLOW: '127.0.0.1',
    ...providers.corp.settings('corp'),
    SSO_CORP_NAME: 'Castle ID',
    ...providers.open.settings('open'),
    SSO_OPEN_NAME: 'Village ID',
    SSO_OPEN_JOIN: 'Castle / Auditor',
    SMTP_URL: letters.url,
    MAIL_FROM: 'Gatehouse <gatehouse@example.org>',
  }
})
afterAll(() => site.stop())
const { open: openPage } = browsing()
const PASSWORD = 'a sentence that nobody else would choose'

/** A browser that may also go to the providers. */
async function open(look?: Look) {
  const opened = await openPage(site, look)
  for (const { issuer } of Object.values(providers)) opened.watch.allow(new RegExp(`^request to elsewhere: ${issuer}/`))
  return opened
}

const [, setupToken] = (await setupLink(site)).split('#')
const made = await fetch(`${site.url}/api/v1/setup`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', origin: site.url },
  body: JSON.stringify({ token: setupToken, organization: 'Castle', time_zone: 'Europe/Zurich', ...ada }),
})
expect(made.status).toBe(200)

async function asOwner(look?: Look) {
  const opened = await open(look)
  await logIn(opened.context, site, ada.email, ada.password)
  return opened
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** Presses what stands on the provider's page. */
const goOn = (page: Page) => button(page, 'Continue').click()
const me = async (page: Page) => (await (await page.context().request.get('/api/v1/me')).json()).data

/** The letter to somebody that says it, once it has come. */
async function letter(to: string, words: string, nth = 0): Promise<ReceivedMail> {
  const found = () => letters.received.filter((mail) => mail.to === to && mail.text.includes(words))[nth]
  await expect.poll(found, { message: `a letter to ${to}: ${words}` }).toBeDefined()
  return found() as ReceivedMail
}

describe('single sign-on', () => {
  it('is connected in the profile, logs in with its button to where one wanted to go, and is disconnected', async () => {
    providers.corp.account = { sub: 'ada', email: 'ada@castle.example', email_verified: true }
    const { page } = await asOwner()
    await page.goto('/profile')
    const section = page.getByRole('region', { name: 'Single sign-on' })
    await section.getByText('Nothing is connected yet.').waitFor()
    await button(page, 'Connect Castle ID').click()
    await goOn(page)
    await page.waitForURL(`${site.url}/profile?connected=corp`)
    const said = section.getByText('Castle ID is connected: from now on you can log in with it.')
    await said.waitFor()
    await expectAccessible(page)
    await expect
      .poll(() => said.evaluate((element) => element.getBoundingClientRect().top))
      .toBeLessThan(sizes.wide.height)
    const row = page.getByRole('table', { name: 'Single sign-on' }).getByRole('row').nth(1)
    expect(await row.textContent()).toMatch(/Castle ID.*ada@castle\.example/)
    await letter(ada.email, 'An account of another provider was connected')

    await button(page, 'Connect another account of Castle ID').click()
    await section.getByRole('alert').getByText('This account of Castle ID is connected with yours already.').waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: /your menu/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByText('You are logged out.').waitFor()
    await page.goto('/keys?status=eq.lost')
    await button(page, 'Log in with Castle ID').click()
    await page.waitForURL(`${site.url}/keys?status=eq.lost`)
    expect((await me(page)).name).toBe('Ada')

    // Where several organizations know the account, it is asked which is meant.
    const { page: several } = await open()
    await several.goto('/login?sso=corp&reason=login.organization_needed&return=%2Fkeys')
    await expectAccessible(several)
    await several.getByLabel('Organization').fill('Castle')
    await several.keyboard.press('Enter')
    await goOn(several)
    await several.waitForURL(`${site.url}/keys`)

    await page.goto('/profile')
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Disconnect' }).click()
    const asking = page.getByRole('dialog', { name: /Disconnect “Castle ID/ })
    await asking.waitFor()
    await expectAccessible(page)
    await asking.getByRole('button', { name: 'Disconnect' }).click()
    await section.getByText('Nothing is connected yet.').waitFor()
    await letter(ada.email, 'An account of another provider was disconnected')
  })

  it('tells somebody unknown what to do, in their language, and the password still leads to where they wanted to go', async () => {
    providers.corp.account = { sub: 'stranger', email: ada.email, email_verified: true }
    const { page } = await open()
    await page.goto('/keys')
    await page.waitForURL(/\/login\?/)
    await button(page, 'Log in with Castle ID').click()
    await goOn(page)
    await page.waitForURL(/\/login\?.*unknown_identity/)
    const alert = page.getByRole('alert')
    await alert.getByText('Nobody here is connected with this account of Castle ID.').waitFor()
    expect(await alert.textContent()).toMatch(
      /connect Castle ID in your profile.*open the invitation.*ask an administrator.*Request req_/,
    )
    await expectAccessible(page)
    await page.getByLabel('E-mail address').fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${site.url}/keys`)

    const { page: german } = await open({ locale: 'de-CH', size: 'narrow' })
    await german.goto('/login')
    await button(german, 'Mit Castle ID anmelden').click()
    await goOn(german)
    await german.getByRole('alert').getByText('Niemand ist hier mit diesem Konto (Castle ID) verbunden.').waitFor()
    await expectAccessible(german)
    expect(await german.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(sizes.narrow.width)
  })

  it('that the provider refuses, or that cannot be reached, says so', async () => {
    providers.corp.account = { sub: 'nobody' }
    const { page, watch } = await open()
    await page.goto('/login')
    await button(page, 'Log in with Castle ID').click()
    await goOn(page)
    await page.getByRole('alert').getByText('Castle ID did not let you in.').waitFor()
    watch.allow(/^502 from .*\/api\/v1\/login\/sso$/)
    await page.goto('/login')
    await button(page, 'Log in with Ruin ID').click()
    await page.getByRole('alert').getByText('Ruin ID').waitFor()
    await expectAccessible(page)
  })

  it('lets somebody new in where the provider may, with the role that is set, and keeps their only way in', async () => {
    providers.open.account = { sub: 'new', email: 'new@village.example', email_verified: true, name: 'New Villager' }
    const { page } = await open({ size: 'narrow' })
    await page.goto('/login')
    await button(page, 'Log in with Village ID').click()
    await goOn(page)
    await page.waitForURL(`${site.url}/`)
    expect(await me(page)).toMatchObject({
      name: 'New Villager',
      user: { has_password: false },
      roles: [{ name: 'Auditor' }],
    })
    await page.getByText('Nothing has been entered yet').waitFor()
    await page.goto('/profile')
    await page.getByText('You have no password').waitFor()
    const table = page.getByRole('table', { name: 'Single sign-on' })
    await table.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Disconnect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/only way/)
      .waitFor()
    await expectAccessible(page)
  })
})

/** As the administrator's page does it; the letter says the link. */
async function invite(page: Page, name: string, email: string): Promise<string> {
  await page.goto('/user-management/users?new=1')
  const form = page.getByRole('dialog', { name: 'Invite user' })
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('E-mail address').fill(email)
  await form.getByRole('button', { name: 'Invite user' }).click()
  await page.getByText(`The invitation of “${name}” is on its way by mail to ${email}`).waitFor()
  await page.getByRole('heading', { name }).waitFor()
  return (await letter(email, 'You are invited to Gatehouse of Castle')).link ?? ''
}

describe('an invitation by mail', () => {
  it('says whom it was sent to instead of the link; the letter’s link lets in with a password, and then no more', async () => {
    const { page: owner } = await asOwner()
    await invite(owner, 'Grace Hopper', 'grace@example.org')
    await expectAccessible(owner)
    expect(await owner.content()).not.toContain('/invitation#')
    await button(owner, 'Repeat the invitation').click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Repeat the invitation' }).click()
    await owner
      .getByText('The invitation of “Grace Hopper” is on its way by mail to grace@example.org')
      .first()
      .waitFor()
    const { link = '' } = await letter('grace@example.org', 'You are invited', 1)

    const { page } = await open({ size: 'narrow' })
    await page.goto(link)
    await page.getByText(/^\S.* invites you to its access control\./).waitFor()
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('grace@example.org')
    await expectAccessible(page)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await button(page, 'Accept the invitation').click()
    await page.waitForURL(`${site.url}/`)
    expect((await me(page)).name).toBe('Grace Hopper')

    const { page: again } = await open()
    await again.goto(link)
    await again.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
    await again.getByText('If you have accepted it, log in.').waitFor()
    await expectAccessible(again)

    await owner.reload()
    await button(owner, 'Actions').click()
    await owner.getByRole('menuitem', { name: 'Link to a new password' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Link to a new password' }).click()
    await owner
      .getByText('The link to a new password for “Grace Hopper” is on its way by mail to grace@example.org')
      .waitFor()
    expect((await letter('grace@example.org', 'choose a new password')).link).toContain('/reset#')
  })

  it('is accepted with an account of a provider instead of a password, once', async () => {
    const { page: owner } = await asOwner()
    const link = await invite(owner, 'Katherine Johnson', 'katherine@example.org')
    providers.corp.account = { sub: 'katherine', email: 'kj@castle.example', email_verified: true }
    const { page } = await open()
    await page.goto(link)
    await button(page, 'Accept with Castle ID').click()
    await goOn(page)
    await page.waitForURL(`${site.url}/`)
    expect(await me(page)).toMatchObject({ name: 'Katherine Johnson', user: { has_password: false, identities: 1 } })
    await page.getByText('You have no role yet').waitFor()
    await expectAccessible(page)
    const { page: again } = await open()
    await again.goto(link)
    await again.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
    await expectAccessible(again)
  })
})

describe('a forgotten password', () => {
  it('is asked for at the login, with the same answer for everybody; the letter’s link sets a new one, once', async () => {
    const { context } = await asOwner()
    await call(context, site, '/api/v1/users', { name: 'Mary Jackson', email: 'mary@example.org' })
    const [, token] = ((await letter('mary@example.org', 'You are invited')).link ?? '').split('#')
    await call((await open()).context, site, '/api/v1/invitations/accept', { token, password: PASSWORD })

    const { page } = await open({ size: 'narrow' })
    await page.goto('/login')
    const ask = page.getByRole('button', { name: 'Forgotten your password? Send me a link' })
    const email = page.getByLabel('E-mail address')
    await ask.click()
    await page.getByText('Enter your e-mail address here first').waitFor()
    expect(await email.evaluate((element) => element === document.activeElement)).toBe(true)
    await expectAccessible(page)
    const answers: string[] = []
    for (const address of ['unknown@example.org', 'mary@example.org']) {
      await page.reload()
      await email.fill(address)
      await ask.click()
      const answer = page.getByText(`If somebody logs in here with ${address} and a password`)
      await answer.waitFor()
      answers.push(((await answer.textContent()) ?? '').replace(address, '…'))
    }
    expect(answers[0]).toBe(answers[1])
    await expectAccessible(page)
    const { link = '' } = await letter('mary@example.org', 'choose a new password')
    expect(letters.received.filter(({ to }) => to === 'unknown@example.org')).toEqual([])

    await page.goto(link)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('autocomplete')))
      .toBe('new-password')
    await expectAccessible(page)
    const fresh = 'another sentence that nobody would choose'
    await page.getByLabel('New password').fill(fresh)
    await button(page, 'Set the password').click()
    await page.getByText('Your new password is set. Log in with it.').waitFor()
    await expectAccessible(page)
    const enter = async (password: string) => {
      await email.fill('mary@example.org')
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.keyboard.press('Enter')
    }
    await enter(PASSWORD)
    await page.getByRole('alert').waitFor()
    await enter(fresh)
    await page.waitForURL(`${site.url}/`)
    await letter('mary@example.org', 'was changed')

    const { page: again } = await open({ locale: 'de-CH' })
    await again.goto(link)
    await again.getByRole('heading', { name: 'Dieser Link gilt nicht mehr' }).waitFor()
    await expectAccessible(again)
    await again.keyboard.press('Enter')
    await again.waitForURL(/\/login$/)
  })
})
