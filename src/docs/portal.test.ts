import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startHouse } from '../../test/support/app.ts'
import { fixturePortal } from '../../test/support/files/portal-fixture.ts'
import { openPortal } from '../portal-build/keeper.ts'
import type { Portal } from './portal.ts'

const keeper = openPortal(await fixturePortal())
await keeper.build(() => undefined)
const built = await startHouse({ portal: keeper.portal })

const browser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
}
const page = (url: string, headers: Record<string, string> = browser) => built.app.inject({ url, headers })
const script = /src="(\/assets\/[^"]+\.js)"/.exec((await page('/')).body)?.[1] as string

describe('the page of the portal', () => {
  it.each([
    '/',
    '/spaces',
    '/spaces/0190?tab=doors',
    '/setup',
    '/login?return=/x',
    '/consent/x2vTq4',
    '/access-points/a.b',
    '/apiary',
  ])('is at %s', async (url) => {
    const answer = await page(url)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).toContain('<title>Fixture</title>')
  })

  it('has a policy that lets in nothing from outside, and a nonce that is never the same twice', async () => {
    const [one, two] = [await page('/'), await page('/')]
    const [, nonce] = /<meta name="nonce" content="([\w-]{22})">/.exec(one.body) ?? []
    expect(one.headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src ` +
        `'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    )
    expect(one.body).not.toContain('__NONCE__')
    expect(two.body).not.toContain(nonce as string)
    expect(one.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    })
  })

  it.each([
    '/api/v1/nothing',
    '/api',
    '/v1/x',
    '/docs/nothing',
    '/oauth/nothing',
    '/.well-known/nothing',
    '/assets/nothing.js',
    '/assets',
    '/livez/x',
  ])('is not at %s', async (url) => {
    const answer = await page(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.json().error.code).toBe('NOT_FOUND')
  })

  it('is not for programs: what takes anything is told that there is nothing', async () => {
    expect((await page('/spaces', { accept: '*/*' })).statusCode).toBe(404)
    expect((await page('/spaces', {})).statusCode).toBe(404)
    expect((await page('/', {})).statusCode).toBe(200)
  })

  it('leaves what else is possible at an address to be told: 405 with Allow', async () => {
    const answer = await page('/api/v1/login')
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'OPTIONS, POST'])
    expect((await built.app.inject({ method: 'POST', url: '/' })).statusCode).toBe(405)
  })
})

describe('a file of the portal', () => {
  it('with a name that follows from its content is kept for good', async () => {
    const answer = await page(script, {})
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.body).toContain('door 399')
  })

  it('comes as small as the caller takes it', async () => {
    const plain = await page(script, {})
    const get = (accepted: string) => page(script, { 'accept-encoding': accepted })
    const [br, gzip, refused] = [
      await get('gzip, deflate, br, zstd'),
      await get('gzip;q=0.5'),
      await get('br;q=0, deflate'),
    ]
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body)
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body)
    expect(refused.headers['content-encoding']).toBeUndefined()
    expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
    expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3)
  })

  it('is not sent again to whoever has it, and HEAD says what GET would', async () => {
    const { headers } = await page(script)
    const again = await page(script, { ...browser, 'if-none-match': headers.etag as string })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const address = await built.app.listen({ port: 0 })
    const [get, head] = [await fetch(address + script), await fetch(address + script, { method: 'HEAD' })]
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const name of ['content-length', 'content-type', 'etag'])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
    expect(head.headers.get('content-length')).not.toBeNull()
  })

  it('with a name that stays is asked for anew each time', async () => {
    const answer = await page('/robots.txt', {})
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/plain; charset=utf-8' })
    expect(answer.body).toContain('User-agent')
  })

  it.each([
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/....//package.json',
    '/assets/..\\..\\package.json',
    '/assets//etc/passwd',
    `${'/..'.repeat(8)}/etc/passwd`,
    '/index.html/../files.json',
    '/files.json',
    `${script}.br`,
    `${script}%00`,
    '/assets/',
  ])('is only what the build made: %s gives nothing', async (url) => {
    const answer = await page(url, {})
    expect(answer.statusCode).toBe(404)
    expect(answer.json().error.code).toBe('NOT_FOUND')
  })
})

describe('without a built portal', () => {
  const portal: Portal = { state: { is: 'building' } }

  it('a page says that it is being built and asks again by itself, and the API answers', async () => {
    const { app, owner } = await startHouse({ portal })
    for (const url of ['/', '/setup']) {
      const answer = await app.inject({ url, headers: browser })
      expect(answer.statusCode).toBe(503)
      expect(answer.headers).toMatchObject({ refresh: '2', 'retry-after': '2', 'cache-control': 'no-store' })
      expect(answer.body).toContain('The portal is being built. This page reloads by itself.')
    }
    expect((await owner.get('/api/v1/spaces')).status).toBe(200)
    portal.state = { is: 'failed' }
    const failed = await app.inject({ url: '/setup', headers: browser })
    expect([failed.statusCode, failed.headers.refresh]).toEqual([503, undefined])
    expect(failed.body).toContain('The portal could not be built.')
    portal.state = keeper.portal.state
    expect((await app.inject({ url: '/setup', headers: browser })).body).toContain('<title>Fixture</title>')
  })

  it('the start page stands at / alone', async () => {
    const { app } = await startHouse()
    const start = await app.inject({ url: '/', headers: browser })
    expect(start.statusCode).toBe(200)
    expect(start.body).toContain('Your first request')
    expect(start.body).not.toContain('could not be built')
    expect((await app.inject({ url: '/setup', headers: browser })).statusCode).toBe(404)
  })
})
