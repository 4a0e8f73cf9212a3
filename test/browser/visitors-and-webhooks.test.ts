import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { pressOn } from './support/keyboard.ts'
import { limitedTo } from './support/limited.ts'
import { call, logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startDemoSite } from './support/site.ts'

/** Takes messages, or not, as long as it is told to refuse them. */
let isRefusing = true
const received: string[] = []
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    if (!isRefusing) received.push(String(request.headers['webhook-id']))
    response.writeHead(isRefusing ? 500 : 200).end(isRefusing ? 'out of order' : 'taken')
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`

const site = await startDemoSite({ OUTGOING_ALLOW: '127.0.0.1' })
afterAll(async () => {
  await site.stop()
  receiver.close()
})
const { open } = browsing()

const asOwner = async () => {
  const opened = await open(site)
  await logIn(opened.context, site, site.email, site.password)
  return opened
}

const person = (context: BrowserContext, display_name: string, kind = 'employee') =>
  call(context, site, '/api/v1/individuals', { display_name, kind })

async function choose(page: Page, label: string, text: string) {
  await page.getByRole('dialog').getByRole('combobox', { name: label, exact: true }).fill(text)
  await page.getByRole('option', { name: text }).first().click()
}

describe('a visitor', () => {
  it('who goes to two buildings is expected at each, by whoever sees one of them', async () => {
    const { context } = await asOwner()
    const visitor_id = (await person(context, 'Tilda Two', 'visitor')).id
    const host_id = (await person(context, 'Henrik Host')).id
    const permissions = ['visits:read', 'visits:write', 'visits:receive', 'individuals:read', 'buildings:read']
    const { building, email, password } = await limitedTo(context, site, { permissions })
    const other = await call(context, site, '/api/v1/buildings', { name: 'Annexe', location_id: building.location_id })
    const places = [building.id, other.id].map((id) => ({ building_id: id }))
    const window = { valid_from: '2020-01-01T00:00:00Z', valid_until: '2099-03-31T00:00:00Z' }
    const { id } = await call(context, site, '/api/v1/visits', { visitor_id, host_id, places, ...window })
    const reception = await open(site)
    await logIn(reception.context, site, email, password)
    await reception.page.goto(`/visits/${id}`)
    await reception.page.getByRole('heading', { level: 1, name: 'Tilda Two' }).waitFor()
    await reception.page.getByText('You see this in part').waitFor()
    await settle(reception.page)
    for (const name of ['Arrived', 'Show badge', 'Edit'])
      expect(await reception.page.getByRole('button', { name, exact: true }).count()).toBe(0)
  })

  it('is announced, gets a badge with a QR code to print, arrives and leaves', async () => {
    const { page, context } = await asOwner()
    await page.addInitScript(() => {
      window.print = () => {
        document.title = `printed ${document.querySelector('.print-alone')?.textContent}`
      }
    })
    await person(context, 'Vera Visitor', 'visitor')
    await person(context, 'Hanna Host')
    const { building } = await limitedTo(context, site, { permissions: ['buildings:read'] })
    await page.goto('/visits?new=1')
    const form = page.getByRole('dialog', { name: 'Announce visit' })
    await choose(page, 'Visitor', 'Vera Visitor')
    await choose(page, 'Host', 'Hanna Host')
    await form
      .getByLabel(/^Valid from(?!:)/)
      .first()
      .fill('01.01.2020')
    await form
      .getByLabel(/^Valid until(?!:)/)
      .first()
      .fill('31.03.2099')
    await page.keyboard.press('Tab')
    await choose(page, 'Building', String(building.name))
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Announce visit' }).click()
    await page.getByRole('heading', { level: 1, name: 'Vera Visitor' }).waitFor()
    await pressOn(page, page.getByRole('button', { name: 'Edit' }))
    const edited = page.getByRole('dialog', { name: 'Edit visit' })
    await edited.getByRole('textbox', { name: 'Purpose' }).fill('Looks at the lift')
    // Where they may go stays as it was announced.
    expect(await edited.getByRole('combobox', { name: 'Building' }).count()).toBe(0)
    await edited.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Looks at the lift').first().waitFor()
    await pressOn(page, page.getByRole('button', { name: 'Show badge' }))
    await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Show badge' }))
    const badge = page.getByRole('dialog', { name: 'Visitor badge' })
    await badge.getByRole('img', { name: 'QR code of this visit' }).waitFor()
    await expectAccessible(page)
    await badge.getByRole('button', { name: 'Print badge' }).click()
    await expect.poll(() => page.title()).toContain('Vera Visitor')
    await badge.getByRole('button', { name: 'Done' }).click()
    for (const step of ['Arrived', 'Left']) {
      await pressOn(page, page.getByRole('button', { name: step, exact: true }))
      await pressOn(page, page.getByRole('dialog').getByRole('button', { name: step, exact: true }))
      await page.getByRole('main').getByText(step, { exact: true }).first().waitFor()
    }
    await settle(page)
    expect(await page.getByRole('button', { name: 'Show badge' }).count()).toBe(0)
  })

  it('is none that whoever is limited to a building may see, and a reception without the right to make visits makes none', async () => {
    const { context } = await asOwner()
    const lou = await limitedTo(context, site, { permissions: ['visits:read', 'visits:receive', 'buildings:read'] })
    const opened = await open(site)
    await logIn(opened.context, site, lou.email, lou.password)
    await opened.page.goto('/visits')
    await opened.page.getByText('No visit that you may see has been announced').waitFor()
    expect(await opened.page.getByRole('button', { name: 'Announce visit' }).count()).toBe(0)
  })
})

describe('a webhook', () => {
  it('is made with its secret shown once, tested, fails, and is replayed', async () => {
    const { page, context } = await asOwner()
    await page.goto('/webhooks?new=1')
    const form = page.getByRole('dialog', { name: 'Create webhook' })
    await form.getByRole('textbox', { name: 'Address' }).fill(url)
    await form
      .getByLabel(/^What is sent/)
      .first()
      .fill('individual.*')
    await page.keyboard.press('Enter')
    await form.getByRole('button', { name: 'Create' }).click()
    await page
      .getByLabel('Secret', { exact: true })
      .getByText(/^whsec_/)
      .waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button').last().click()
    await pressOn(page, page.getByRole('button', { name: 'Send a test' }))
    await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Send a test' }))
    await page.getByRole('dialog').getByText('out of order').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    await page.getByRole('tab', { name: 'Deliveries' }).click()
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Failed').first().waitFor()
    await expectAccessible(page)
    isRefusing = false
    const made = await person(context, 'Ned News')
    expect(made.id).toBeDefined()
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Replay' }).click()
    await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Replay' }))
    await expect.poll(() => received.length, { timeout: 10_000 }).toBeGreaterThan(0)
    await page.reload()
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Delivered').first().waitFor()
  })
})
