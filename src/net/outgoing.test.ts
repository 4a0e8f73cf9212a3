import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { createOutgoing } from './outgoing.ts'
import { isPublic, Policy } from './policy.ts'

const servers: Server[] = []

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const refused = { code: 'SYSTEM_UNREACHABLE', reason: 'outgoing.refused' }

describe('an address is public', () => {
  it.each(['1.1.1.1', '9.9.9.9', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:1.1.1.1'])('%s', (address) => {
    expect(isPublic(address)).toBe(true)
  })

  it.each([
    ['this machine', '127.0.0.1'],
    ['this machine, another of its addresses', '127.255.255.254'],
    ['no address', '0.0.0.0'],
    ['private', '10.1.2.3'],
    ['private', '172.16.0.1'],
    ['private', '192.168.1.1'],
    ['link-local, where clouds keep their secrets', '169.254.169.254'],
    ['shared by a provider (CGNAT)', '100.64.0.1'],
    ['benchmarks', '198.18.0.1'],
    ['documentation', '203.0.113.7'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['this machine, IPv6', '::1'],
    ['no address, IPv6', '::'],
    ['IPv4 inside ::/96', '::127.0.0.1'],
    ['IPv4 mapped', '::ffff:127.0.0.1'],
    ['IPv4 mapped, in hexadecimal', '::ffff:7f00:1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64, local', '64:ff9b:1::1'],
    ['unique local', 'fd00::1'],
    ['link-local, IPv6', 'fe80::1'],
    ['site-local', 'fec0::1'],
    ['multicast, IPv6', 'ff02::1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001::1'],
    ['documentation, IPv6', '2001:db8::1'],
    ['not an address', 'localhost'],
  ])('not %s (%s)', (_what, address) => {
    expect(isPublic(address)).toBe(false)
  })
})

describe('an outgoing call', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://localhost/',
    'https://localhost./',
  ])('is not made to %s', async (url) => {
    await expect(createOutgoing()(url)).rejects.toMatchObject(refused)
  })

  it('is not made by plain HTTP to a public address', async () => {
    await expect(createOutgoing([], async () => ['1.1.1.1'])('http://public.example/')).rejects.toMatchObject(refused)
  })

  it.each(['file:///etc/passwd', 'ftp://ftp.example/', 'data:text/plain,a'])('is not made to %s', async (url) => {
    await expect(createOutgoing(['127.0.0.1'])(url)).rejects.toMatchObject(refused)
  })

  it('is not made with a password in the address', async () => {
    await expect(createOutgoing()('https://user:secret@public.example/')).rejects.toThrow()
  })

  it('is not made to a name with private addresses only', async () => {
    await expect(
      createOutgoing([], async () => ['10.0.0.1', 'fd00::1'])('https://inside.example/'),
    ).rejects.toMatchObject(refused)
  })

  it('goes to the address that was checked, whatever the name means a moment later', async () => {
    const port = await serve((request, response) => response.end(`host ${request.headers.host}`))
    let asked = 0
    const answers = ['127.0.0.1', '127.0.0.2']
    const outgoing = createOutgoing(['127.0.0.1'], async () => [answers[asked++] ?? '127.0.0.9'])
    const answer = await outgoing(`http://rebinding.example:${port}/`)
    expect(await answer.text()).toBe(`host rebinding.example:${port}`)
    expect(asked).toBe(1)
    await expect(outgoing(`http://rebinding.example:${port}/`)).rejects.toMatchObject(refused)
  })

  it('goes to the permitted ones among the addresses of a name', async () => {
    const port = await serve((_request, response) => response.end('here'))
    const outgoing = createOutgoing(['127.0.0.1'], async () => ['10.255.255.1', '127.0.0.1'])
    expect(await (await outgoing(`http://two.example:${port}/`)).text()).toBe('here')
  })

  it('reaches what the allow-list names: an address, a network, a host', async () => {
    const port = await serve((_request, response) => response.end('here'))
    for (const [entry, url] of [
      ['127.0.0.1', `http://127.0.0.1:${port}/`],
      ['127.0.0.0/8', `http://127.0.0.1:${port}/`],
      ['Localhost', `http://localhost:${port}/`],
    ] as const)
      expect(await (await createOutgoing([entry], async () => ['127.0.0.1'])(url)).text()).toBe('here')
    await expect(createOutgoing(['localhost'])(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(refused)
  })

  it('carries method, headers and body, and gives status and headers back', async () => {
    const port = await serve(async (request, response) => {
      const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>)
      response.writeHead(418, { 'content-type': 'application/json', 'x-two': ['a', 'b'] })
      response.end(
        JSON.stringify({
          method: request.method,
          type: request.headers['content-type'],
          body: String(Buffer.concat(chunks)),
        }),
      )
    })
    const answer = await createOutgoing(['127.0.0.1'])(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: new URLSearchParams({ a: 'b c' }),
    })
    expect(answer.status).toBe(418)
    expect(answer.headers.get('x-two')).toBe('a, b')
    expect(await answer.json()).toEqual({
      method: 'POST',
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
      body: 'a=b+c',
    })
  })

  it('follows no redirect', async () => {
    let reached = 0
    const port = await serve((request, response) => {
      if (request.url === '/secret') reached += 1
      response.writeHead(302, { location: '/secret' }).end()
    })
    const answer = await createOutgoing(['127.0.0.1'])(`http://127.0.0.1:${port}/`)
    expect([answer.status, answer.headers.get('location'), reached]).toEqual([302, '/secret', 0])
  })

  it('ends when the answer is too large', async () => {
    const port = await serve((_request, response) => response.end('x'.repeat(5000)))
    const call = createOutgoing(['127.0.0.1'])(`http://127.0.0.1:${port}/`, { maxBytes: 1000 })
    await expect(call).rejects.toMatchObject({ code: 'SYSTEM_UNREACHABLE', reason: 'outgoing.too_large' })
  })

  it('reads the beginning of a large answer where that is enough, and waits for no more of it', async () => {
    const endless = await serve((_request, response) => void response.writeHead(201).write('x'.repeat(5000)))
    const answer = await createOutgoing(['127.0.0.1'])(`http://127.0.0.1:${endless}/`, {
      maxBytes: 1000,
      isCut: true,
      isRepeatable: true,
    })
    expect([answer.status, await answer.text()]).toEqual([201, 'x'.repeat(1000)])
  })

  it('ends when the answer does not come, or does not end', async () => {
    const silent = await serve(() => undefined)
    const endless = await serve((_request, response) => void response.write('a'))
    for (const port of [silent, endless]) {
      const call = createOutgoing(['127.0.0.1'])(`http://127.0.0.1:${port}/`, { timeoutMs: 50 })
      await expect(call).rejects.toMatchObject({ code: 'SYSTEM_TIMEOUT' })
    }
    const looking = createOutgoing([], () => new Promise(() => undefined))('https://slow.example/', { timeoutMs: 50 })
    await expect(looking).rejects.toMatchObject({ code: 'SYSTEM_TIMEOUT' })
  })

  it('ends when the caller gives up', async () => {
    const port = await serve(() => undefined)
    const call = createOutgoing(['127.0.0.1'])(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(50) })
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('says so when nobody listens or the name is unknown', async () => {
    const port = await serve(() => undefined)
    for (const server of servers.splice(0)) server.close()
    const failed = { code: 'SYSTEM_UNREACHABLE', reason: 'outgoing.failed' }
    await expect(createOutgoing(['127.0.0.1'])(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(failed)
    const unknown = createOutgoing([], () => Promise.reject(new Error('ENOTFOUND')))('https://nowhere.example/')
    await expect(unknown).rejects.toMatchObject(failed)
  })
})

describe('a connection is kept for what may arrive twice', () => {
  const repeatable = { method: 'POST', body: 'news', isRepeatable: true }

  async function serveCounting(listener: RequestListener = (_request, response) => response.end('here')) {
    const port = await serve(listener)
    const server = servers.at(-1) as Server
    let connections = 0
    server.on('connection', () => {
      connections += 1
    })
    return { port, server, opened: () => connections }
  }

  it('and for nothing else', async () => {
    const { port, opened } = await serveCounting()
    const outgoing = createOutgoing(['127.0.0.1'])
    for (let n = 0; n < 3; n++) await outgoing(`http://127.0.0.1:${port}/`, repeatable)
    expect(opened()).toBe(1)
    for (let n = 0; n < 2; n++) await outgoing(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'once' })
    expect(opened()).toBe(3)
  })

  it('but used only while the name has the addresses that it had, each checked again', async () => {
    const { port, opened } = await serveCounting()
    let addresses = ['127.0.0.1', '127.0.0.9']
    const outgoing = createOutgoing(['127.0.0.0/24'], async () => addresses)
    const call = () => outgoing(`http://rebinding.example:${port}/`, repeatable)
    await call()
    addresses = addresses.toReversed()
    await call()
    expect(opened()).toBe(1)
    addresses = ['127.0.0.1']
    await call()
    expect(opened()).toBe(2)
    addresses = ['10.0.0.1']
    await expect(call()).rejects.toMatchObject(refused)
    expect(opened()).toBe(2)
  })

  it('and whoever answers by another protocol has not answered', async () => {
    const { port, server } = await serveCounting()
    server.on('upgrade', () => undefined)
    server.removeAllListeners('request').on('connection', (socket) => {
      socket.removeAllListeners('data').on('data', () => {
        socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n')
      })
    })
    const outgoing = createOutgoing(['127.0.0.1'])
    for (const init of [repeatable, {}])
      await expect(outgoing(`http://127.0.0.1:${port}/`, init)).rejects.toMatchObject({ reason: 'outgoing.failed' })
  })

  it('and where the receiver has closed it meanwhile, the call goes by another one; where that fails too, it has failed', async () => {
    let isClosing = false
    const { port, opened } = await serveCounting((request, response) => {
      if (isClosing) request.socket.destroy()
      else response.end('here')
      isClosing = request.url === '/last'
    })
    const outgoing = createOutgoing(['127.0.0.1'])
    await outgoing(`http://127.0.0.1:${port}/last`, repeatable)
    expect(await (await outgoing(`http://127.0.0.1:${port}/again`, repeatable)).text()).toBe('here')
    expect(opened()).toBe(2)
    isClosing = true
    await expect(outgoing(`http://127.0.0.1:${port}/new`, { method: 'POST', body: 'once' })).rejects.toMatchObject({
      reason: 'outgoing.failed',
    })
  })
})

describe('OUTGOING_ALLOW', () => {
  it('takes addresses, networks and host names', () => {
    const value = '10.0.0.0/8, fd00::/8,192.168.1.1 , idp.corp.example'
    expect(readConfig({ OUTGOING_ALLOW: value }).outgoingAllow).toEqual([
      '10.0.0.0/8',
      'fd00::/8',
      '192.168.1.1',
      'idp.corp.example',
    ])
    expect(readConfig({}).outgoingAllow).toEqual([])
  })

  it.each(['10.0.0.0/33', 'https://idp.example', '*', '10.0.0'])('refuses "%s" with a sentence', (value) => {
    expect(() => readConfig({ OUTGOING_ALLOW: value })).toThrow(/OUTGOING_ALLOW has/)
  })
})

describe('a target that can never be called', () => {
  it.each([
    ['http://public.example/', [], 'https://'],
    ['http://1.1.1.1/', [], 'https://'],
    ['https://10.0.0.1/', [], 'public'],
    ['https://localhost/', [], 'public'],
    ['https://a.localhost./', ['10.0.0.0/8'], 'public'],
    ['http://1.1.1.1/', ['10.0.0.0/8'], 'https://'],
  ])('is known before: %s with %j', (url, allow, word) => {
    expect(new Policy(allow).findObstacle(new URL(url))).toContain(word)
  })

  it.each([
    ['https://public.example/', []],
    ['https://1.1.1.1/', []],
    ['https://10.0.0.1/', ['10.0.0.0/8']],
    ['http://10.0.0.1/', ['10.0.0.0/8']],
    ['http://localhost:3000/', ['127.0.0.1']],
    ['http://localhost:3000/', ['localhost']],
    ['http://hooks.inside/', ['hooks.inside']],
    // Its address may be one of these.
    ['http://hooks.inside/', ['10.0.0.0/8']],
  ])('is not %s with %j', (url, allow) => {
    expect(new Policy(allow).findObstacle(new URL(url))).toBeUndefined()
  })
})
