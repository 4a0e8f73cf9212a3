import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fillDemo } from '../src/demo/fill.ts'
import { findOrganization } from '../src/identity/organizations.ts'
import { actor, startHouse } from './support/app.ts'

/** The README's first call, on the demo organization as `npm start -- --demo` fills it. */
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

it('the first curl of the README prints what the README shows', async () => {
  const house = await startHouse()
  const organization = await findOrganization(house.engine, 'Test')
  await fillDemo(house.engine, organization?.key as number, house.clock.now(), actor, { spaces: 400, seed: 1 })
  const [, path, shown] =
    /^curl [^\n]*'http:\/\/localhost:8080([^']*)'\n```\n+```json\n([\s\S]*?)```/m.exec(readme) ?? []
  const answer = await house.owner.get(path as string)
  expect(answer.text.trim()).toBe(shown?.trim())
})
