import type { BrowserContext } from 'playwright-core'
import { call } from './people.ts'
import type { Site } from './site.ts'

let count = 0

/** Somebody who may do only this, and in a building of their own alone, with a door of their own. */
export async function limitedTo(boss: BrowserContext, site: Site, { permissions }: { permissions: readonly string[] }) {
  const number = ++count
  const [location] = (await (await boss.request.get(`${site.url}/api/v1/locations?limit=1`)).json()).data
  const make = (path: string, body: object) => call(boss, site, `/api/v1/${path}`, body)
  const building = await make('buildings', { name: `Lodge ${number}`, location_id: location.id })
  const space = await make('spaces', { name: `Lodge hall ${number}`, building_id: building.id })
  const door = await make('access-points', { name: `Lodge door ${number}`, space_id: space.id })
  const role = await make('roles', { name: `Lodge keeper ${number}`, permissions })
  const email = `lodge-${number}@example.com`
  const password = 'correct horse battery staple'
  const user = await make('users', { email, name: 'Lou Lodge' })
  await make('role-assignments', { role_id: role.id, user_id: user.id, building_id: building.id })
  const accepted = await fetch(`${site.url}/api/v1/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(String(user.link)).hash.slice(1), password }),
  })
  if (!accepted.ok) throw new Error(await accepted.text())
  return { email, password, building, space, door } as const
}
