import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type Env, freshHouse, gatehouse, migratedHouse, root, serve, surroundings, tokenFor } from './child.ts'

const inShell = async (line: string, env: Env = {}) =>
  (await promisify(execFile)('/bin/sh', ['-c', line], { cwd: root, env: { ...surroundings, ...env } })).stdout

const commandsIn = (text: string, beginning: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith(beginning))

/** Opens a POST and keeps the end of its body back. */
async function slowPost(address: string, token: string) {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  await once(socket, 'connect')
  const body = JSON.stringify({ name: 'Slowly' })
  socket.write(
    `POST /api/v1/locations HTTP/1.1\r\nhost: x\r\nauthorization: Token ${token}\r\ncontent-type: ` +
      `application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  )
  return {
    finish: async () => {
      socket.write(body.slice(5))
      await once(socket, 'close')
      return answer
    },
    closed: once(socket, 'close'),
  }
}

/** What no database has a part in. */
const onOneEngine = it.skipIf(process.env.ENGINE === 'postgres')

/** Says which files of packages the process has loaded: when its port has just opened, now and then, and at the end. */
const LOADED = `import { createRequire } from 'node:module'
import { isMainThread } from 'node:worker_threads'
const files = () => Object.keys(createRequire(process.cwd() + '/').cache)
if (isMainThread) process.on('exit', () => process.stderr.write('loaded ' + files().join(' ') + '\\n'))`

describe('serve', () => {
  onOneEngine('what it compiled is written while it runs, whatever becomes of it, and not held in memory', async () => {
    const env = await migratedHouse()
    const cache = join(env.DATA_DIR as string, 'compiled')
    const { signal, ended } = await serve([], { ...env, NODE_COMPILE_CACHE: cache })
    const written = async () => (await readdir(cache, { recursive: true })).length
    await expect.poll(written, { timeout: 20_000 }).toBeGreaterThan(1000)
    signal('SIGKILL')
    await ended
  })

  onOneEngine('after `compile` nothing is left to compile for the first start', async () => {
    const env = await migratedHouse()
    const cache = join(env.DATA_DIR as string, 'compiled')
    const compiled = async () => (await readdir(cache, { recursive: true })).sort()
    // A database of its own, not the one that is set up here, whatever else is.
    const elsewhere = { DATA_DIR: join(cache, 'none'), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
    expect(await gatehouse(['compile'], { ...elsewhere, NODE_COMPILE_CACHE: cache })).toEqual({
      code: 0,
      out: '',
      err: '',
    })
    const before = await compiled()
    expect(before.length).toBeGreaterThan(1000)
    expect(before).not.toContain('none')
    const { signal, ended } = await serve([], { ...env, NODE_COMPILE_CACHE: cache })
    // What runs beside requests is loaded by then.
    await new Promise((resolve) => setTimeout(resolve, 2000))
    signal('SIGTERM')
    await ended
    expect(await compiled()).toEqual(before)
    // Nor for what comes later, in threads too.
    const NODE_DEBUG_NATIVE = 'COMPILE_CACHE'
    const later = await serve(['--demo'], { ...(await freshHouse()), NODE_COMPILE_CACHE: cache, NODE_DEBUG_NATIVE })
    await expect.poll(() => later.err() + later.out(), { timeout: 20_000 }).toContain('src/db/sqlite/checkpoint.ts')
    later.signal('SIGTERM')
    const { err, out } = await later.ended
    expect((err + out).match(/StrippedTypeScript \S+\.\.\. no such file/g)).toBeNull()
  })

  it('loads large packages when somebody needs them, not at the start', async () => {
    const env = await migratedHouse()
    const token = await tokenFor(env)
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(LOADED)}`
    const { address, signal, ended } = await serve([], { ...env, NODE_OPTIONS })
    const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
    const locations = `${address}/api/v1/locations`
    expect((await fetch(locations, { headers })).status).toBe(200)
    expect((await fetch(locations, { method: 'POST', headers, body: '{"name":7}' })).status).toBe(400)
    signal('SIGTERM')
    const { err } = await ended
    const files = /^loaded (.*)$/m.exec(err)?.[1]?.split(' ') ?? []
    const loaded = new Set(files.map((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]))
    expect(loaded).toContain('fastify')
    for (const name of ['ajv', '@node-rs/argon2', '@fastify/busboy', 'saxes', 'pdfkit', 'pg'])
      if (name !== 'pg' || env.DATABASE_URL === undefined) expect(loaded).not.toContain(name)
  })

  it('on an empty database prints two commands that work as printed', async () => {
    const env = await freshHouse()
    const { err, address } = await serve([], env)
    await expect.poll(() => commandsIn(err(), 'npm run').length).toBe(2)
    const [organization = '', token = ''] = commandsIn(err(), 'npm run')
    await inShell(organization, env)
    const value = (await inShell(token, env)).trim()
    expect(value).toMatch(/^acs_pat_[0-9A-Za-z]{49}$/)
    const answer = await fetch(`${address}/api/v1/me`, { headers: { authorization: `Token ${value}` } })
    expect(answer.status).toBe(200)
  })

  it('--demo prints a curl line that works as printed; a second start gives a fresh token and fills nothing again', async () => {
    const env = await migratedHouse()
    const first = await serve(['--demo'], env)
    await expect.poll(() => commandsIn(first.err(), 'curl').length).toBe(1)
    const [line = ''] = commandsIn(first.err(), 'curl')
    const answer = JSON.parse(await inShell(line))
    expect(answer.data).toHaveLength(2)
    expect(answer.meta.pagination.total_items).toBe(400)
    first.signal('SIGTERM')
    expect((await first.ended).code).toBe(0)

    const second = await serve(['--demo'], env)
    await expect.poll(() => commandsIn(second.err(), 'curl').length).toBe(1)
    const [again = ''] = commandsIn(second.err(), 'curl')
    expect(again).not.toBe(line)
    expect(JSON.parse(await inShell(again)).meta.pagination.total_items).toBe(400)
  })

  onOneEngine('logs each request as a JSON line with its req_id, and never a token, wherever it stands', async () => {
    const env = await migratedHouse()
    const token = await tokenFor(env)
    const { address, out, signal, ended } = await serve([], { ...env, LOG_LEVEL: 'trace' })
    const headers = { authorization: `Token ${token}`, cookie: 'session=very-secret' }
    const answer = await fetch(`${address}/api/v1/locations?search=${token}`, { headers })
    await fetch(`${address}/${token}`, { headers: { ...headers, authorization: `Bearer ${token}` } })
    signal('SIGTERM')
    const { code } = await ended
    expect(code).toBe(0)
    const lines = out()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(
      lines.find((line) => line.req_id === answer.headers.get('x-request-id') && line.msg === 'answered'),
    ).toMatchObject({
      method: 'GET',
      status: 200,
      url: '/api/v1/locations?search=acs_pat_[redacted]',
    })
    expect(out()).not.toContain(token)
    expect(out()).not.toContain('very-secret')
    // The last line is there too: what was logged is written before the process ends.
    expect(lines.at(-1).msg).toBe('stopped')
  })

  it('SIGTERM lets a request under way finish, takes no new one, and exits 0', async () => {
    const env = await migratedHouse()
    const token = await tokenFor(env)
    const { address, out, signal, ended } = await serve([], env)
    const slow = await slowPost(address, token)
    // Its headers are with the server once a later request is answered.
    await fetch(`${address}/livez`)
    signal('SIGTERM')
    await expect.poll(out, { timeout: 5000 }).toContain('"stopping"')
    await expect
      .poll(
        () =>
          fetch(`${address}/livez`).then(
            () => 'answered',
            () => 'refused',
          ),
        { timeout: 5000 },
      )
      .toBe('refused')
    const finished = performance.now()
    expect(await slow.finish()).toMatch(/^HTTP\/1.1 201 /)
    expect((await ended).code).toBe(0)
    // It does not wait for the kept connection until the time is up.
    expect(performance.now() - finished).toBeLessThan(5000)
    const again = await serve([], env)
    const list = await fetch(`${again.address}/api/v1/locations`, { headers: { authorization: `Token ${token}` } })
    expect(((await list.json()) as { data: Array<{ name: string }> }).data.map((row) => row.name)).toEqual(['Slowly'])
  })

  onOneEngine('a second signal ends at once', async () => {
    const env = await migratedHouse()
    const token = await tokenFor(env)
    const { address, out, signal, ended } = await serve([], env)
    const slow = await slowPost(address, token)
    await fetch(`${address}/livez`)
    signal('SIGINT')
    await expect.poll(out, { timeout: 5000 }).toContain('"stopping"')
    signal('SIGINT')
    expect((await ended).code).toBe(1)
    await slow.closed
  })

  onOneEngine(
    'PORTAL=off serves a plain page and no portal, and any other word than on and off is a sentence',
    async () => {
      const env = await migratedHouse()
      const { address } = await serve([], { ...env, PORTAL: 'off' })
      const browser = { accept: 'text/html' }
      const page = await fetch(address, { headers: browser })
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Your first request')])
      expect((await fetch(`${address}/setup`, { headers: browser })).status).toBe(404)
      const { code, err } = await gatehouse(['serve'], { ...env, PORTAL: 'perhaps' })
      expect({ code, err }).toEqual({ code: 1, err: 'PORTAL is "perhaps"; it must be one of on, off.\n' })
    },
  )

  onOneEngine('a port in use is a sentence and exit 1', async () => {
    const env = await migratedHouse()
    const { address } = await serve([], env)
    const { port } = new URL(address)
    const { code, err } = await gatehouse(['serve'], { ...env, PORT: port })
    expect({ code, err }).toEqual({
      code: 1,
      err: `Port ${port} of 127.0.0.1 is in use already; set PORT to another.\n`,
    })
  })
})
