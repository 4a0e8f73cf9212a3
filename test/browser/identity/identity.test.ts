import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from '../support/accessible.ts'
import { browsing } from '../support/browse.ts'
import { pressOn, tabTo, typeInto } from '../support/keyboard.ts'
import { ada, addAuthenticator, call, codeOf, logIn, setUp } from '../support/people.ts'
import { settle } from '../support/settle.ts'
import { type DemoSite, setupLink, startDemoSite, startSite } from '../support/site.ts'

// Who may use the service: the way of the specification (5), people and their factors, roles, applications, the audit
// log.

const { open } = browsing()
const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const field = (page: Page | Locator, name: string) => page.getByLabel(name, { exact: true })
const PASSWORD = 'a sentence that nobody else would choose'

/** The next day whose number is its month's: it is typed alike wherever the month stands first. */
function doubleDate(): { typed: string; day: string } {
  const soon = new Date(Date.now() + 2 * 86_400_000)
  const years = [soon.getUTCFullYear(), soon.getUTCFullYear() + 1]
  const days = years.flatMap((year) =>
    Array.from({ length: 12 }, (_, index) => `${year}-${two(index + 1)}-${two(index + 1)}`),
  )
  const day = days.find((one) => one > soon.toISOString().slice(0, 10)) as string
  return { day, typed: `${day.slice(5, 7)}${day.slice(8, 10)}${day.slice(0, 4)}` }
}
const two = (value: number) => String(value).padStart(2, '0')

describe('the first run', () => {
  it('leads from the printed link to a service user, its token and a first call with that token', async () => {
    const site = await startSite()
    try {
      const { page } = await open(site)
      await page.goto(await setupLink(site))
      await field(page, 'Name of the organization').fill('Castle')
      await field(page, 'Your name').fill('Ada')
      await field(page, 'E-mail address').fill('ada@example.org')
      await page.getByLabel(/^(New p|P)assword$/).fill(ada.password)
      await button(page, 'Set up').click()
      await page.waitForURL(`${site.url}/`)
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      await page.goto('/user-management/service-users')
      await button(page, 'Create service user').click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('HR synchronisation')
      await button(page.getByRole('dialog'), 'Create').click()
      await page.getByRole('heading', { name: 'HR synchronisation' }).waitFor()
      await page.getByText('None: may do nothing').waitFor()
      const token = await makeToken(page)
      const refused = await fetch(`${site.url}/api/v1/spaces`, { headers: { authorization: `Token ${token}` } })
      expect(refused.status, 'without a role it may do nothing').toBe(403)
      await button(page, 'Assign role').click()
      await choose(page, 'Role', 'Integration')
      await button(page.getByRole('dialog'), 'Assign role').click()
      await page.getByText('Integration').first().waitFor()
      const answer = await fetch(`${site.url}/api/v1/spaces?limit=10`, { headers: { authorization: `Token ${token}` } })
      expect([answer.status, (await answer.json()).meta.pagination.total_items]).toEqual([200, 0])
    } finally {
      await site.stop()
    }
  })
})

/** Chooses in a list that the service searches. */
async function choose(page: Page, label: string, text: string): Promise<void> {
  const input = page.getByRole('dialog').getByRole('combobox', { name: label, exact: true })
  await input.click()
  await page.getByRole('option', { name: text }).click()
}

async function makeToken(page: Page): Promise<string> {
  await button(page, 'Create Token').click()
  const form = page.getByRole('dialog', { name: 'Create Token' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Nightly job')
  await form.getByRole('textbox', { name: 'Expires', exact: true }).fill(doubleDate().day)
  await button(form, 'Create Token').click()
  const shown = page.getByRole('dialog', { name: 'Your new token' })
  await shown.getByText('It is shown this once').waitFor()
  const token = (await shown.getByText(/^acs_pat_/).textContent()) ?? ''
  await button(shown, 'I have stored it').click()
  await shown.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(token)
  return token
}

describe('on the demo', () => {
  let site: DemoSite
  beforeAll(async () => {
    site = await startDemoSite()
  }, 120_000)
  afterAll(() => site?.stop())
  const asOwner = async (look = {}) => {
    const opened = await open(site, look)
    await logIn(opened.context, site, site.email, site.password)
    return opened
  }

  it('the way of the specification is walked by keyboard alone: menu, service user, token shown once, role with a place', async () => {
    const { page } = await asOwner()
    await page.goto('/')
    await settle(page)
    await pressOn(page, page.getByRole('button', { name: /organization menu/ }))
    await pressItem(page, 'User Management Settings')
    const tab = page.getByRole('tab', { name: 'Service Users' })
    await tabTo(page, page.getByRole('tab', { name: 'Users', exact: true }))
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/\/service-users$/)
    expect(await tab.getAttribute('aria-selected')).toBe('true')
    await pressOn(page, button(page, 'Create service user'))
    const form = page.getByRole('dialog', { name: 'Create service user' })
    await typeInto(page, form.getByRole('textbox', { name: 'Name' }), 'By keyboard')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'By keyboard' }).waitFor()

    await pressOn(page, button(page, 'Create Token'))
    const making = page.getByRole('dialog', { name: 'Create Token' })
    await typeInto(page, making.getByRole('textbox', { name: 'Name' }), 'Key')
    await tabTo(page, making.getByRole('textbox', { name: 'Expires', exact: true }))
    await page.keyboard.type(doubleDate().typed)
    await pressOn(page, button(making, 'Create Token'))
    const shown = page.getByRole('dialog', { name: 'Your new token' })
    await shown.getByText('treat it like a password').waitFor()
    const token = (await shown.getByText(/^acs_pat_/).textContent()) ?? ''
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await pressOn(page, button(shown, 'Copy'))
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
    await pressOn(page, button(shown, 'I have stored it'))
    await shown.waitFor({ state: 'detached' })

    await pressOn(page, button(page, 'Assign role'))
    const giving = page.getByRole('dialog', { name: 'Assign role' })
    await typeInto(page, giving.getByRole('combobox', { name: 'Role', exact: true }), 'Oper')
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Operator'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await tabTo(page, giving.getByRole('combobox', { name: 'The role holds' }))
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'In one building' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await tabTo(page, giving.getByRole('combobox', { name: 'Building' }))
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await pressOn(page, button(giving, 'Assign role'))
    await giving.waitFor({ state: 'detached' })

    const { data } = await (
      await fetch(`${site.url}/api/v1/me`, { headers: { authorization: `Token ${token}` } })
    ).json()
    expect(data.roles).toMatchObject([{ name: 'Operator', location_id: null, building_id: expect.any(String) }])
    const spaces = await (
      await fetch(`${site.url}/api/v1/spaces?limit=5`, { headers: { authorization: `Token ${token}` } })
    ).json()
    const all = await (
      await fetch(`${site.url}/api/v1/spaces?limit=5`, { headers: { authorization: `Token ${site.token}` } })
    ).json()
    expect(spaces.meta.pagination.total_items).toBeLessThan(all.meta.pagination.total_items)
  })

  it('somebody who is invited chooses a password, adds a passkey and an authenticator app, and logs in with each', async () => {
    const owner = await asOwner()
    await owner.page.goto('/user-management/users')
    await button(owner.page, 'Invite user').click()
    const form = owner.page.getByRole('dialog', { name: 'Invite user' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Grace Hopper')
    await form.getByLabel('E-mail address').fill('grace@example.org')
    await button(form, 'Invite user').click()
    const shown = owner.page.getByRole('dialog', { name: 'The invitation' })
    const link = (await shown.getByText(/^http:.*\/invitation#/).textContent()) ?? ''
    await button(shown, 'I have stored it').click()
    await owner.page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
    await owner.page.getByText('None: may do nothing').waitFor()

    const { page } = await open(site)
    await page.goto(link)
    await page
      .getByLabel(/assword/)
      .first()
      .fill(PASSWORD)
    await button(page, 'Accept the invitation').click()
    await page.waitForURL(`${site.url}/`)
    const reader = await addAuthenticator(page)
    await page.goto('/profile')
    await button(page, 'Add a passkey').click()
    const adding = page.getByRole('dialog', { name: 'Add a passkey' })
    await adding.getByRole('textbox', { name: 'Name' }).fill('Laptop')
    await button(adding, 'Add a passkey').click()
    await page.getByRole('table', { name: 'Passkeys' }).getByText('Laptop').waitFor()
    expect(await reader.credentials()).toBe(1)

    await button(page, 'Set up an authenticator app').click()
    const enrolling = page.getByRole('dialog', { name: 'Set up an authenticator app' })
    await enrolling.getByRole('img', { name: /QR code/ }).waitFor()
    await expectAccessible(page)
    const secret = ((await enrolling.locator('.secret-key').textContent()) ?? '').replaceAll(' ', '')
    await enrolling.getByLabel('Code that the app shows').fill('000000')
    await button(enrolling, 'Turn on').click()
    await enrolling
      .getByText('Is the clock of your phone right?')
      .or(enrolling.getByText(/not what the app shows/))
      .first()
      .waitFor()
    await enrolling.getByLabel('Code that the app shows').fill(codeOf(secret))
    await button(enrolling, 'Turn on').click()
    const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
    await codes.getByRole('listitem').first().waitFor()
    const kept = await codes.getByRole('listitem').allTextContents()
    expect(kept).toHaveLength(10)
    const download = page.waitForEvent('download')
    await button(codes, 'Download').click()
    expect((await download).suggestedFilename()).toBe('gatehouse-recovery-codes.txt')
    await button(codes, 'I have stored it').click()
    await page.getByText('10 recovery codes left').waitFor()

    await logOut(page)
    await button(page, 'Log in with a passkey').click()
    await page.waitForURL(`${site.url}/`)

    await logOut(page)
    await giveCode(page, codeOf(secret, 1))
    await page.waitForURL(`${site.url}/`)

    await logOut(page)
    await page.getByLabel('E-mail address').fill('grace@example.org')
    await field(page, 'Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
    await field(page, 'Recovery code').fill(kept[0] as string)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${site.url}/`)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.goto('/profile')
    await page.getByText('9 recovery codes left').waitFor()

    await removeFactor(owner.page)
    await page.reload()
    await page.waitForURL(/\/login/)
  })

  async function logOut(page: Page): Promise<void> {
    await page.getByRole('button', { name: /your menu/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL(/\/login/)
  }

  async function giveCode(page: Page, code: string): Promise<void> {
    await page.getByLabel('E-mail address').fill('grace@example.org')
    await field(page, 'Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await field(page, 'Code').fill(code)
    await page.keyboard.press('Enter')
  }

  /** As an administrator does for somebody who has lost their phone. */
  async function removeFactor(page: Page): Promise<void> {
    await page.reload()
    await button(page, 'Actions').click()
    await page.getByRole('menuitem', { name: 'Remove a lost second factor' }).click()
    await button(page.getByRole('dialog'), 'Remove a lost second factor').click()
    await page.getByText('The second factor of “Grace Hopper” is removed').waitFor()
  }

  it('a role of one’s own is made from a built-in one, with what each permission means', async () => {
    const { page } = await asOwner()
    await page.goto('/user-management/roles')
    await page.getByRole('link', { name: 'Operator' }).click()
    await page.getByText('Issue and take back keys, report them lost, found or stolen.').waitFor()
    expect(await button(page, 'Edit').count(), 'a built-in role cannot be changed').toBe(0)
    await button(page, 'Copy as a custom role').click()
    const form = page.getByRole('dialog', { name: /Copy “Operator”/ })
    await form.getByText('Nobody gives more than they have').waitFor()
    await form.getByRole('textbox', { name: 'Name' }).fill('Key desk')
    await form.getByRole('checkbox', { name: /^Credentials/ }).uncheck()
    await button(form, 'Copy as a custom role').click()
    await form.waitFor({ state: 'detached' })
    await page.goto('/user-management/roles')
    await page.getByRole('main').getByRole('link', { name: 'Key desk' }).click()
    await page.getByText('Custom').first().waitFor()
    expect(await page.getByText('credentials:write').count()).toBe(0)
  })

  it('a dangerous change long after the login is confirmed by a passkey, and then done', async () => {
    const { page, context } = await asOwner()
    await addAuthenticator(page)
    await page.goto('/profile')
    await button(page, 'Add a passkey').click()
    await button(page.getByRole('dialog'), 'Add a passkey').click()
    await page.getByRole('table', { name: 'Passkeys' }).waitFor()
    let isRefused = true
    await context.route('**/api/v1/roles', async (route) => {
      if (route.request().method() !== 'POST' || !isRefused) return route.continue()
      isRefused = false
      const error = { code: 'UNAUTHORIZED', reason: 'recent_login_required', docs: '', req_id: 'req_1' }
      return route.fulfill({
        status: 403,
        contentType: 'application/json',
        body: JSON.stringify({ msg: 'Long ago', error }),
      })
    })
    await page.goto('/user-management/roles?new=1')
    const form = page.getByRole('dialog', { name: 'Create role' })
    await form.getByRole('textbox', { name: 'Name' }).fill('By passkey')
    await button(form, 'Create').click()
    const asking = page.getByRole('dialog', { name: 'Is it you?' })
    await asking.waitFor()
    await expectAccessible(page)
    await button(asking, 'Confirm with a passkey').click()
    await page.getByRole('heading', { name: 'By passkey' }).waitFor()
  })

  it('an application asks for access on a page of its own, gets what is left of it, and loses it in the profile', async () => {
    const { page, context } = await asOwner()
    const made = await call(context, site, '/api/v1/oauth-applications', {
      name: 'Badge printer',
      description: 'Prints badges for new employees',
      redirect_uris: [`${site.url}/organization`],
      permissions: ['individuals:read', 'spaces:read'],
    })
    const query = new URLSearchParams({
      client_id: String(made.id),
      response_type: 'code',
      redirect_uri: `${site.url}/organization`,
      scope: 'openid individuals:read spaces:read',
      state: 'x',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })
    await page.goto(`/oauth/auth?${query}`)
    await page.waitForURL(/\/consent\//)
    await page.getByRole('heading', { name: 'Badge printer asks for access' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('checkbox', { name: 'See spaces.' }).uncheck()
    await button(page, 'Agree').click()
    await page.waitForURL(/\/organization\?code=/)
    await page.goto('/profile')
    const granted = page.getByRole('table', { name: 'Applications with access' })
    await granted.getByText('Badge printer').waitFor()
    expect(await granted.textContent()).toContain('See people.')
    expect(await granted.textContent()).not.toContain('See spaces.')
    await granted.getByRole('button', { name: /Actions for Badge printer/ }).click()
    await page.getByRole('menuitem', { name: 'End access' }).click()
    await button(page.getByRole('dialog'), 'End access').click()
    await page.getByText('You have given no application access.').waitFor()
  })

  it('the organization’s settings are changed, refused at their field, and what changed is in the audit log, before beside after', async () => {
    const { page } = await asOwner()
    await page.goto('/organization')
    const decided = page.getByRole('region', { name: 'Decided by the service' })
    await decided.getByText('Not sent: links are shown, to be passed on').waitFor()
    expect(await decided.getByRole('button').count(), 'what the environment decides is not changed here').toBe(0)
    await page.getByLabel('Longest life of a token (days)').fill('90')
    await button(page, 'Save changes').click()
    await page.getByText('Organization settings saved').waitFor()
    await page.goto('/audit-log')
    await page.getByRole('link', { name: 'Organization changed' }).first().click()
    const change = page.getByRole('row', { name: /Longest life of a token/ })
    await expect.poll(() => change.getByRole('cell').allTextContents()).toEqual(['366', '90'])
    const windows = [{ days: ['mon', 'tue', 'wed'], start: '08:00', end: '18:00' }]
    await call(page.context(), site, '/api/v1/schedules', { name: 'Early week', windows })
    await page.goto('/audit-log')
    await page.getByRole('link', { name: 'Schedule created' }).first().click()
    await page.getByRole('row', { name: /^Hours Mon–Wed 08:00–18:00$/ }).waitFor()
    const recorded = page.locator('.page')
    await recorded.getByText(/^Not filled in: .*Description/).waitFor()
    expect(await recorded.textContent(), 'as the API writes it').not.toMatch(/[{}]|\b[a-z]+_[a-z]+\b(?!\.)/)
    await page.goto('/user-management/roles')
    await page.getByRole('link', { name: 'Owner', exact: true }).click()
    const history = page.getByRole('link', { name: 'History' })
    await history.waitFor()
    // It stands below what is still loaded, and moves with it.
    await settle(page)
    await history.click()
    await page.waitForURL(/resource_id=eq\./)
  })
})

describe('the last owner', () => {
  it('is told so on the page, and stays although somebody tries', async () => {
    const site = await startSite()
    try {
      const { page, context } = await open(site)
      await setUp(context, site)
      await page.goto('/user-management/users')
      await page.getByRole('link', { name: 'Ada', exact: true }).click()
      await page.getByText('Ada is the only Owner.').waitFor()
      await button(page, 'Actions').click()
      await page.getByRole('menuitem', { name: 'Remove user' }).click()
      await button(page.getByRole('dialog'), 'Remove user').click()
      await page
        .getByRole('alert')
        .getByText(/last Owner/)
        .waitFor()
    } finally {
      await site.stop()
    }
  })
})

/** In a menu that has just opened. */
async function pressItem(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name })
  await item.waitFor()
  for (let presses = 0; presses < 20; presses++) {
    if (await item.evaluate((element) => element === document.activeElement)) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}
