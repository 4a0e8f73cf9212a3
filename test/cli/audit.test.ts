import { generateKeyPairSync } from 'node:crypto'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { copyOf, type Env, freshHouse, gatehouse, migratedHouse, serve, tokenFor } from './child.ts'

/** Behind the service's back. */
async function tamper(env: Env, ...statements: string[]): Promise<void> {
  if (env.DATABASE_URL === undefined) {
    const db = new DatabaseSync(join(env.DATA_DIR as string, 'gatehouse.db'))
    for (const statement of statements) db.exec(statement)
    db.close()
    return
  }
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** A service that has served and was stopped properly. */
async function serveOnce(): Promise<Env> {
  const env = await migratedHouse()
  const token = await tokenFor(env)
  const { address, signal, ended } = await serve([], env)
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
  const made = await fetch(`${address}/api/v1/locations`, { method: 'POST', headers, body: '{"name":"Zürich"}' })
  expect(made.status).toBe(201)
  signal('SIGTERM')
  expect((await ended).code).toBe(0)
  return env
}
const original = await serveOnce()
const served = (): Promise<Env> => copyOf(original)

const keyFile = (env: Env) => join(env.DATA_DIR as string, 'audit-signing-key.pem')
const witnessFile = (env: Env) => join(env.DATA_DIR as string, 'audit-witness.json')
const cutTheEnd = [
  'delete from audit_log where sequence > 4',
  'delete from audit_checkpoints',
  `update organizations set audit_sequence = 4, audit_checkpoint = 0,
     audit_hash = (select l.hash from audit_log l where l.org = organizations.key and l.sequence = 4)`,
]

describe('a service that is stopped', () => {
  it('has signed its audit log to the last entry, with a key that nobody else can read', async () => {
    const env = await served()
    const { code, out } = await gatehouse(['audit', 'verify'], env)
    // Four for organization and token, one for the location, one for the address that the token was first used from.
    expect({ code, out }).toEqual({ code: 0, out: 'Test: 6 entries, intact, signed up to entry 6\n' })
    expect((await stat(keyFile(env))).mode & 0o777).toBe(0o600)
  })

  it('is found out when its log was cut, checkpoints and head with it', async () => {
    const env = await served()
    await tamper(env, ...cutTheEnd)
    const { code, out } = await gatehouse(['audit', 'verify'], env)
    expect({ code, out }).toEqual({ code: 1, out: 'Test: entry 5: the row is missing; entry 6 was signed\n' })
    // It goes on serving, but signs no log that was altered.
    const { signal, ended } = await serve([], env)
    signal('SIGTERM')
    expect((await ended).out).toContain('the audit log was altered and is not signed any further')
    expect((await gatehouse(['audit', 'verify'], env)).code).toBe(1)
    // A backup that was restored looks the same; whoever knows that it was one says so.
    await rm(witnessFile(env))
    expect((await gatehouse(['audit', 'verify'], env)).out).toBe('Test: 4 entries, intact\n')
  })

  it('is found out when an organization is gone', async () => {
    const env = await served()
    const { id = '' } = /"(?<id>[0-9a-f-]{36})"/.exec(await readFile(witnessFile(env), 'utf8'))?.groups ?? {}
    await tamper(env, `update organizations set id = '01997d2a-4c00-7000-8000-000000000001'`)
    const { code, out } = await gatehouse(['audit', 'verify'], env)
    expect(code).toBe(1)
    expect(out).toContain(`${id}: the organization is gone, with at least 6 entries of its audit log\n`)
  })
})

describe('what was erased', () => {
  it('is listed, with who did it', async () => {
    const env = await migratedHouse()
    const token = await tokenFor(env)
    const { address, signal, ended } = await serve([], env)
    const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      fetch(`${address}/api/v1/individuals${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { data } = (await (await post('', { display_name: 'Ada' })).json()) as { data: { id: string } }
    for (const verb of ['offboard', 'anonymise']) expect((await post(`/${data.id}/${verb}`, {})).status).toBe(200)
    signal('SIGTERM')
    await ended
    const { code, out } = await gatehouse(['audit', 'verify'], env)
    expect(code).toBe(0)
    expect(out).toMatch(
      /^Test: \d+ entries, intact, signed up to entry \d+\n {2}entry \d+ \(\S+Z, .+\) erased the contents of entries \d+, \d+\n$/,
    )
  })
})

describe('the key that signs', () => {
  it('is printed, the public half alone, and is all that is needed to verify elsewhere', async () => {
    const env = await served()
    const { code, out, err } = await gatehouse(['audit', 'key'], env)
    expect(code).toBe(0)
    expect(out).toMatch(/^-----BEGIN PUBLIC KEY-----\n[^-]+\n-----END PUBLIC KEY-----\n$/)
    expect(err).toMatch(/^Key [0-9a-f]{16}\n$/)
    const file = join(env.DATA_DIR as string, 'public.pem')
    await writeFile(file, out)
    await rm(keyFile(env))
    const without = await gatehouse(['audit', 'verify'], env)
    expect(without.code).toBe(1)
    expect(without.out).toMatch(/was signed with the key [0-9a-f]{16}, which is not known here\n$/)
    expect((await gatehouse(['audit', 'verify', '--public-key', file], env)).code).toBe(0)
  })

  it('that is another one is not believed, and one that is none is a sentence and exit 1', async () => {
    const env = await served()
    const file = join(env.DATA_DIR as string, 'other.pem')
    const write = (type: 'ed25519' | 'x25519') =>
      writeFile(file, generateKeyPairSync(type as 'ed25519').publicKey.export({ type: 'spki', format: 'pem' }))
    await write('ed25519')
    expect((await gatehouse(['audit', 'verify', '--public-key', file], env)).code).toBe(1)
    await write('x25519')
    const wrong = await gatehouse(['audit', 'verify', '--public-key', file], env)
    expect(wrong.code).toBe(1)
    expect(wrong.err).toMatch(/^--public-key: [^\n]+ is not an Ed25519 key in PEM\.\n$/)
    const missing = await gatehouse(['audit', 'verify', '--public-key', `${file}.none`], env)
    expect(missing.err).toMatch(/^--public-key: [^\n]+\n$/)
  })

  it('can be named, and then must be there; keys before it are trusted when they stand beside it', async () => {
    const env = await served()
    const former = (await gatehouse(['audit', 'key'], env)).out
    const file = join(env.DATA_DIR as string, 'shared.pem')
    const named = { ...env, AUDIT_SIGNING_KEY_FILE: file }
    const refused = await gatehouse(['serve'], named)
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(
      /^The key that signs the audit log \(AUDIT_SIGNING_KEY_FILE\) cannot be read: [^\n]+\n$/,
    )
    await writeFile(file, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
    expect((await gatehouse(['audit', 'verify'], named)).code).toBe(1)
    await writeFile(file, `${await readFile(file, 'utf8')}${former}`)
    expect((await gatehouse(['audit', 'verify'], named)).code).toBe(0)
    await gatehouse(['token', 'create', '--organization', 'Test', '--role', 'Owner'], named)
    const { signal, ended } = await serve([], named)
    signal('SIGTERM')
    await ended
    expect((await gatehouse(['audit', 'verify'], named)).out).toBe('Test: 9 entries, intact, signed up to entry 9\n')
  })

  it('is one, whoever asks first, also when several ask at once', async () => {
    const env = await freshHouse()
    const keys = await Promise.all([1, 2, 3].map(() => gatehouse(['audit', 'key'], env)))
    expect(new Set(keys.map(({ out }) => out)).size).toBe(1)
    expect(keys[0]?.code).toBe(0)
  })
})
