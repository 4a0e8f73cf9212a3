import { afterAll, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { pressOn } from './support/keyboard.ts'
import { logIn } from './support/people.ts'
import { startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

async function ask<T>(path: string, method = 'GET', body?: object): Promise<T> {
  const answer = await fetch(`${site.url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Token ${site.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { data: T }).data
}

/** A building with one door that three people open by grants of their own. */
async function kiosk(): Promise<string> {
  const location = await ask<{ id: string }>('locations', 'POST', { name: 'Pavilion' })
  const building = await ask<{ id: string }>('buildings', 'POST', { name: 'Kiosk', location_id: location.id })
  const space = await ask<{ id: string }>('spaces', 'POST', { name: 'Till', building_id: building.id })
  const [system] = await ask<Array<{ id: string }>>('access-control-systems?limit=1')
  await ask('access-points', 'POST', { name: 'Shutter', space_id: space.id, access_control_system_id: system?.id })
  for (const name of ['Ada', 'Ben', 'Cleo']) {
    const { id } = await ask<{ id: string }>('individuals', 'POST', {
      display_name: name,
      given_name: name,
      status: 'active',
    })
    await ask('access-grants', 'POST', { individual_id: id, building_id: building.id })
  }
  return building.id
}

it('an access review goes from its start to a signed report, by keyboard and several lines at once', async () => {
  const { id } = await ask<{ id: string }>('access-reviews', 'POST', {
    name: 'Kiosk 2099',
    building_id: await kiosk(),
    due_on: '2099-03-31',
  })
  const { page, context } = await open(site)
  await logIn(context, site, site.email, site.password)
  await page.goto(`/access-reviews/${id}?tab=lines`)
  await pressOn(page, page.getByRole('button', { name: 'Start', exact: true }))
  await page.getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click()
  const rows = page.getByRole('row', { name: /Kiosk/ })
  await rows.nth(2).waitFor()

  await pressOn(page, rows.first().getByRole('button', { name: /^Actions/ }))
  await page.getByRole('menuitem', { name: 'Confirm' }).press('Enter')
  await page.getByRole('row', { name: /Ada.*Confirmed/ }).waitFor()
  for (const row of [rows.nth(1), rows.nth(2)]) await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('row', { name: /Cleo.*Revoked/ }).waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Close', exact: true }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click()
  // What is signed is not decided again.
  await page.locator('.page-header').getByText('Closed', { exact: true }).waitFor()
  await page.getByRole('row', { name: /Ada.*Confirmed/ }).waitFor()
  expect(await page.getByRole('tabpanel').getByRole('checkbox').count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Actions/ }).count()).toBe(0)
  await page.goto(`/access-reviews/${id}`)
  await page.getByRole('link', { name: 'Signed report (JSON)' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Report as PDF' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`access-review-${id}.pdf`)
})
