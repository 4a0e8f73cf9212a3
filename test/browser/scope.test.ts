import type { BrowserContext } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { browsing } from './support/browse.ts'
import { logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()
const PASSWORD = 'correct horse battery staple'

type Row = Record<string, string> & { id: string }

/** What somebody who is logged in gets from the API. */
async function ask<T = Row>(context: BrowserContext, path: string, data?: object): Promise<T> {
  const address = `${site.url}/api/v1/${path}`
  const answer = await (data ? context.request.post(address, { headers: { origin: site.url }, data }) : context.request.get(address))
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()).data
}

describe('somebody whose role holds in one building', () => {
  it('sees that building, what is in it and who has to do with it, and nothing of anything else', async () => {
    const boss = await open(site)
    await logIn(boss.context, site, site.email, site.password)
    const buildings = await ask<Row[]>(boss.context, 'buildings?parent_id=is.null&limit=100&order=name')
    const [mine] = buildings
    const other = buildings.find(({ name }) => name !== mine?.name)
    if (!mine || !other) throw new Error('the demo has two buildings')
    const elsewhere = (await ask<Row[]>(boss.context, `spaces?building_id=${other.id}&limit=1`))[0]
    const [role] = await ask<Row[]>(boss.context, 'roles?name=eq.Facility%20manager')
    const user = await ask(boss.context, 'users', { email: 'janitor@example.com', name: 'Jan Janitor' })
    await ask(boss.context, 'role-assignments', { role_id: role?.id, user_id: user.id, building_id: mine.id })
    const token = new URL(String(user.link)).hash.slice(1)

    const { page, context, watch } = await open(site)
    await ask(context, 'invitations/accept', { token, password: PASSWORD })
    await page.goto('/')
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await navigation.getByRole('link', { name: 'Spaces' }).waitFor()
    for (const name of ['Audit log', 'User Management Settings']) {
      expect(await navigation.getByRole('link', { name }).count(), name).toBe(0)
    }
    for (const name of ['People', 'Credentials', 'Access groups']) {
      expect(await navigation.getByRole('link', { name }).count(), name).toBe(1)
    }

    await page.goto('/spaces?limit=100')
    await settle(page)
    const own = await ask<Row[]>(context, 'spaces?limit=100')
    expect(own.length).toBeGreaterThan(0)
    const rows = page.getByRole('table', { name: 'Spaces' }).locator('tbody tr')
    expect(await rows.count()).toBe(own.length)
    for (const text of await rows.allInnerTexts()) expect(text).toContain(String(mine.name))

    // What lies elsewhere does not exist, by whatever way one comes.
    watch.allow(/404/)
    await page.goto(`/buildings/${other.id}`)
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
    await page.goto(`/spaces/${elsewhere?.id}`)
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()

    // Their own they may change.
    await page.goto(`/buildings/${mine.id}`)
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    await page.goto(`/spaces/${own[0]?.id}?tab=who`)
    await page.getByRole('table', { name: 'By access grants' }).waitFor()
    await settle(page)
    expect(await page.getByRole('table').textContent()).toContain('Access group')

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Find a space/ }).fill('create')
    await page.getByRole('option', { name: 'Create space' }).waitFor()
    expect(await page.getByRole('option', { name: 'Create person' }).count()).toBe(1)
    await page.getByRole('combobox', { name: /^Find a space/ }).fill(String(other.name))
    await page.getByText('Nothing found').waitFor()
  })
})
