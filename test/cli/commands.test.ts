import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { type Env, freshHouse, gatehouse, migratedHouse, root, serve, tokenFor } from './child.ts'

const isPostgres = process.env.ENGINE === 'postgres'
/** One sentence for people and no stack. */
const sentence = /^[^\n]+\n$/

/** Behind the service's back. */
async function tamper(env: Env, statement: string): Promise<void> {
  if (!isPostgres) {
    const db = new DatabaseSync(join(env.DATA_DIR as string, 'gatehouse.db'))
    db.exec(statement)
    db.close()
    return
  }
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  await client.query(statement)
  await client.end()
}

// No database is asked: once is enough.
describe.skipIf(isPostgres)('asking', () => {
  it('overall help names every command, and each command helps', async () => {
    const { code, out } = await gatehouse(['--help'])
    expect(code).toBe(0)
    const commands = [
      'serve',
      'demo',
      'organization create',
      'organization suspend',
      'organization resume',
      'token create',
      'migrate',
      'backup',
      'restore',
      'copy',
      'user reset-link',
      'login',
      'list',
      'apply',
      'export',
      'audit verify',
      'audit key',
      'oauth rotate-keys',
      'forget-sealed-secrets',
      'compile',
      'openapi',
    ]
    for (const command of commands) expect(out).toContain(`  ${command}`)
    const helps = await Promise.all(commands.map((command) => gatehouse([...command.split(' '), '--help'])))
    for (const [index, help] of helps.entries()) {
      expect(help.code).toBe(0)
      expect(help.out).toContain(`Usage: gatehouse ${commands[index]}`)
    }
  })

  it.each([
    [['fly'], 'There is no command "fly"'],
    [['token'], 'token create'],
    [['serve', '--fast'], "Unknown option '--fast'"],
    [['organization', 'create'], 'NAME is missing'],
    [['migrate', 'now'], '"now" is one argument too many'],
    [['token', 'create', '--role', 'Owner'], '--organization is missing'],
    [['token', 'create', '--organization', 'x', '--role', 'Owner', '--location', 'Zürich'], '--location must be an id'],
    [['demo', '--spaces', 'many'], '--spaces must be a whole number'],
  ])('%j is refused with a sentence and exit 2', async (args, words) => {
    const { code, out, err } = await gatehouse(args, await freshHouse())
    expect(err).toMatch(sentence)
    expect(err).toContain(words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })

  it.each([
    [{ PORT: '99999' }, 'PORT is "99999"'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud"'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must begin with postgres://'],
    [
      { DATABASE_URL: 'postgres://nobody:secret-word@127.0.0.1:1/none' },
      'The database 127.0.0.1:1/none cannot be opened',
    ],
    [{ DATABASE_URL: '', DATA_DIR: '/dev/null/data' }, 'cannot be opened'],
    [{ HOST: '203.0.113.7' }, 'Cannot listen on 203.0.113.7'],
  ])('the configuration %j stops the start with a sentence and exit 1', async (wrong, words) => {
    const { code, err } = await gatehouse(['serve'], { ...(await freshHouse()), ...wrong })
    expect(err).toMatch(sentence)
    expect(err).toContain(words)
    expect(err).not.toContain('secret-word')
    expect(code).toBe(1)
  })

  it('a database that is damaged stops it with the way out', async () => {
    const env = await freshHouse()
    await writeFile(join(env.DATA_DIR as string, 'gatehouse.db'), 'no database '.repeat(1000))
    const { code, err } = await gatehouse(['migrate'], env)
    expect(err).toMatch(sentence)
    expect(err).toContain('Restore it from a backup: gatehouse restore FILE')
    expect(code).toBe(1)
  })
})

describe('organizations and tokens', () => {
  it('token create prints the token alone, and it works over HTTP', async () => {
    const env = await migratedHouse()
    expect((await gatehouse(['organization', 'create', 'Test', '--time-zone', 'Europe/Zurich'], env)).code).toBe(0)
    const args = ['token', 'create', '--organization', 'Test', '--role', 'Auditor', '--name', 'Watcher']
    const { code, out } = await gatehouse(args, env)
    expect(code).toBe(0)
    expect(out).toMatch(/^acs_pat_[0-9A-Za-z]{49}\n$/)
    const { address } = await serve([], env)
    const headers = { authorization: `Token ${out.trim()}`, 'content-type': 'application/json' }
    expect((await fetch(`${address}/api/v1/locations`, { headers })).status).toBe(200)
    expect((await fetch(`${address}/api/v1/locations`, { headers, method: 'POST', body: '{"name":"x"}' })).status).toBe(
      403,
    )
  })

  it('a suspended organization’s tokens are refused within a second by a server that runs, and work again when it is resumed', async () => {
    const env = await migratedHouse()
    const token = await tokenFor(env)
    const { address } = await serve([], env)
    const ask = async () =>
      (await fetch(`${address}/api/v1/locations`, { headers: { authorization: `Token ${token}` } })).status
    expect(await ask()).toBe(200)
    expect(await gatehouse(['organization', 'suspend', 'Test'], env)).toMatchObject({ code: 0, out: '' })
    await expect.poll(ask, { timeout: 1000, interval: 20 }).toBe(401)
    expect((await gatehouse(['organization', 'suspend', 'Test'], env)).err).toContain('is suspended already')
    expect((await gatehouse(['organization', 'resume', 'Test'], env)).code).toBe(0)
    await expect.poll(ask, { timeout: 1000, interval: 20 }).toBe(200)
  })

  it('what cannot be done is a sentence and exit 1', async () => {
    const env = await migratedHouse()
    await tokenFor(env)
    const token = ['token', 'create', '--organization']
    const id = '01997d2a-4c00-7000-8000-000000000001'
    const refusals: Array<[string[], string]> = [
      [['organization', 'create', 'Test'], 'already an organization "Test"'],
      [['organization', 'create', 'Other', '--time-zone', 'Mars/Base'], '"Mars/Base" is not an IANA time zone'],
      [[...token, 'Nobody', '--role', 'Owner'], 'no organization "Nobody"'],
      [[...token, 'Test', '--role', 'King'], 'no role "King"'],
      [[...token, 'Test', '--role', 'Owner', '--expires', 'tomorrow'], '"tomorrow" is not a date'],
      [[...token, 'Test', '--role', 'Owner', '--building', id], `no building ${id}`],
      [['audit', 'verify', '--organization', 'Nobody'], 'no organization "Nobody"'],
      [['organization', 'suspend', 'Nobody'], 'no organization "Nobody"'],
      [['organization', 'resume', 'Test'], '"Test" is not suspended'],
    ]
    for (const [args, words] of refusals) {
      const { code, out, err } = await gatehouse(args, env)
      expect(err).toMatch(sentence)
      expect(err).toContain(words)
      expect({ code, out }).toEqual({ code: 1, out: '' })
    }
  })
})

describe('the database', () => {
  it('migrate says what it applied, and the second time that there is nothing to do', async () => {
    const env = await freshHouse()
    expect((await gatehouse(['migrate'], env)).err).toContain('0001-organizations.sql')
    expect((await gatehouse(['migrate'], env)).err).toBe('The schema is up to date.\n')
  })

  it.skipIf(isPostgres)('a backup opens and holds the rows, and never overwrites', async () => {
    const env = await migratedHouse()
    await tokenFor(env)
    const { code, out } = await gatehouse(['backup'], env)
    expect(code).toBe(0)
    const file = out.trim()
    expect(file.startsWith(join(env.DATA_DIR as string, 'backups', 'gatehouse-'))).toBe(true)
    const db = new DatabaseSync(file, { readOnly: true })
    expect(db.prepare('select name from organizations').all()).toEqual([{ name: 'Test' }])
    expect(db.prepare('select count(*) as n from tokens').get()).toEqual({ n: 1 })
    db.close()
    const again = await gatehouse(['backup', file], env)
    expect(again).toMatchObject({ code: 1, out: '', err: `${file} exists already; nothing was written.\n` })
    expect(existsSync(`${file}.partial`)).toBe(false)
  })

  it.skipIf(isPostgres)('a backup of a database that is not there makes none', async () => {
    const env = await freshHouse()
    const { code, err } = await gatehouse(['backup'], env)
    expect({ code, isMade: existsSync(join(env.DATA_DIR as string, 'gatehouse.db')) }).toEqual({
      code: 1,
      isMade: false,
    })
    expect(err).toContain('There is no database at')
  })

  it.runIf(isPostgres)('a backup of a PostgreSQL database that holds nothing yet says so', async () => {
    const { code, err } = await gatehouse(['backup', '--logical'], await freshHouse())
    expect(code).toBe(1)
    expect(err).toContain('there is nothing in it yet')
  })

  it('audit verify counts what is intact, and names the first row that was altered', async () => {
    const env = await migratedHouse()
    await tokenFor(env)
    await tokenFor(env, 'Owner', 'Other')
    const before = await gatehouse(['audit', 'verify'], env)
    expect(before).toEqual({ code: 0, out: 'Test: 4 entries, intact\nOther: 4 entries, intact\n', err: '' })
    await tamper(env, `update audit_log set actor_name = 'somebody else' where sequence = 3 and org = 2`)
    const after = await gatehouse(['audit', 'verify'], env)
    expect(after.code).toBe(1)
    expect(after.out).toBe('Test: 4 entries, intact\nOther: entry 3: the row or its place in the chain was altered\n')
    expect((await gatehouse(['audit', 'verify', '--organization', 'Test'], env)).code).toBe(0)
  })

  it('openapi prints the document under BASE_URL and touches no database', async () => {
    const env = await freshHouse()
    const { code, out } = await gatehouse(['openapi'], { ...env, BASE_URL: 'https://doors.example' })
    expect(code).toBe(0)
    const document = JSON.parse(out)
    expect(document.servers[0].url).toBe('https://doors.example')
    expect(Object.keys(document.paths)).toContain('/api/v1/spaces')
    for (const file of [join(env.DATA_DIR as string, 'gatehouse.db'), join(root, ':memory:')])
      expect(existsSync(file)).toBe(false)
  })
})
