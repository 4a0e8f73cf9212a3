import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { type DemoSite, startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

async function ask(path: string, method = 'GET', body?: object, from: DemoSite = site) {
  const answer = await fetch(`${from.url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Token ${from.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { data: never }).data
}
const first = async <T>(path: string): Promise<T> => {
  const [item] = (await ask(path)) as T[]
  if (!item) throw new Error(`the demo has nothing at ${path}`)
  return item
}

/** Types into a field that searches, and takes what was found. */
async function choose(page: Page, label: string, text: string, option: string | RegExp = text): Promise<void> {
  await page
    .getByRole('combobox', { name: label, exact: true })
    .or(page.getByRole('textbox', { name: label, exact: true }))
    .first()
    .fill(text)
  await page.getByRole('option', { name: option }).first().click()
}

describe('people and what they carry', () => {
  it('a card is issued to a new person, who is in a group that opens a space', async () => {
    const { page, context } = await open(site)
    await logIn(context, site, site.email, site.password)
    const space = await first<{ id: string; name: string }>('spaces?search=server&limit=1')

    await page.goto('/individuals')
    await page.getByRole('button', { name: 'Create person' }).click()
    await page.getByLabel('Given name').fill('Grace')
    await page.getByLabel('Family name').fill('Hopper')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor()
    const person = new URL(page.url()).pathname

    await page.getByRole('button', { name: 'Issue card' }).click()
    const dialog = page.getByRole('dialog', { name: 'Issue a credential to Grace Hopper' })
    await dialog.getByRole('textbox', { name: 'Number' }).fill('9000001')
    await dialog.getByRole('button', { name: 'Issue card' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Credentials' }).click()
    await page.getByRole('row', { name: /9000001.*Active.*Usable/ }).waitFor()

    // The same number cannot be given twice, and the form says so and keeps what was typed.
    await page.getByRole('button', { name: 'Issue card' }).click()
    await dialog.getByRole('textbox', { name: 'Number' }).fill('9000001')
    await dialog.getByRole('button', { name: 'Issue card' }).click()
    await dialog
      .getByRole('alert')
      .or(dialog.locator('.mantine-Input-error, .mantine-InputWrapper-error'))
      .first()
      .waitFor()
    expect(await dialog.getByRole('textbox', { name: 'Number' }).inputValue()).toBe('9000001')
    await page.keyboard.press('Escape')

    await page.goto('/access-groups?new=1')
    await page.getByLabel('Name').fill('Compiler builders')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Compiler builders' }).waitFor()
    await page.getByRole('tab', { name: 'Members' }).click()
    await choose(page, 'Add people: type a name …', 'hopper', /Grace Hopper/)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('1 added').waitFor()
    await page.getByRole('row', { name: /Grace Hopper.*Member/ }).waitFor()

    await page.getByRole('tab', { name: 'Access grants' }).click()
    await page.getByRole('button', { name: 'Create access grant' }).first().click()
    await choose(page, 'Space', space.name)
    await page
      .getByRole('dialog', { name: 'Create access grant' })
      .getByRole('button', { name: 'Create', exact: true })
      .click()
    const impact = page.getByRole('dialog', { name: 'What this changes' })
    await impact.getByText(/^1 person gains \d+ doors?$/).waitFor()
    await impact.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('row', { name: new RegExp(`${space.name}.*Allows.*In force`) }).waitFor()

    await page.goto(`${person}?tab=may-open`)
    await page
      .getByRole('row', { name: new RegExp(`${space.name}.*Compiler builders → ${space.name}`) })
      .first()
      .waitFor()
  })

  it('somebody is taken out of a group, and put back by undoing it', async () => {
    const { page, context } = await open(site)
    await logIn(context, site, site.email, site.password)
    const group = await first<{ id: string }>('access-groups?name=eq.Security')
    const count = ((await ask(`access-groups/${group.id}/members`)) as unknown[]).length
    await page.goto(`/access-groups/${group.id}?tab=members`)
    const rows = page.getByRole('table', { name: 'Members' }).locator('tbody tr')
    await settle(page)
    expect(await rows.count()).toBe(count)
    await page.getByRole('button', { name: 'Actions for Member' }).first().click()
    await page.getByRole('menuitem', { name: 'Remove from group' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await expect.poll(() => rows.count()).toBe(count - 1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => rows.count()).toBe(count)
  })

  it('a card is blocked, unblocked, lost, found and replaced, and its page says each time why it is as it is', async () => {
    const { page, context } = await open(site)
    await logIn(context, site, site.email, site.password)
    const holder = await first<{ id: string }>('individuals?status=eq.active&limit=1')
    const card = (await ask('credentials', 'POST', {
      type: 'card',
      number: '9000100',
      label: 'Test badge',
      individual_id: holder.id,
    })) as {
      id: string
    }
    await page.goto(`/credentials/${card.id}`)
    const header = page.getByRole('banner').or(page.locator('.page-header')).last()
    const act = async (name: string) => {
      await page.getByRole('button', { name: 'Actions', exact: true }).click()
      await page.getByRole('menuitem', { name }).click()
      await page.getByRole('dialog').getByRole('button', { name }).click()
    }
    await header.getByText('Usable, without end').waitFor()
    await act('Block')
    await header.getByText(/^Blocked: forgotten/).waitFor()
    await page.getByRole('button', { name: 'Unblock' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click()
    await header.getByText('Usable, without end').waitFor()
    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Report lost …' }).click()
    await page.getByRole('dialog').getByText('“Test badge · 9000100” opens no door from now on').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Report', exact: true }).click()
    await header.getByText('Reported lost').waitFor()
    await page.getByRole('button', { name: 'Report found' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Report found' }).click()
    await header.getByText(/^Blocked: forgotten/).waitFor()
    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Replace …' }).click()
    await page
      .getByRole('dialog')
      .getByText('format and end of “Test badge · 9000100”, which then opens no door any more')
      .waitFor()
    await page.getByRole('dialog').getByLabel('New number').fill('9000101')
    await page.getByRole('dialog').getByRole('button', { name: 'Replace', exact: true }).click()
    await header.getByText('Reported lost').waitFor()
    expect(await ask('credentials?number=eq.9000101')).toMatchObject([
      { type: 'card', individual_id: holder.id, status_type: 'active' },
    ])
  })

  it('who leaves is offboarded with a look at what is taken back and which keys are out, and anonymised only by typing the name', async () => {
    const { page, context, watch } = await open(site)
    await logIn(context, site, site.email, site.password)
    const person = (await ask('individuals', 'POST', { given_name: 'Leo', family_name: 'Leaver' })) as { id: string }
    await ask('credentials', 'POST', { type: 'card', number: '9000200', individual_id: person.id })
    const key = await first<{ id: string; number: string }>('keys?status=eq.in_stock&limit=1')
    await ask(`keys/${key.id}/issue`, 'POST', { individual_id: person.id })

    await page.goto(`/individuals/${person.id}`)
    const menu = async (name: string) => {
      await page.getByRole('button', { name: 'Actions', exact: true }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await menu('Offboard')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 credential is revoked').waitFor()
    await dialog.getByText('1 key must be taken back by hand').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Offboard' }).click()
    await page.getByRole('dialog').getByText('One key is still out. Take it back:').waitFor()
    await page
      .getByRole('dialog')
      .getByText(new RegExp(`· ${key.number}`))
      .waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { level: 1, name: 'Leo Leaver' }).waitFor()
    expect(await ask(`credentials?individual_id=eq.${person.id}`)).toMatchObject([{ status_type: 'terminated' }])

    await menu('Anonymise')
    const confirm = dialog.getByRole('button', { name: 'Anonymise' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('Leo Leaver')
    // Refused while a key is out, in the service's words.
    watch.allow(/409/)
    await confirm.click()
    await dialog
      .getByRole('alert')
      .getByText(/Keys must come back first/)
      .waitFor()
    await ask(`keys/${key.id}/return`, 'POST', {})
    await confirm.click()
    await page.getByRole('heading', { level: 1, name: 'Anonymised person' }).waitFor()
  })
})
