import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { call, logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startDemoSite } from './support/site.ts'

// What people stumbled over at work.

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

type Row = Record<string, string> & { id: string }

const asOwner = async (look?: Parameters<typeof open>[1]) => {
  const opened = await open(site, look)
  await logIn(opened.context, site, site.email, site.password)
  return {
    ...opened,
    make: (path: string, data: object) => call(opened.context, site, `/api/v1/${path}`, data) as Promise<Row>,
  }
}

async function ask<T = Row[]>(path: string): Promise<T> {
  const answer = await fetch(`${site.url}/api/v1/${path}`, { headers: { authorization: `Token ${site.token}` } })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { data: T }).data
}

async function pick(page: Page, label: string, text: string) {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.keyboard.type(text)
  await page.locator('[role="option"][data-combobox-selected]').first().waitFor()
  await page.keyboard.press('Enter')
}

describe('a grant', () => {
  it('is given on a floor, weekdays by a schedule, until the end of a day, door by door, with what it changes', async () => {
    const { page } = await asOwner()
    const [building] = await ask('buildings?limit=1&parent_id=is.null')
    const doors = await ask(`access-points?within_building=${building?.id}&floor=eq.1&limit=100`)
    await page.goto('/access-grants?new=1')
    const form = page.getByRole('dialog', { name: 'Create access grant' })
    await form.waitFor()
    await pick(page, 'Access group', 'Chemistry department')
    await pick(page, 'Building', 'Hauptgebäude')
    await form.getByLabel('Floor').fill('1')
    await form.getByLabel('Valid until', { exact: true }).fill('31.03.2099')
    await form.getByLabel('Reason').fill('Cleaning on floor 1')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'What this changes' })
    await question.getByText(/^\d+ people gain \d+ doors?$/).waitFor()
    await question.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText(/access grants created$/).waitFor()
    const made = await ask('access-grants?reason=eq.Cleaning%20on%20floor%201&limit=100')
    expect(made.length).toBe(doors.length)
    // The last moment of March by the clock of Zurich.
    for (const { valid_until: until } of made) expect(until).toBe('2099-03-31T22:00:00.000Z')
  })

  it('whose time is over already says so before it is saved', async () => {
    const { page } = await asOwner()
    await page.goto('/access-grants?new=1')
    await page.getByRole('dialog').getByLabel('Valid until', { exact: true }).fill('01.01.2020')
    await page.getByText('That moment has passed').waitFor()
    await expectAccessible(page)
  })
})

describe('people', () => {
  it('who leave and still have keys say so until those are back', async () => {
    const { page, make } = await asOwner()
    const [key] = await ask('keys?status=eq.in_stock&limit=1')
    const person = await make('individuals', { given_name: 'Leo', family_name: 'Leaver' })
    await make(`keys/${key?.id}/issue`, { individual_id: person.id })
    await page.goto(`/individuals/${person.id}`)
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Offboard' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 key must be taken back by hand').waitFor()
    await dialog.getByLabel('Last day').fill('31.12.2099')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Offboard' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('alert').getByText('One key is still out').waitFor()
    await page.getByRole('tab', { name: 'Keys held' }).click()
    await page.getByRole('link', { name: 'Issue keys' }).click()
    await page.waitForURL(`**/key-desk?person=${person.id}`)
    await page.getByRole('region', { name: 'Leo Leaver' }).getByText(`${key?.key_type_code} · ${key?.number}`).waitFor()
  })

  it('get a card whose number is read in the form in which it is printed', async () => {
    const { page, make } = await asOwner()
    const person = await make('individuals', { given_name: 'Cara', family_name: 'Card' })
    await page.goto(`/individuals/${person.id}`)
    await page.getByRole('button', { name: 'Issue card' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Number', exact: true }).fill('108,04799')
    await dialog
      .getByRole('button', { name: /^Use number 4799, facility 108/ })
      .first()
      .click()
    expect(await dialog.getByLabel('Facility code').inputValue()).toBe('108')
    await dialog.getByRole('button', { name: 'Issue card' }).click()
    await page.getByText('Issued to Cara Card').waitFor()
    expect(await ask(`credentials?individual_id=eq.${person.id}`)).toMatchObject([
      { number: '4799', facility_code: '108' },
    ])
  })
})

describe('locks', () => {
  it('a cylinder that is put into a door is installed, and the empty plan offers its first step', async () => {
    const { page, make } = await asOwner()
    const [building] = await ask('buildings?limit=1')
    const system = await make('locking-system', { name: 'New locks', building_id: building?.id })
    await page.goto(`/locking-system/${system.id}?tab=plan`)
    await page.getByRole('button', { name: 'Create cylinder' }).click()
    const form = page.getByRole('dialog', { name: 'Create cylinder' })
    await form.getByRole('textbox', { name: 'Number', exact: true }).fill('1')
    await pick(page, 'Access point', 'HG')
    expect(await form.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('Installed')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: 'Create key type' }).waitFor()
  })
})

describe('notes and searches', () => {
  it('a note never lies over the buttons of a drawer, nor stays because the pointer is there', async () => {
    const { page, make } = await asOwner()
    const space = (await ask('spaces?limit=1'))[0]
    await page.goto(`/spaces/${space?.id}?tab=access-points`)
    for (const name of ['Note door one', 'Note door two']) {
      await page.getByRole('button', { name: 'Create access point' }).click()
      const form = page.getByRole('dialog', { name: 'Create access point' })
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
      await form.getByRole('textbox', { name: 'Label', exact: true }).fill(name.replaceAll(' ', '-'))
      // A note of the one before would take the click.
      await form.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText(`“${name.replaceAll(' ', '-')} · ${name}” created`).waitFor()
    }
    const note = page.locator('.mantine-Notification-root').last()
    expect(await note.evaluate((element) => getComputedStyle(element).pointerEvents)).toBe('none')
    expect(await make('individuals', { given_name: 'Any', family_name: 'Body' })).toBeTruthy()
  })

  it('nothing of what scrolls in a drawer lies over its buttons', async () => {
    const { page } = await asOwner({ size: 'narrow' })
    const [calendar] = await ask('calendars?limit=1')
    await page.goto(`/calendars/${calendar?.id}`)
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await settle(page)
    const covered = await page.getByRole('dialog').evaluate((drawer) => {
      const buttons = drawer.querySelector('.body-form-buttons') as Element
      const { left, right, top, height } = buttons.getBoundingClientRect()
      const across = Array.from({ length: 20 }, (_, index) => left + 1 + ((right - left - 2) * index) / 19)
      const moving = [...drawer.querySelectorAll('*')].find(
        (part) => part.scrollHeight > part.clientHeight + 100,
      ) as Element
      const found: string[] = []
      for (let to = 0; to < 200; to += 7) {
        moving.scrollTop = to
        if (moving.scrollTop !== to) found.push('it does not scroll')
        for (const x of across) {
          const hit = document.elementFromPoint(x, top + height / 2)
          if (!hit || !buttons.contains(hit)) found.push(`${hit?.outerHTML.slice(0, 80)} at ${to}`)
        }
      }
      return found
    })
    expect(covered).toEqual([])
  })

  it('the palette finds a key as it is written, and says when nobody answers', async () => {
    const { page, watch } = await asOwner()
    const [key] = await ask('keys?limit=1&order=key_type_code.desc')
    const name = `${key?.key_type_code} · ${key?.number}`
    await page.goto('/')
    await settle(page)
    await page.keyboard.press('Control+k')
    await page.keyboard.type(name)
    await page.getByRole('option', { name }).first().waitFor()
    watch.allow(/./)
    await page.route('**/api/**', (route) => route.abort())
    await page.keyboard.type(' x')
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor({ timeout: 30_000 })
  })

  it('a page that was never opened shows our own words when the service is away', async () => {
    const { page, watch } = await asOwner()
    await page.goto('/')
    await settle(page)
    watch.allow(/./)
    await page.route('**/*', (route) => route.abort())
    await page.getByRole('link', { name: 'Key desk' }).click()
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor({ timeout: 30_000 })
  })

  it('days are typed and shown as their reader writes them, or chosen by keyboard from a month', async () => {
    const { page } = await asOwner({ locale: 'de-CH' })
    await page.goto('/individuals?new=1')
    const form = page.getByRole('dialog')
    const day = form.getByLabel('Gültig bis', { exact: true })
    await day.fill('4.5.2099')
    await day.blur()
    expect(await day.inputValue()).toBe('04.05.2099')
    await day.focus()
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByRole('table', { name: 'Mai 2099' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('PageDown')
    await page.keyboard.press('Enter')
    expect(await day.inputValue()).toBe('05.06.2099')
  })
})

describe('places', () => {
  it('a building of which there are several says of which campus it is', async () => {
    const { page } = await asOwner()
    const [person] = await ask('individuals?building_id=not.is.null&limit=1')
    const [building] = await ask(`buildings?id=eq.${person?.building_id}`)
    const [campus] = await ask(`locations?id=eq.${building?.location_id}`)
    await page.goto(`/individuals/${person?.id}`)
    const fact = page.locator('.facts > div').filter({ has: page.getByText('Building', { exact: true }) })
    await fact.getByText(String(campus?.name)).waitFor()
    expect(await fact.getByRole('link').textContent()).toBe(building?.name)
  })

  it('a new space is in the tree at once, is found there, and its page is beside it', async () => {
    const { page } = await asOwner()
    const [building] = await ask('buildings?name=eq.Chemistry%20building&limit=1')
    await page.goto(`/locations?selected=${building?.id}`)
    await page.getByRole('button', { name: 'Create space' }).click()
    const form = page.getByRole('dialog', { name: 'Create space' })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Balance room')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    const space = page.getByRole('treeitem', { name: /^Balance room/ })
    await space.click()
    await page.getByRole('heading', { level: 2, name: 'Balance room' }).waitFor()
    await expectAccessible(page)
    // Whoever shares the link shows the same.
    await page.reload()
    await space.waitFor()
    expect(await space.getAttribute('aria-selected')).toBe('true')
    await page.getByRole('searchbox', { name: 'Find a location, building or space' }).fill('balance ro')
    await expect.poll(() => page.getByRole('treeitem', { name: /Space$/ }).count()).toBe(1)
  })

  it('the tabs of a building count what is in its wings, all alike', async () => {
    const { page, make } = await asOwner()
    const [location] = await ask('locations?limit=1')
    const house = await make('buildings', { name: 'Winged house', location_id: location?.id })
    const wing = await make('buildings', { name: 'Only wing', location_id: location?.id, parent_id: house.id })
    const space = await make('spaces', { name: 'Wing hall', building_id: wing.id })
    const door = await make('access-points', { name: 'Wing door', space_id: space.id })
    await make('locking-system', { name: 'Wing locks', building_id: wing.id })
    const [group] = await ask('access-groups?limit=1')
    await make('access-grants', { access_group_id: group?.id, access_point_id: door.id })
    await page.goto(`/buildings/${house.id}`)
    for (const name of ['Spaces', 'Access points', 'Wings', 'Locking systems', 'Access grants']) {
      await page.getByRole('tab', { name: new RegExp(`^${name}\\s*1$`) }).waitFor()
    }
  })
})

describe('words and days', () => {
  it('built-in roles have German names for a German reader, wherever they are named', async () => {
    const { page, make } = await asOwner({ locale: 'de-CH' })
    const [role] = await ask('roles?name=eq.Facility%20manager')
    const user = await make('users', { email: 'jo@example.com', name: 'Jo' })
    await make('role-assignments', { role_id: role?.id, user_id: user.id })
    for (const address of [
      '/user-management/roles',
      `/user-management/roles/${role?.id}`,
      `/user-management/users/${user.id}?tab=roles`,
    ]) {
      await page.goto(address)
      await page.getByText('Gebäudeverwaltung', { exact: true }).first().waitFor()
      await settle(page)
      expect(await page.getByRole('main').textContent(), address).not.toContain('Facility manager')
    }
    await page.goto(`/user-management/users/${user.id}`)
    await page.getByRole('button', { name: 'Rolle zuweisen' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Rolle', exact: true }).click()
    await page.getByRole('option', { name: 'Gebäudeverwaltung' }).waitFor()
    await page.goto('/profile')
    await page.getByText('Gesamtverantwortung', { exact: true }).waitFor()
  })

  it('a token ends with a day of the organization, not of Greenwich', async () => {
    const { page } = await asOwner()
    const [user] = await ask('service-users?limit=1')
    await page.goto(`/user-management/service-users/${user?.id}?tab=tokens`)
    await page.getByRole('button', { name: 'Create Token' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create Token' })
    await form.getByText('in Europe/Zurich').waitFor()
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Until the day is over')
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    await form.getByRole('textbox', { name: 'Expires', exact: true }).fill(day.split('-').reverse().join('.'))
    await form.getByRole('button', { name: 'Create Token' }).click()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    const [token] = await ask(`service-users/${user?.id}/tokens?name=eq.Until%20the%20day%20is%20over`)
    const local = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Zurich', dateStyle: 'short', timeStyle: 'medium' })
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    expect(local.format(new Date(String(token?.expires_at)))).toBe(`${next} 00:00:00`)
  })
})

it('a time is told and typed as people count it', async () => {
  const { page, make } = await asOwner()
  const [space] = await ask('spaces?limit=1')
  const door = await make('access-points', {
    name: 'Slow gate',
    space_id: space?.id,
    unlock_seconds: 90,
    held_open_seconds: 30,
  })
  await page.goto(`/access-points/${door.id}`)
  const fact = (name: string) =>
    page
      .locator('.facts > div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd')
  await fact('Unlock time').getByText('1 minute 30 seconds').waitFor()
  await fact('Held-open alarm after').getByText('30 seconds').waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  expect(await page.getByRole('dialog').getByRole('textbox', { name: 'Unlock time' }).inputValue()).toBe(
    '1 minute 30 seconds',
  )
  const dialog = page.getByRole('dialog')
  const held = dialog.getByRole('textbox', { name: 'Held-open alarm after' })
  await dialog.getByText('How long it may stand open').waitFor()
  await held.fill('soon')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Write it as 5 s, 2 min or 1 h 30 min, from 1 second to 1 day').waitFor()
  await held.fill('2 min')
  await dialog.getByRole('textbox', { name: 'Unlock time' }).focus()
  expect(await held.inputValue()).toBe('2 minutes')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await fact('Held-open alarm after').getByText('2 minutes').waitFor()
})

it('a door, a building and a key that have namesakes say at the head of their page which one is meant, and so does an order', async () => {
  const { page } = await asOwner()
  const head = page.locator('.page-header')
  const [campus] = await ask('locations?name=eq.Campus%20Zentrum')
  const [building] = await ask(`buildings?location_id=eq.${campus?.id}&name=eq.Hauptgeb%C3%A4ude`)
  await page.goto(`/buildings/${building?.id}?tab=spaces`)
  await head.getByText('Campus Zentrum').waitFor()
  const [key] = await ask('keys?limit=1')
  const [system] = await ask(`locking-system?id=eq.${key?.locking_system_id}`)
  await page.goto(`/keys/${key?.id}?tab=opens`)
  await head.getByText(String(system?.name)).waitFor()
  const [door] = await ask(`access-points?building_id=eq.${building?.id}&connectivity=eq.online&limit=1`)
  await page.goto(`/access-points/${door?.id}`)
  await head.getByText('Campus Zentrum / Hauptgebäude').waitFor()
  await page.getByRole('button', { name: 'Hold open' }).click()
  await page.getByRole('dialog').getByText('Campus Zentrum / Hauptgebäude').waitFor()
})

describe('on a tablet', () => {
  it('a list has its tools in one line and all its columns in sight, tabs are one line, and the navigation is behind a button', async () => {
    const { page } = await asOwner({ size: 'middle' })
    await page.goto('/individuals')
    await settle(page)
    const topOf = async (name: RegExp, role: 'button' | 'searchbox') =>
      (await page.getByRole('main').getByRole(role, { name }).first().boundingBox())?.y
    expect(await topOf(/^Create person/, 'button')).toBe(await topOf(/^Search people/, 'searchbox'))
    const hidden = () => page.locator('.table-frame').evaluate((frame) => frame.scrollWidth - frame.clientWidth)
    expect(await hidden()).toBeLessThanOrEqual(0)
    // An address that is broken twice makes three lines of every row.
    const heights = await page.locator('.data-table tbody tr').evaluateAll((all) => all.map((row) => row.clientHeight))
    expect(heights.length).toBe(25)
    expect(Math.max(...heights)).toBeLessThan(60)
    // Whose columns do not all fit: the last give way, and are there for whoever asks for them.
    await page.goto('/alarms')
    await expect.poll(hidden).toBeLessThanOrEqual(0)
    expect(await page.getByRole('columnheader', { name: 'Acknowledged by' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Acknowledged by', checked: false }).click()
    await page.getByRole('columnheader', { name: 'Acknowledged by' }).waitFor()
    const [door] = await ask('access-points?limit=1')
    await page.goto(`/access-points/${door?.id}`)
    await settle(page)
    const tops = await page.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top))
    expect(new Set(tops).size).toBe(1)
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name: 'Keys', exact: true })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
  })
})

describe('what is highlighted in an open list is readable', () => {
  const openers: Array<[what: string, address: string, open: (page: Page) => Promise<void>]> = [
    [
      'a picker with the paths of what it offers',
      '/spaces?new=1',
      (page) => page.getByRole('dialog').getByRole('combobox', { name: 'Building' }).click(),
    ],
    [
      'several chosen in one',
      '/access-grants?new=1',
      (page) => page.getByRole('dialog').getByRole('combobox', { name: 'Access group' }).click(),
    ],
    ['who can open', '/who-can-open', (page) => page.getByRole('main').getByRole('combobox').first().click()],
    ['the filters of a list', '/keys', (page) => page.getByRole('button', { name: 'Filter' }).click()],
  ]
  it.each(openers)('%s', async (_what, address, openIt) => {
    const { page } = await asOwner()
    await page.goto(address)
    await settle(page)
    await openIt(page)
    await page.keyboard.press('ArrowDown')
    await expectAccessible(page)
  })

  it('the palette, its first hit and its hints', async () => {
    const { page } = await asOwner()
    await page.goto('/')
    await settle(page)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('server')
    await page.getByRole('option').first().waitFor()
    await expectAccessible(page)
  })
})
