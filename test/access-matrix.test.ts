import { beforeAll, describe, expect, it } from 'vitest'
import { allPermissions, type Permission } from '../src/core/permissions.ts'
import { type Client, startHouse } from './support/app.ts'

const house = await startHouse({ env: { TRUST_PROXY: 'on' } })
const routes = house.app.routeTable.filter(({ permission, method }) => permission !== undefined && method !== 'HEAD')
const somebody = '01997d2a-4c00-7000-8000-00000000ffff'

/** Each permission's counterpart: a role with every permission but that one. */
const without = new Map<Permission, Client>()
let nothing: Client

beforeAll(async () => {
  const needed = new Set(routes.map(({ permission }) => permission).filter((permission) => permission !== 'self'))
  for (const permission of needed as Set<Permission>) {
    const name = `All but ${permission}`
    await house.owner.create('/api/v1/roles', {
      name,
      permissions: allPermissions.filter((other) => other !== permission),
    })
    without.set(permission, await house.member(name))
  }
  await house.owner.create('/api/v1/roles', { name: 'Nothing' })
  nothing = await house.member('Nothing')
})

let host = 0
/** Failures are counted per address. */
const elsewhere = () => ({ 'x-forwarded-for': `203.0.113.${++host % 250}` })

describe.each(
  routes.map(({ method, url, permission }) => ({ method, url, permission: permission as Permission | 'self' })),
)('$method $url needs $permission', ({ method, url, permission }) => {
  const path = url.replace(/:\w+/g, somebody)
  const body = method === 'GET' || method === 'DELETE' ? undefined : {}

  it('without a credential: 401', async () => {
    const answer = await house.anonymous.request(method, path, body, elsewhere())
    expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  it(
    permission === 'self'
      ? 'with a role that allows nothing: no permission is missed'
      : 'with every permission but that one: 403',
    async () => {
      if (permission === 'self') {
        const answer = await nothing.request(method, path, body)
        expect(answer.status, answer.text).not.toBe(401)
        expect(answer.body.error?.reason, answer.text).not.toBe('insufficient_permissions')
        return
      }
      const answer = await (without.get(permission) as Client).request(method, path, body)
      expect([answer.status, answer.body.error.code, answer.body.error.reason]).toEqual([
        403,
        'UNAUTHORIZED',
        'insufficient_permissions',
      ])
      expect(answer.body.msg).toContain(permission)
    },
  )
})
