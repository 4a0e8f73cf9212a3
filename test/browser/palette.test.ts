import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { logIn } from './support/people.ts'
import { startDemoSite } from './support/site.ts'
import { timed } from './support/timing.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

async function one(path: string): Promise<Record<string, string>> {
  const answer = await fetch(`${site.url}/api/v1/${path}`, { headers: { authorization: `Token ${site.token}` } })
  const [item] = ((await answer.json()) as { data: Array<Record<string, string>> }).data
  if (!item) throw new Error(`the demo has nothing at ${path}`)
  return item
}

describe('the palette', () => {
  it('finds a person, a door’s space, a card, a page and what can be created, by keyboard alone', async () => {
    const { page, context } = await open(site)
    await logIn(context, site, site.email, site.password)
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const input = page.getByRole('combobox', { name: /^Find a space/ })
    const find = async (text: string, wanted: RegExp) => {
      await page.keyboard.press('Control+k')
      // At once: nobody waits for a palette.
      await page.keyboard.type(text)
      const option = page.getByRole('option', { name: wanted }).first()
      await timed(`the palette finds ${text}`, () => option.waitFor())
      for (let presses = 0; (await option.getAttribute('aria-selected')) !== 'true'; presses++) {
        if (presses > 60) throw new Error(`the arrows do not reach ${wanted}`)
        await page.keyboard.press('ArrowDown')
      }
      expect(await input.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'))
      await page.keyboard.press('Enter')
      await input.waitFor({ state: 'detached' })
    }
    const person = await one('individuals?status=eq.active&limit=1')
    await find(String(person.display_name), new RegExp(String(person.display_name)))
    await page.waitForURL(`/individuals/${person.id}`)
    const space = await one('spaces?limit=1')
    await find(String(space.slug), new RegExp(String(space.name)))
    await page.waitForURL(/\/spaces\//)
    const card = await one('credentials?type=eq.card&limit=1')
    await find(String(card.number), new RegExp(String(card.number)))
    await page.waitForURL(`/credentials/${card.id}`)
    await find('audit', /^Audit log$/)
    await page.waitForURL('/audit-log')
    await find('create person', /^Create person$/)
    await page.waitForURL('/individuals?new=1')
    await page.getByRole('dialog', { name: 'Create person' }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('shows what was looked at last before anything is typed, and nothing of it after logging out', async () => {
    const { page, context } = await open(site)
    await logIn(context, site, site.email, site.password)
    const person = await one('individuals?status=eq.active&limit=1')
    await page.goto(`/individuals/${person.id}`)
    await page.getByRole('heading', { level: 1, name: String(person.display_name) }).waitFor()
    await page.keyboard.press('Control+k')
    const recent = page
      .getByRole('group', { name: 'Recent' })
      .getByRole('option', { name: new RegExp(String(person.display_name)) })
    await recent.waitFor()
    await expectAccessible(page)
    expect(await page.evaluate(() => JSON.stringify(localStorage))).toContain('gatehouse.recent')
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(String(person.display_name))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /your menu/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL(/\/login/)
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('gatehouse.recent'))),
    ).toEqual([])
  })

  it('is accessible with results and without, also on a phone', async () => {
    const { page, context } = await open(site, { size: 'narrow' })
    await logIn(context, site, site.email, site.password)
    await page.goto('/spaces')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('combobox', { name: /^Find a space/ }).fill('zu')
    await page.getByRole('option').first().waitFor()
    await expectAccessible(page)
    await page.getByRole('combobox', { name: /^Find a space/ }).fill('no such thing anywhere')
    await page.getByText('Nothing found').waitFor()
    await expectAccessible(page)
  })
})
