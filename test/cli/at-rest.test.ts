import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Env, freshHouse, gatehouse, migratedHouse, serve, tokenFor } from './child.ts'

const folderOf = (env: Env) => env.DATA_DIR as string
const keyFile = (env: Env) => join(folderOf(env), 'secret-key')
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

/** A system with a secret, made through the service, which is left running until told to stop. */
async function served(env: Env) {
  const token = await tokenFor(env)
  const { address, signal, ended } = await serve([], env)
  const ask = async (path: string, method = 'GET', body?: object) =>
    (
      await fetch(`${address}/api/v1/${path}`, {
        method,
        headers: {
          authorization: `Token ${token}`,
          'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    ).json() as Promise<{ data: never }>
  const stop = async () => {
    signal('SIGTERM')
    return ended
  }
  return { ask, stop, token }
}

describe('at rest', () => {
  it('everything of ours in the data folder is for its owner alone, from the first moment and mended at the start', async () => {
    const env = await freshHouse()
    await chmod(folderOf(env), 0o755)
    const first = await served(env)
    await first.ask('access-control-systems', 'POST', { name: 'x', settings: { api_key: 'secret' } })
    const look = async () => {
      const names = (await readdir(folderOf(env))).sort()
      return Promise.all(names.map(async (name) => [name, await modeOf(join(folderOf(env), name))]))
    }
    const running = await look()
    expect(running.map(([name]) => name)).toEqual(expect.arrayContaining(['audit-signing-key.pem', 'secret-key']))
    if (env.DATABASE_URL === undefined)
      expect(running.map(([name]) => name)).toEqual(
        expect.arrayContaining(['gatehouse.db', 'gatehouse.db-shm', 'gatehouse.db-wal']),
      )
    expect(running.filter(([, mode]) => mode !== '600')).toEqual([])
    expect(await modeOf(folderOf(env))).toBe('700')
    await first.stop()

    await chmod(folderOf(env), 0o755)
    for (const [name] of await look()) await chmod(join(folderOf(env), name as string), 0o644)
    await writeFile(join(folderOf(env), 'not-ours.txt'), '', { mode: 0o644 })
    const { signal, ended } = await serve([], env)
    signal('SIGTERM')
    expect((await ended).out).toContain('it is for its owner alone now')
    expect((await look()).filter(([, mode]) => mode !== '600')).toEqual([['not-ours.txt', '644']])
    expect(await modeOf(folderOf(env))).toBe('700')
  })
})

describe('a lost secret-key', () => {
  it('stops the start with the way out and leaves nothing behind; forget-sealed-secrets goes on with a new one', {
    timeout: 120_000,
  }, async () => {
    const env = await migratedHouse()
    const { ask, stop, token } = await served(env)
    const { id } = (
      await ask('access-control-systems', 'POST', { name: 'x', settings: { host: 'h', api_key: 'secret' } })
    ).data as {
      id: string
    }
    const pin = (await ask('credentials', 'POST', { type: 'pin', pin: '4711' })).data as { id: string }
    const rows = [
      ['type', 'pin'],
      ['card', '83920571'],
    ]
    const tried = (await ask('imports', 'POST', { resource: 'credentials', dry_run: true, rows })).data as {
      id: string
      status: string
    }
    expect(tried.status).toBe('checked')
    for (const name of await readdir(folderOf(env)))
      expect((await readFile(join(folderOf(env), name))).includes('83920571'), name).toBe(false)
    await stop()
    const early = await gatehouse(['forget-sealed-secrets', '--yes'], env)
    expect([early.code, early.err]).toEqual([1, expect.stringContaining('is here: nothing is lost')])

    await rm(keyFile(env))
    const before = (await readdir(folderOf(env))).sort()
    const refused = await gatehouse(['serve'], env)
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('gatehouse forget-sealed-secrets')
    expect((await readdir(folderOf(env))).sort()).toEqual(before)

    const asked = await gatehouse(['forget-sealed-secrets'], env)
    expect([asked.code, asked.err]).toEqual([1, expect.stringContaining('Nothing was changed')])
    expect(asked.out).toContain('Secret settings of access control systems, to be entered again: 1\n')
    expect(asked.out).toContain('PINs of credentials, to be set again: 1\n')
    expect(asked.out).toContain('Imports with rows that wait or failed, to be sent again (what is in stays): 1\n')
    expect((await readdir(folderOf(env))).sort()).toEqual(before)

    const done = await gatehouse(['forget-sealed-secrets', '--yes'], env)
    expect(done.code, done.err).toBe(0)
    expect(await modeOf(keyFile(env))).toBe('600')
    const { address, signal, ended } = await serve([], env)
    const headers = { authorization: `Token ${token}`, 'content-type': 'application/merge-patch+json' }
    const body = JSON.stringify({ settings: { api_key: 'another' } })
    const changed = await fetch(`${address}/api/v1/access-control-systems/${id}`, { method: 'PATCH', headers, body })
    expect(changed.status, await changed.text()).toBe(200)
    const log = await fetch(`${address}/api/v1/audit-log?action=eq.organization.secrets_forgotten`, {
      headers: { authorization: `Token ${token}` },
    })
    expect(((await log.json()) as { data: unknown[] }).data).toMatchObject([
      {
        actor_kind: 'command_line',
        after: { users: [], access_control_systems: [id], credentials: [pin.id], imports: [tried.id] },
      },
    ])
    const run = await fetch(`${address}/api/v1/imports/${tried.id}/run`, {
      method: 'POST',
      headers: { authorization: `Token ${token}` },
    })
    expect([run.status, ((await run.json()) as { msg: string }).msg]).toEqual([
      409,
      expect.stringContaining('is cancelled'),
    ])
    signal('SIGTERM')
    expect((await ended).code).toBe(0)
    expect((await gatehouse(['audit', 'verify'], env)).code).toBe(0)
  })
})
