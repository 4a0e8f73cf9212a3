import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { logIn } from './support/people.ts'
import { startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

const CSV =
  'Vorname;Nachname;Team;Art;external_id\nJürg;Müller;Personal ' +
  '007;;page-1\nZoë;Ångström;;visitor;page-2\nA;B;;alien;page-3\n'
const count = (page: Page, name: string) => page.locator(`[data-count="${name}"]`)

describe('a file', () => {
  it('is tried, its columns are set right, and it is imported; what failed comes back as a file', async () => {
    const { page, context } = await open(site)
    await logIn(context, site, site.email, site.password)
    await page.goto('/import')
    await page.getByRole('combobox', { name: 'What the rows are' }).click()
    await page.getByRole('option', { name: 'People', exact: true }).click()
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) })
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByRole('button', { name: 'Import', exact: true }).waitFor()
    expect([await count(page, 'created').textContent(), await count(page, 'failed').textContent()]).toEqual(['2', '1'])
    expect(await page.getByRole('combobox', { name: 'Vorname' }).inputValue()).toBe('Given name')
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Team' }).click()
    await page.getByRole('option', { name: 'Department', exact: true }).click()
    await page.getByRole('button', { name: 'Try again with these columns' }).click()
    await page.getByRole('button', { name: 'Try again with these columns' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('imported but for the rows that failed').waitFor()
    const answer = await fetch(`${site.url}/api/v1/individuals?external_id=like.page-*&order=external_id`, {
      headers: { authorization: `Token ${site.token}` },
    })
    const { data } = (await answer.json()) as { data: Array<Record<string, unknown>> }
    expect(data.map(({ display_name, department }) => [display_name, department])).toEqual([
      ['Jürg Müller', 'Personal 007'],
      ['Zoë Ångström', null],
    ])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the rows that failed' }).click(),
    ])
    expect(await readFile((await download.path()) as string, 'utf8')).toContain('page-3')
    await expectAccessible(page)
  })
})
