import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { logIn } from './support/people.ts'
import { settle } from './support/settle.ts'
import { startDemoSite } from './support/site.ts'

const site = await startDemoSite()
afterAll(() => site.stop())
const { open } = browsing()

async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(`${site.url}/api/v1/${path}`, { headers: { authorization: `Token ${site.token}` } })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { data: T }).data
}

describe('who can open', () => {
  it('says who gets into the server room tonight, and why or why not, sentence by sentence', async () => {
    const { page, context } = await open(site)
    await logIn(context, site, site.email, site.password)
    const [grant] = await ask<Array<{ space_id: string }>>('access-grants?limit=1&reason=eq.On%20call')
    await page.goto(`/spaces/${grant?.space_id}`)
    await page.getByRole('tab', { name: 'Who gets in' }).click()
    await page.getByText('Tonight 22:00').click()
    const table = page.getByRole('table', { name: 'Who gets in' })
    await table.getByText('Second person needed').first().waitFor()
    await table.getByText('Kept out by a rule').first().waitFor()
    await expectAccessible(page)

    await table
      .getByRole('button', { name: /Second person needed/ })
      .first()
      .click()
    const why = page.getByRole('dialog', { name: 'Why?' })
    await why.getByText('A second person who may come in must be there too.').waitFor()
    await why
      .getByText(/Night shift|22:00/)
      .first()
      .waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await why.waitFor({ state: 'detached' })

    await page.getByRole('switch', { name: 'Only where it opens' }).click()
    await table.getByText('Second person needed').first().waitFor({ state: 'detached' })
    await settle(page)
    const answers = await table.getByRole('button', { name: /Why\?$/ }).allTextContents()
    expect(answers.length).toBeGreaterThan(0)
    for (const answer of answers) expect(answer).toMatch(/^Granted/)
  })

  it('warns of keys that nobody can account for, where they still open the door', async () => {
    const { page, context } = await open(site)
    await logIn(context, site, site.email, site.password)
    const [lost] =
      await ask<Array<{ id: string; key_type_code: string; number: string }>>('keys?limit=1&status=eq.lost')
    const { opens } = await ask<{ opens: { access_points: Array<{ id: string }> } }>(`keys/${lost?.id}/opens`)
    await page.goto(`/access-points/${opens.access_points[0]?.id}?tab=who`)
    await page
      .getByRole('alert')
      .getByRole('link', { name: `${lost?.key_type_code} · ${lost?.number}` })
      .waitFor()
    await expectAccessible(page)
  })
})
