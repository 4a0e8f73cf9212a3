import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { allResources } from '../../src/all-resources.ts'
import { renewDemoUser } from '../../src/cli/demo-user.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { declareResources } from '../../src/db/resources.ts'
import { openSqlite } from '../../src/db/sqlite/sqlite.ts'
import { type Env, freshHouse, gatehouse, migratedHouse, serve } from './child.ts'

const isPostgres = process.env.ENGINE === 'postgres'

/** A house with the demo organization, and the token that was printed. */
async function furnished(): Promise<{ env: Env; token: string }> {
  const env = await migratedHouse()
  const { code, err } = await gatehouse(['demo', '--spaces', '60'], env)
  expect(err).not.toContain('    at ')
  expect(code).toBe(0)
  const organizations = await gatehouse(['token', 'create', '--organization', 'Demo', '--role', 'Owner'], env)
  expect(organizations.err).toContain('Valid until')
  return { env, token: organizations.out.trim() }
}

/** Somebody of the demo organization who logs in with a password. */
async function somebody({ DATA_DIR, DATABASE_URL }: Env): Promise<{ email: string; password: string }> {
  const engine = DATABASE_URL
    ? await openPostgres(DATABASE_URL, { poolSize: 2, onError: () => undefined })
    : openSqlite(join(DATA_DIR as string, 'gatehouse.db'))
  declareResources(engine, allResources)
  try {
    return await renewDemoUser(engine, 1, new Date().toISOString())
  } finally {
    await engine.close()
  }
}

/** The keys belong to the folder, not to the database. */
function withKeys(from: Env, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const file of readdirSync(from.DATA_DIR as string))
    if (file === 'secret-key' || file.endsWith('.pem'))
      copyFileSync(join(from.DATA_DIR as string, file), join(to, file))
}

it('everything is there in the copy, and in the copy of the copy on the first engine', {
  timeout: 120_000,
}, async () => {
  const { env, token } = await furnished()
  const { email, password } = await somebody(env)
  const away = join(env.DATA_DIR as string, 'away')
  withKeys(env, away)
  const first = await gatehouse(['copy', '--to', join(away, 'gatehouse.db')], env)
  expect(first.err).not.toContain('    at ')
  expect(first.out).toMatch(
    /^\d+ rows of \d+ tables copied, and read again: equal\.\nThe audit log of 1 organization holds: \d+ entries\.\n$/,
  )
  const misspelt = await gatehouse(['copy', '--to', `sqlite:${join(away, 'other.db')}`], env)
  expect(misspelt).toMatchObject({ code: 2, err: expect.stringContaining('sqlite: is neither') })
  const again = await gatehouse(['copy', '--to', join(away, 'gatehouse.db')], env)
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('exists already') })

  const back = await freshHouse()
  withKeys(env, back.DATA_DIR as string)
  const to = isPostgres ? (back.DATABASE_URL as string) : join(back.DATA_DIR as string, 'gatehouse.db')
  const second = await gatehouse(
    ['copy', '--to', to, '--token', token, '--email', email],
    { DATA_DIR: away },
    `${password}\n`,
  )
  expect(second.code).toBe(0)
  expect(second.out).toContain('The copy takes the token, and answers it like the original.')
  expect(second.out).toContain(`The copy takes the password of ${email}.`)
  expect(/^\d+ rows of \d+ tables/.exec(second.out)?.[0]).toBe(/^\d+ rows of \d+ tables/.exec(first.out)?.[0])
  if (isPostgres)
    expect((await gatehouse(['copy', '--to', to], { DATA_DIR: away })).err).toContain('has organizations already')

  expect((await gatehouse(['audit', 'verify'], back)).code).toBe(0)
  const { address } = await serve([], back)
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
  const made = await fetch(`${address}/api/v1/locations`, {
    method: 'POST',
    headers,
    body: '{"name": "Nach dem Umzug"}',
  })
  expect(made.status).toBe(201)
  const found = await fetch(`${address}/api/v1/locations?search=umzug`, { headers })
  expect(((await found.json()) as { data: unknown[] }).data).toHaveLength(1)
})

it.runIf(isPostgres)(
  'a backup of PostgreSQL is a dump, or a file that a service can be started on',
  { timeout: 120_000 },
  async () => {
    const { env, token } = await furnished()
    const dump = await gatehouse(['backup'], env)
    expect(dump).toMatchObject({ code: 0, out: expect.stringMatching(/gatehouse-\S+\.(dump|db)\n$/) })
    const away = join(env.DATA_DIR as string, 'away')
    withKeys(env, away)
    const logical = await gatehouse(['backup', '--logical', join(away, 'gatehouse.db')], env)
    expect(logical).toMatchObject({ code: 0, err: 'The copy was checked and is whole.\n' })
    expect((await gatehouse(['audit', 'verify'], { DATA_DIR: away })).code).toBe(0)
    const { address } = await serve([], { DATA_DIR: away })
    expect((await fetch(`${address}/api/v1/me`, { headers: { authorization: `Token ${token}` } })).status).toBe(200)
  },
)
