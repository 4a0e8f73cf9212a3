import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { call, logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

const asOwner = async () => {
  const opened = await open(site)
  await logIn(opened.context, site, site.email, site.password)
  return opened
}

type Row = Record<string, string> & { id: string }

async function ask<T = Row[]>(path: string): Promise<T> {
  const answer = await fetch(`${site.url}/api/v1/${path}`, { headers: { authorization: `Token ${site.token}` } })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { data: T }).data
}

/**
 * As a scanner does: it types and presses Enter, whatever the desk has found by then. The next one comes when this one
 * is taken.
 */
async function scan(page: Page, text: string) {
  await page.getByRole('combobox', { name: 'Key or person' }).focus()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('combobox', { name: 'Key or person' }).inputValue()).toBe('')
}

const nameOf = ({ key_type_code: code, number }: Row) => `${code} · ${number}`
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

let copies = 9000

/** Two copies that nothing else is called like, also where this is tried again. */
async function inStock(context: BrowserContext): Promise<[Row, Row]> {
  const [type] = await ask('key-types?code=eq.G1.1&limit=1')
  const make = (number: string) =>
    call(context, site, '/api/v1/keys', { key_type_id: type?.id, number, status: 'in_stock' }) as Promise<Row>
  return [await make(String(++copies)), await make(String(++copies))]
}

describe('the key desk', () => {
  it('takes no key by its number alone that keys of other systems have too, and says of which each is', async () => {
    const { page } = await asOwner()
    await page.goto('/key-desk')
    await page.getByRole('combobox', { name: 'Key or person' }).focus()
    await page.keyboard.type('GHS · 1')
    await page.keyboard.press('Enter')
    const systems = (await ask('locking-system?status=eq.active&limit=10')).map(({ name }) => name)
    const options = page.getByRole('option', { name: 'GHS · 1' })
    for (const system of systems)
      await options
        .filter({ hasText: system as string })
        .first()
        .waitFor()
    await settle(page)
    expect(await page.getByRole('button', { name: /^Hand out/ }).count()).toBe(0)
    await options.filter({ hasText: 'Zürich' }).click()
    await section(page, 'Hand out').waitFor()
  })

  it('hands out several keys at once without a mouse, prints the receipt, and takes them back with the deposit', async () => {
    const { page, context } = await asOwner()
    const [first, second] = await inStock(context)
    const [person] = await ask('individuals?status=eq.active&limit=1&order=display_name.desc')
    await page.goto('/key-desk')
    await scan(page, nameOf(first))
    await scan(page, nameOf(second))
    await scan(page, String(person?.display_name))
    await section(page, String(person?.display_name)).waitFor()
    const out = section(page, 'Hand out')
    await out.getByRole('button', { name: 'In a week' }).focus()
    await page.keyboard.press('Enter')
    await out.getByLabel('Deposit').fill('20')
    await expectAccessible(page)
    await out.getByRole('button', { name: 'Hand out 2 keys' }).focus()
    await page.keyboard.press('Enter')
    const receipt = page.getByRole('link', { name: 'Receipt to sign' })
    await receipt.waitFor()
    const pdf = await context.request.get(String(await receipt.getAttribute('href')))
    expect(pdf.headers()['content-type']).toBe('application/pdf')
    const issued = await ask(`keys?id=in.(${first.id},${second.id})`)
    expect(issued.map(({ status, individual_id: holder }) => [status, holder])).toEqual([
      ['issued', person?.id],
      ['issued', person?.id],
    ])

    await scan(page, nameOf(first))
    const back = section(page, 'Take back')
    await back.getByRole('link', { name: String(person?.display_name) }).waitFor()
    await scan(page, String(person?.display_name))
    await page.getByRole('button', { name: `Take back: ${nameOf(second)}` }).click()
    await back.getByText('Deposit to give back: 40').waitFor()
    await expectAccessible(page)
    await back.getByRole('button', { name: 'Take back 2 keys' }).click()
    await page.getByText(/^Back in stock:/).waitFor()
    expect((await ask(`keys?id=in.(${first.id},${second.id})`)).map(({ status }) => status)).toEqual([
      'in_stock',
      'in_stock',
    ])
  })

  it('lists what is overdue by person, with whom to write to, and prints a letter for each', async () => {
    const { page } = await asOwner()
    await page.addInitScript(() => {
      window.print = () => {
        document.title = `printed ${document.querySelectorAll('.print-alone .letter').length}`
      }
    })
    const today = new Date().toISOString().slice(0, 10)
    const overdue = await ask(`keys?status=eq.issued&due_back_on=lt.${today}&limit=100`)
    const holders = new Set(overdue.map(({ individual_id: id }) => id))
    expect(overdue.length).toBeGreaterThanOrEqual(10)
    await page.goto('/key-desk')
    await page.getByRole('heading', { name: `Overdue (${overdue.length})` }).waitFor()
    await settle(page)
    const mails = page.getByRole('link', { name: /^Remind by mail/ })
    expect(await mails.count()).toBeGreaterThan(0)
    expect(await mails.first().getAttribute('href')).toMatch(/^mailto:\S+@\S+\?subject=\S+&body=\S+/)
    // Two locking systems may each have a key of one name: the list, the mail and the letter say of which it is.
    const systems = (await ask('locking-system?limit=100')).map(({ name }) => String(name))
    const [first] = await page.locator('.overdue-people .located').allTextContents()
    expect(systems.some((name) => first?.endsWith(name))).toBe(true)
    const mail = decodeURIComponent((await mails.first().getAttribute('href')) ?? '')
    expect(systems.some((name) => mail.includes(`(${name})`))).toBe(true)
    expect(await page.getByRole('link', { name: `(${overdue.length})` }).getAttribute('href')).toContain('due_back_on=')
    await page.getByRole('button', { name: 'Print reminders' }).click()
    await expect.poll(() => page.title()).toBe(`printed ${holders.size}`)
  })
})

describe('a lost key', () => {
  it('leads from its report to who had it, what it opens, who else has one, the re-keying plan with its cost, and a letter', async () => {
    const { page } = await asOwner()
    await page.addInitScript(() => {
      window.print = () => {
        document.title = String(document.querySelector('.print-alone')?.textContent)
      }
    })
    const [key] = await ask('keys?status=eq.issued&key_type_code=like.G*&limit=1')
    if (!key) throw new Error('the demo has a master key that somebody holds')
    await page.goto(`/keys/${key.id}`)
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Report lost' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Report lost' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'What to do now' }).click()
    const doors = (await ask<{ opens: { access_points: Row[] } }>(`keys/${key.id}/opens`)).opens.access_points
    const plan = await ask<{ steps: Row[] }>(`keys/${key.id}/rekeying-plan`)
    await page.getByRole('tab', { name: 'Loss' }).waitFor()
    await settle(page)
    for (const heading of ['Who had it', 'What it opens', 'Who else has such a key', 'Re-keying plan', 'Letter']) {
      await page.getByRole('heading', { name: heading }).waitFor()
    }
    expect(await page.locator('.loss-building li').count()).toBe(doors.length)
    expect(await page.getByRole('table', { name: 'Re-keying plan' }).locator('tbody tr').count()).toBe(
      plan.steps.length,
    )
    await page.getByLabel('Cost of one cylinder').fill('100')
    await page.getByText(`Cost: ${(plan.steps.length * 100).toLocaleString('en-GB')}`).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Print letter' }).click()
    const system = await ask<Row>(`locking-system/${key.locking_system_id}`)
    await expect.poll(() => page.title()).toContain(`Loss of key ${nameOf(key)} (${system.name})`)
    const door = await ask<Row>(`access-points/${doors[0]?.id}`)
    expect(await page.title(), 'of doors of one name it is told which').toContain(`${door.label} · ${door.name}`)
  })
})
