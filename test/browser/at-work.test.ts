import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { call, codeOf, logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startDemoSite } from './support/site.ts'
import { timed } from './support/timing.ts'

// What happens to somebody in the middle of their work: others change things, sessions end, connections break, doors
// stay shut.

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()
const PASSWORD = 'correct horse battery staple'

const asOwner = async () => {
  const opened = await open(site)
  await logIn(opened.context, site, site.email, site.password)
  return opened
}

async function ask(method: string, path: string, body?: object) {
  const answer = await fetch(`${site.url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Token ${site.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()).data
}

/** Somebody new with one role in the whole organization, who has accepted the invitation and is logged in. */
async function somebodyWith(
  context: BrowserContext,
  owner: BrowserContext,
  email: string,
  role: string,
): Promise<void> {
  const user = await call(owner, site, '/api/v1/users', { email, name: email })
  await call(owner, site, '/api/v1/role-assignments', { role_id: role, user_id: user.id })
  const token = new URL(String(user.link)).hash.slice(1)
  await call(context, site, '/api/v1/invitations/accept', { token, password: PASSWORD })
}

/** A building of the test's own. */
async function build(more: object): Promise<{ id: string }> {
  const [location] = await ask('GET', 'locations?limit=1')
  return ask('POST', 'buildings', { location_id: location.id, ...more })
}

const form = (page: Page) => page.getByRole('dialog', { name: 'Edit building' })
const conflict = (page: Page) => page.getByRole('dialog', { name: 'Somebody else has changed this meanwhile' })

describe('what two people change at once', () => {
  it('is not lost: whoever saves later is asked, keeps what they typed, and saves over it or loads the newer', async () => {
    const { page, watch } = await asOwner()
    watch.allow(/412/)
    const { id } = await build({ name: 'Pavilion', address: 'Old road 1' })
    await page.goto(`/buildings/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await form(page).getByLabel('Name', { exact: true }).fill('Pavilion East')
    await ask('PATCH', `buildings/${id}`, { address: 'New road 1' })
    // Coming back to the window reads everything again: the form still knows what it began with.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await form(page).getByRole('button', { name: 'Save changes' }).click()
    await conflict(page).waitFor()
    await expectAccessible(page)

    await page.keyboard.press('Escape')
    await conflict(page).waitFor({ state: 'detached' })
    expect(await form(page).getByLabel('Name', { exact: true }).inputValue()).toBe('Pavilion East')
    expect(await ask('GET', `buildings/${id}`)).toMatchObject({ name: 'Pavilion', address: 'New road 1' })

    await form(page).getByRole('button', { name: 'Save changes' }).click()
    await conflict(page).getByRole('button', { name: 'Overwrite' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pavilion East' }).waitFor()
    // Only what was typed is saved over the other's.
    expect(await ask('GET', `buildings/${id}`)).toMatchObject({ name: 'Pavilion East', address: 'New road 1' })

    await page.getByRole('button', { name: 'Edit' }).click()
    await form(page).getByLabel('Name', { exact: true }).fill('Pavilion West')
    await ask('PATCH', `buildings/${id}`, { name: 'Pavilion North' })
    await form(page).getByRole('button', { name: 'Save changes' }).click()
    await conflict(page).getByRole('button', { name: 'Load the newer' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pavilion North' }).waitFor()
    await form(page).waitFor({ state: 'detached' })
  })
})

describe('a session that ends under somebody’s hands', () => {
  it('leads to the login and back, and what was typed is still there, though not for somebody else', async () => {
    const { page, context } = await asOwner()
    const { id } = await build({ name: 'Orangery' })
    await page.goto(`/buildings/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await form(page).getByLabel('Name', { exact: true }).fill('Orangery at the lake')
    await context.clearCookies()
    await form(page).getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Your session has ended.').waitFor()
    await page.getByLabel('E-mail address').fill(site.email)
    await page.getByLabel('Password', { exact: true }).fill(site.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Orangery' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/buildings/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await expect.poll(() => form(page).getByLabel('Name', { exact: true }).inputValue()).toBe('Orangery at the lake')

    const [manager] = await ask('GET', 'roles?name=eq.Owner')
    await context.clearCookies()
    const owner = await asOwner()
    await somebodyWith(context, owner.context, 'second@example.com', manager.id)
    await page.goto(`/buildings/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await expect.poll(() => form(page).getByLabel('Name', { exact: true }).inputValue()).toBe('Orangery')
  })
})

describe('whoever may only look', () => {
  it('as an auditor sees no way to issue, change or delete', async () => {
    const owner = await asOwner()
    const [auditor] = await ask('GET', 'roles?name=eq.Auditor')
    const { page, context } = await open(site)
    await somebodyWith(context, owner.context, 'auditor@example.com', auditor.id)
    const [key] = await ask('GET', 'keys?status=eq.in_stock&limit=1')
    const [person] = await ask('GET', 'individuals?status=eq.active&limit=1')
    for (const path of [`/keys/${key.id}`, `/individuals/${person.id}`]) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settle(page)
      for (const name of ['Issue', 'Issue card', 'Edit', 'Actions']) {
        expect(await page.getByRole('button', { name, exact: true }).count(), `${name} on ${path}`).toBe(0)
      }
    }
    for (const path of [
      '/locations',
      '/spaces',
      '/spaces?new=1',
      '/individuals',
      '/user-management/roles',
      '/organization',
    ]) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settle(page)
      expect(await page.getByRole('button', { name: /^(Create|Invite|Save)/ }).count(), path).toBe(0)
    }
  })

  it('by a role for spaces alone finds no other page in the navigation, and is told at its address that it is not theirs', async () => {
    const owner = await asOwner()
    const role = await call(owner.context, site, '/api/v1/roles', { name: 'Spaces only', permissions: ['spaces:read'] })
    const { page, context } = await open(site)
    await somebodyWith(context, owner.context, 'spaces@example.com', String(role.id))
    await page.goto('/')
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await navigation.getByRole('link', { name: 'Spaces' }).waitFor()
    await settle(page)
    expect(await navigation.getByRole('link', { name: 'People' }).count()).toBe(0)
    expect(await page.getByRole('alert').count(), 'errors on the overview').toBe(0)
    await page.goto('/individuals')
    await page.getByRole('alert').waitFor()
    await expectAccessible(page)
    await page.goto('/spaces')
    await page.getByRole('table', { name: 'Spaces' }).locator('tbody a').first().click()
    await page.getByRole('tab', { name: 'Overview' }).or(page.locator('.facts')).first().waitFor()
    await settle(page)
    expect(await page.getByRole('alert').count(), 'errors on a space').toBe(0)
  })
})

describe('a broken connection', () => {
  it('is said at the top, what fails says so and works again once the connection does', async () => {
    const { page, context, watch } = await asOwner()
    watch.allow(/ERR_INTERNET_DISCONNECTED/)
    await page.goto('/spaces')
    await page.getByRole('table', { name: 'Spaces' }).locator('tbody a').first().waitFor()
    await settle(page)
    await context.setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await expectAccessible(page)
    await page.getByRole('searchbox').fill('server')
    await page.getByText('The service cannot be reached.').waitFor()
    await context.setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    await page
      .getByRole('row', { name: /server/i })
      .first()
      .waitFor()
  })
})

describe('a table', () => {
  it('keeps its state on the way back, forward and over a reload', async () => {
    const { page } = await asOwner()
    await page.goto('/spaces')
    const rows = page.getByRole('table', { name: 'Spaces' }).locator('tbody tr')
    const first = () => rows.first().textContent()
    await rows.first().locator('a').first().waitFor()
    await settle(page)
    const before = await first()
    await timed('the second page of a table', async () => {
      await page.getByRole('button', { name: '2', exact: true }).click()
      await page.waitForFunction(
        (text) => document.querySelector<HTMLElement>('tbody tr')?.textContent !== text,
        before,
        { polling: 5 },
      )
    })
    await page.waitForURL(/page=2/)
    const second = await first()
    await rows.first().locator('a').first().click()
    await page.waitForURL(/\/spaces\/[^?]+$/)
    await page.goBack()
    await page.waitForURL(/\/spaces\?page=2/)
    await expect.poll(first).toBe(second)
    await page.goBack()
    await expect.poll(first).toBe(before)
    await page.goForward()
    await expect.poll(first).toBe(second)
    await page.reload()
    await expect.poll(first).toBe(second)
    await page.goto('/individuals?order=name.desc&search=an')
    await settle(page)
    expect(await page.getByRole('searchbox').inputValue()).toBe('an')
    // Typed in haste, with pauses as long as the search's own: no letter is lost.
    await page.getByRole('searchbox').fill('')
    await page.getByRole('searchbox').pressSequentially('Martina Example', { delay: 190 })
    expect(await page.getByRole('searchbox').inputValue()).toBe('Martina Example')
    await page.waitForURL(/search=Martina\+Example/)
  })
})

describe('an address that nothing lives at', () => {
  it('says so inside the portal, and to whoever is not logged in only after the login', async () => {
    const { page, watch } = await asOwner()
    watch.allow(/404/)
    for (const path of ['/nowhere', '/spaces/nothing', '/spaces/019a0000-0000-7000-8000-000000000000', '/a/b/c']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1, name: 'There is nothing here' }).waitFor()
      await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    }
    const stranger = await open(site)
    await stranger.page.goto('/nowhere?x=1')
    await stranger.page.waitForURL(/\/login\?return=/)
  })
})

describe('a recovery code', () => {
  it('lets in whoever has lost the authenticator app, once', async () => {
    const owner = await asOwner()
    const [role] = await ask('GET', 'roles?name=eq.Auditor')
    const other = await open(site)
    await somebodyWith(other.context, owner.context, 'forgetful@example.com', role.id)
    const { secret } = await call(other.context, site, '/api/v1/me/totp')
    const { recovery_codes: codes } = await call(other.context, site, '/api/v1/me/totp/confirm', {
      code: codeOf(String(secret)),
    })
    const [recovery = ''] = codes as string[]
    const attempt = async () => {
      const { page } = await open(site)
      await page.goto('/login')
      await page.getByLabel('E-mail address').fill('forgetful@example.com')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
      await page.getByLabel('Recovery code').fill(recovery)
      await page.keyboard.press('Enter')
      return page
    }
    const page = await attempt()
    await page.waitForURL(`${site.url}/`)
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    const again = await attempt()
    await again.getByRole('alert').waitFor()
  })
})
