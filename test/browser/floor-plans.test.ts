import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { pressOn } from './support/keyboard.ts'
import { limitedTo } from './support/limited.ts'
import { call, logIn } from './support/people.ts'
import { startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

const asOwner = async () => {
  const opened = await open(site)
  await logIn(opened.context, site, site.email, site.password)
  return opened
}

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200"><script>alert(1)</script><rect width="400" ' +
  'height="200" fill="#eee"/></svg>'
const file = (name: string, text: string | Buffer, mimeType = 'image/svg+xml') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
})
const marker = (page: Page, name: string | RegExp) =>
  page.getByRole('group', { name: /^Doors: / }).getByRole('button', { name })
/** Where a door is on the plan, as the service has it. */
async function spot(page: Page, building: string): Promise<{ x: number; y: number } | undefined> {
  const ask = async (path: string) => (await (await page.request.get(`${site.url}/api/v1/${path}`)).json()).data
  const [plan] = await ask(`floor-plans?building_id=eq.${building}`)
  return (await ask(`floor-plans/${plan.id}/positions`))[0]
}

describe('floor plans of a building', () => {
  it('are made, drawn, replaced and deleted; doors are placed by mouse and by keyboard', async () => {
    const { page, context } = await asOwner()
    const { building, door } = await limitedTo(context, site, { permissions: ['buildings:read'] })
    const name = String(door.name)
    await page.goto(`/buildings/${building.id}?tab=plans`)
    await page.getByText('No floor plan yet').waitFor()
    await expectAccessible(page)
    await pressOn(page, page.getByRole('button', { name: 'Add floor plan' }))
    const form = page.getByRole('dialog')
    await form.getByLabel('Floor').fill('1')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Drop an image here').waitFor()
    await expectAccessible(page)

    const input = page.locator('input[type=file]')
    await input.setInputFiles(file('plan.txt', 'no image', 'text/plain'))
    await page.getByRole('alert').getByText('Only SVG and PNG are taken.').waitFor()
    await input.setInputFiles(file('plan.png', 'no image', 'image/png'))
    await page.getByText('The image is no PNG').waitFor()
    await input.setInputFiles(file('plan.svg', SVG))
    await page.getByText('without what is not safe: script').waitFor()
    await page.getByText('No door is on this plan yet.').waitFor()
    const image = page.locator('.floor-plan img')
    await expect
      .poll(() => image.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight]))
      .toEqual([400, 200])

    await pressOn(page, page.getByRole('button', { name: 'Place doors' }))
    await pressOn(page, page.getByRole('button', { name: `Put ${name} on the plan` }))
    await marker(page, `${name}: 50 % from the left, 50 % from the top`).waitFor()
    await expectAccessible(page)
    // It has the focus: it is moved at once.
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp', 'Shift+ArrowRight']) await page.keyboard.press(key)
    await expect.poll(() => spot(page, String(building.id))).toMatchObject({ x: 0.522, y: 0.49 })

    const mark = await marker(page, new RegExp(`^${name}`)).boundingBox()
    const sheet = await image.boundingBox()
    if (!mark || !sheet) throw new Error('the plan is on the screen')
    await page.mouse.move(mark.x + mark.width / 2, mark.y + mark.height / 2)
    await page.mouse.down()
    await page.mouse.move(sheet.x + sheet.width * 0.3, sheet.y + sheet.height * 0.5, { steps: 4 })
    await page.mouse.move(sheet.x + sheet.width * 0.25, sheet.y + sheet.height * 0.75, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => Math.round(((await spot(page, String(building.id)))?.x ?? 0) * 100)).toBe(25)
    expect(Math.round(((await spot(page, String(building.id)))?.y ?? 0) * 100)).toBe(75)
    await page.keyboard.press('Delete')
    await page.getByRole('button', { name: `Put ${name} on the plan` }).waitFor()
    await pressOn(page, page.getByRole('button', { name: 'Done' }))

    await page.locator('input[type=file]').setInputFiles(file('other.svg', SVG.replace('0 0 400 200', '0 0 300 300')))
    await expect
      .poll(() => image.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight]))
      .toEqual([300, 300])
    await pressOn(page, page.getByRole('button', { name: 'Delete plan' }))
    await expectAccessible(page)
    await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Delete plan' }))
    await page.getByText('No floor plan yet').waitFor()
  })
})

describe('the live plan', () => {
  it('shows a door that is forced as it happens, is walked through by keys, and opens what can be done there', async () => {
    const { page, context } = await asOwner()
    await page.goto('/live')
    await pressOn(page, page.getByRole('link', { name: 'Floor plans' }))
    const doors = page.getByRole('group', { name: /^Doors: / })
    const locked = doors.getByRole('button', { name: /: Locked$/ })
    await locked.first().waitFor()
    await expectAccessible(page)
    const name = String(await locked.first().getAttribute('aria-label')).replace(/: Locked$/, '')
    const [door] = (
      await (
        await page.request.get(`${site.url}/api/v1/access-points?search=${encodeURIComponent(name.replace('·', ' '))}`)
      ).json()
    ).data
    await call(context, site, '/api/v1/access-events', { type: 'door.forced', access_point_id: door.id })
    const forced = doors.getByRole('button', { name: `${name}: Alarm`, exact: true })
    await forced.waitFor()
    expect(await forced.getAttribute('data-look')).toBe('alarm')

    // Into the plan by one Tab, from door to door by arrows.
    const reached = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    await doors.locator('button[tabindex="0"]').focus()
    const first = await reached()
    await page.keyboard.press('ArrowRight')
    const next = await reached()
    expect(next).not.toBe(first)
    expect(next).toMatch(/: (Locked|Unlocked|Open|Alarm|Offline|Blocked|Mechanical|Lockdown|Evacuation)$/)
    expect(await doors.locator('button[tabindex="0"]').count()).toBe(1)
    await forced.focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name })
    await panel.getByText('Forced open').first().waitFor()
    await panel.getByRole('button', { name: 'Block' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect.poll(reached).toBe(`${name}: Alarm`)

    const emergency = await call(context, site, '/api/v1/lockdowns', {
      kind: 'evacuation',
      building_id: door.building_id,
    })
    await doors
      .getByRole('button', { name: /: Evacuation$/ })
      .first()
      .waitFor()
    await call(context, site, `/api/v1/lockdowns/${emergency.id}/release`)
    await locked.first().waitFor()

    const sheet = page.locator('.floor-plan')
    const before = (await sheet.boundingBox())?.width ?? 0
    await page.keyboard.press('+')
    expect((await sheet.boundingBox())?.width ?? 0).toBeGreaterThan(before * 1.3)
    await page.keyboard.press('0')
    expect(Math.round((await sheet.boundingBox())?.width ?? 0)).toBe(Math.round(before))
  })

  it('says to whoever is limited what they do not see, and offers nothing that is refused', async () => {
    const { context } = await asOwner()
    const lou = await limitedTo(context, site, { permissions: ['buildings:read', 'floor-plans:read'] })
    const plan = await call(context, site, '/api/v1/floor-plans', { building_id: lou.building.id, floor: 0 })
    const { page, context: own } = await open(site)
    await logIn(own, site, lou.email, lou.password)
    await page.goto(`/buildings/${lou.building.id}?tab=plans`)
    await page.getByText('This plan has no image yet').waitFor()
    expect(await page.getByRole('button', { name: /Add floor plan|Delete|Choose an image/ }).count()).toBe(0)
    const put = await context.request.put(`${site.url}/api/v1/floor-plans/${plan.id}/image`, {
      headers: { origin: site.url, 'content-type': 'image/svg+xml' },
      data: SVG,
    })
    expect(put.status()).toBe(200)
    await page.goto('/live/plans')
    await page.getByText('You may not see doors here').waitFor()
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Building' }).inputValue())
      .toBe(String(lou.building.name))
    expect(await page.getByText('No door is on this plan yet.').count()).toBe(0)
    await expectAccessible(page)
  })
})

it('a door that has moved to another building is on its old plan no more', async () => {
  const { page, context } = await asOwner()
  const read = async (path: string) => (await (await page.request.get(`${site.url}/api/v1/${path}`)).json()).data
  const [placed] = await read('floor-plan-positions?limit=1')
  const door = await read(`access-points/${placed.access_point_id}`)
  const { space } = await limitedTo(context, site, { permissions: ['buildings:read'] })
  await page.goto(`/live/plans?plan=${placed.floor_plan_id}`)
  const doors = page
    .getByRole('group', { name: /^Doors: / })
    .getByRole('button', { name: new RegExp(`^${door.label} `) })
  await doors.waitFor()
  const moved = await page.request.patch(`${site.url}/api/v1/access-points/${door.id}`, {
    headers: { origin: site.url },
    data: { space_id: space.id },
  })
  expect(moved.status()).toBe(200)
  await doors.waitFor({ state: 'detached' })
})
