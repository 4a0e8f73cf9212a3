import { describe, expect, it } from 'vitest'
import { createServer } from '../src/http/server.ts'
import { startHouse } from './support/app.ts'

const { app } = await startHouse({ env: { METRICS: 'on' } })
const routes = app.routeTable.filter(({ method }) => method !== 'HEAD')

const table = (rows: string[][]): string => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return `${rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`
}
const byPath = (a: { url: string; method: string }, b: { url: string; method: string }) =>
  a.url < b.url || (a.url === b.url && a.method < b.method) ? -1 : 1

describe('the table of routes', () => {
  it('says of every route which permission it needs', async () => {
    const closed = routes.filter(({ permission }) => permission !== undefined).sort(byPath)
    const text = table(closed.map(({ method, url, permission }) => [method, url, permission ?? '']))
    await expect(text).toMatchFileSnapshot('route-table.txt')
  })

  it('holds the whole list of open routes, and why each is open', async () => {
    const open = routes.filter((route) => route.open !== undefined).sort(byPath)
    const text = table(open.map(({ method, url, open: why }) => [method, url, why ?? '']))
    await expect(text).toMatchFileSnapshot('open-routes.txt')
  })

  it('asks of HEAD what it asks of GET', () => {
    const heads = app.routeTable.filter(({ method }) => method === 'HEAD')
    expect(heads.length).toBeGreaterThan(0)
    for (const head of heads) {
      const get = routes.find(({ method, url }) => method === 'GET' && url === head.url)
      expect([head.url, head.permission, head.open]).toEqual([head.url, get?.permission, get?.open])
    }
  })

  it('says that reading needs a permission to read, and changing one that is not', () => {
    for (const { method, url, permission } of routes) {
      if (permission === undefined || permission === 'self') continue
      if (method === 'GET') expect(`${url} ${permission}`).toMatch(/:(read|check|audience)$/)
      if (method === 'PATCH' || method === 'DELETE' || method === 'PUT')
        expect(`${url} ${permission}`).not.toMatch(/:(read|check)$/)
    }
  })
})

describe('a route that declares neither its permission nor why it is open', () => {
  it('stops the start', async () => {
    const server = await createServer(app.house, app.log)
    const forgotten = () => server.get('/api/v1/forgotten', async () => ({ msg: 'Oops' }))
    expect(forgotten).toThrow('GET /api/v1/forgotten must declare either the permission it needs or why it is open')
    await server.close()
  })

  it('as does one that declares both', async () => {
    const server = await createServer(app.house, app.log)
    const both = () =>
      server.get('/api/v1/both', { config: { permission: 'spaces:read', open: 'because' } }, async () => ({
        msg: 'Oops',
      }))
    expect(both).toThrow('GET /api/v1/both must declare either')
    await server.close()
  })
})
