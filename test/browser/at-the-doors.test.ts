import type { BrowserContext } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { pressOn } from './support/keyboard.ts'
import { limitedTo } from './support/limited.ts'
import { call, logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

type Row = Record<string, string> & { id: string }

async function ask(context: BrowserContext, path: string): Promise<Row[]> {
  const answer = await context.request.get(`${site.url}/api/v1/${path}`)
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()).data
}

const asOwner = async () => {
  const opened = await open(site)
  await logIn(opened.context, site, site.email, site.password)
  const [system] = await ask(opened.context, 'access-control-systems?kind=eq.simulator&order=name&limit=1')
  const [door] = await ask(opened.context, `access-points?access_control_system_id=eq.${system?.id}&order=id&limit=1`)
  if (!system || !door) throw new Error('the demo has a simulated system with doors')
  return { ...opened, system, door }
}

const asSomebody = async ({ email, password }: { email: string; password: string }) => {
  const opened = await open(site)
  await logIn(opened.context, site, email, password)
  return opened
}

describe('a door', () => {
  it('is unlocked, blocked and set back to normal from afar by keyboard, with what came of it', async () => {
    const { page, door } = await asOwner()
    await page.goto(`/access-points/${door.id}`)
    const controls = page.getByRole('region', { name: 'From afar' })
    for (const [button, title] of [
      ['Unlock for a moment', /^Unlock “/],
      ['Block', /^Block “/],
      ['Back to normal', /^Set “.* back to normal\?$/],
    ] as const) {
      await pressOn(page, controls.getByRole('button', { name: button, exact: true }))
      const dialog = page.getByRole('dialog', { name: title })
      await pressOn(page, dialog.getByRole('button', { name: button, exact: true }))
      const result = controls.getByRole('status').filter({ hasText: `${button}: what came of it` })
      await result.getByText('Confirmed').waitFor()
      if (button === 'Block') await page.getByRole('region', { name: 'State' }).getByText('Blocked').waitFor()
    }
    await page.getByRole('region', { name: 'Last events' }).getByText('Door released').first().waitFor()
    await expectAccessible(page)
  })

  it('that nothing is connected to offers nothing that is then refused, nor to whoever may not', async () => {
    const { context, door } = await asOwner()
    const reads = ['access-points:read', 'buildings:read', 'access-points:unlock', 'access-events:read'] as const
    const lou = await limitedTo(context, site, { permissions: reads })
    const { page } = await asSomebody(lou)
    await page.goto(`/access-points/${lou.door.id}`)
    await page.getByText('No system drives this door').waitFor()
    await settle(page)
    expect(await page.getByRole('button', { name: 'Block' }).count()).toBe(0)
    expect(await page.getByText('Nothing has happened yet').count()).toBe(0)
    await page.goto(`/access-points/${door.id}`)
    await page.getByText('There is nothing here').waitFor()
  })
})

describe('an emergency', () => {
  it('says before it starts what it does and at how many doors; people are mustered, marked as safe, and it is released', async () => {
    const { page, context } = await asOwner()
    const { building, door } = await limitedTo(context, site, { permissions: ['buildings:read'] })
    const name = String(building.name)
    // Nobody whom the demo sends about.
    const person = await call(context, site, '/api/v1/individuals', { display_name: 'Olga Olsen' })
    await call(context, site, '/api/v1/access-events', {
      type: 'access.granted',
      access_point_id: door.id,
      individual_id: person.id,
      direction: 'in',
    })
    await page.goto('/lockdowns')
    // Every campus has a main building.
    await expect.poll(() => page.locator('.data-table tbody').textContent()).toMatch(/Hauptgebäude Campus/)
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Start a lockdown, evacuation or drill' })
    await form.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Drill' }).click()
    await form.getByRole('combobox', { name: 'Building' }).fill(name)
    await page.getByRole('option', { name }).first().click()
    await form.getByRole('button', { name: 'Start' }).click()
    const question = page.getByRole('dialog', { name: 'Start a drill?' })
    await question.getByText('No door is touched.').waitFor()
    await question.getByText(/^Doors that it concerns: [1-9]/).waitFor()
    await expectAccessible(page)
    await pressOn(page, question.getByRole('button', { name: 'Start' }))
    await pressOn(page, page.getByRole('link', { name: 'Open the muster list' }))
    const missed = page.getByRole('region', { name: /^Unaccounted for/ })
    await missed.getByRole('link', { name: 'Olga Olsen' }).waitFor()
    await expectAccessible(page)
    await pressOn(page, missed.getByRole('button', { name: /^Mark as safe/ }))
    await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Mark as safe' }))
    await missed.getByRole('link', { name: 'Olga Olsen' }).waitFor({ state: 'detached' })
    await page.goBack()
    await pressOn(page, page.getByRole('button', { name: 'Release' }))
    await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Release' }))
    await page.getByText('Released', { exact: true }).first().waitFor()
  })
})

describe('a simulated system', () => {
  it('says how it is and is played with: a card, a forced door, offline and its clock', async () => {
    const { page, system, door } = await asOwner()
    await page.goto(`/access-control-systems/${system.id}`)
    await page.getByRole('region', { name: 'On the device' }).getByText('Clock', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Play' }).click()
    const at = page.getByRole('region', { name: 'At a door' })
    await at.getByRole('combobox', { name: 'Access point' }).fill(String(door.name))
    await page.getByRole('option').first().click()
    await at.getByLabel('Card number').fill('no-such-card')
    await pressOn(page, at.getByRole('button', { name: 'Swipe card' }))
    await page.getByText('Denied: Unknown credential').waitFor()
    await pressOn(page, at.getByRole('button', { name: 'Force' }))
    await page.getByText('Force: done').waitFor()
    const controller = page.getByRole('region', { name: 'The controller' })
    await controller.getByLabel('Minutes ahead').fill('90')
    await controller.getByRole('button', { name: 'Turn clock' }).click()
    await page.getByText('Turn clock: done').waitFor()
    await controller.getByRole('button', { name: 'Take offline' }).click()
    await controller.getByText('Offline').waitFor()
    await expectAccessible(page)
    await controller.getByRole('button', { name: 'Bring online' }).click()
    await controller.getByText('Online').waitFor()
    await page.goto('/live')
    await page
      .getByRole('region', { name: /^Alarms/ })
      .getByText('Forced open')
      .first()
      .waitFor()
  })
})
