import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import type { Engine } from '../../src/db/engine.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openSqlite } from '../../src/db/sqlite/sqlite.ts'
import { createOrganization } from '../../src/identity/organizations.ts'
import { actor, openEmpty } from '../support/app.ts'

const opened: Array<() => Promise<void>> = []
afterAll(async () => {
  for (const close of opened) await close()
})

/** A database without any table, and another process that has it open too. */
async function freshPair(): Promise<[Engine, Engine]> {
  const { engine, open, drop } = await openEmpty()
  const other = await open()
  opened.push(async () => {
    await engine.close()
    await other.close()
    await drop()
  })
  return [engine, other]
}

const applied = (engine: Engine) =>
  engine.reader.all<{ number: number; name: string }>('select number, name from migrations order by number', [])

it.runIf(process.env.ENGINE === 'postgres')(
  'two that start at once on a fresh database both come up, and each migration is applied once',
  async () => {
    const [one, two] = await freshPair()
    const [first, second] = await Promise.all([migrate(one), migrate(two)])
    const rows = await applied(one)
    expect(rows.length).toBeGreaterThan(0)
    expect([...first.applied, ...second.applied].sort()).toEqual(rows.map((row) => row.name))
    await createOrganization(two, '2027-01-01T00:00:00.000Z', actor, 'Works')
  },
)

// SQLite waits for its lock without letting the event loop turn: one process alone could not show it.
it.runIf(process.env.ENGINE === 'sqlite')(
  'two processes that start at once on a fresh file both come up, and each migration is applied once',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-'))
    opened.push(() => rm(folder, { recursive: true, force: true }))
    const program = `
      import { migrate } from ${JSON.stringify(new URL('../../src/db/migrate.ts', import.meta.url).href)}
      import { openSqlite } from ${JSON.stringify(new URL('../../src/db/sqlite/sqlite.ts', import.meta.url).href)}
      const engine = openSqlite(process.argv[1])
      console.log(JSON.stringify((await migrate(engine)).applied))
      await engine.close()`
    const start = async (): Promise<string[]> => {
      const args = ['--input-type=module', '-e', program, join(folder, 'gatehouse.db')]
      return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout)
    }
    const lists = await Promise.all([start(), start(), start()])
    expect(lists.filter((list) => list.length > 0)).toHaveLength(1)
    const engine = openSqlite(join(folder, 'gatehouse.db'))
    opened.unshift(() => engine.close())
    expect(lists.flat()).toEqual((await applied(engine)).map((row) => row.name))
  },
)

it.runIf(process.env.ENGINE === 'sqlite')('whoever starts meanwhile waits, longer than a request would', async () => {
  const [one, two] = await freshPair()
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const held = one.transaction(() => promise)
  const started = migrate(two)
  await delay(5500)
  release()
  await held
  expect((await started).applied.length).toBeGreaterThan(0)
})

it('starting again applies nothing', async () => {
  const [one, two] = await freshPair()
  await migrate(one)
  expect(await migrate(one)).toEqual({ applied: [] })
  expect(await migrate(two)).toEqual({ applied: [] })
})

it('of where people were last seen keeps what is of somebody, in a database that is in use', async () => {
  const [one] = await freshPair()
  await migrate(one)
  const now = '2027-01-01T00:00:00.000Z'
  const { key } = await createOrganization(one, now, actor, 'Works')
  const [here, gone] = [randomUUID(), randomUUID()]
  await one.transaction(async (session) => {
    const person = 'id, created_at, updated_at, version, kind, given_name, family_name, display_name, status'
    await session.run(
      `insert into individuals (org, ${person}) values ($1, $2, $3, $3, 1, 'employee', '', '', 'Ada', 'active')`,
      [key, here, now],
    )
    // As it was before: by itself, for whoever was deleted too.
    const before = one.dialect.name === 'sqlite' ? 'text' : 'uuid'
    const time = one.dialect.name === 'sqlite' ? 'text' : 'timestamptz(3)'
    await session.script(`drop table presence;
      create table presence (org integer not null, individual_id ${before} not null, space_id ${before},
        access_point_id ${before}, since ${time} not null, primary key (org, individual_id));
      create index presence_by_space on presence (org, space_id, since)`)
    for (const id of [here, gone])
      await session.run('insert into presence (org, individual_id, since) values ($1, $2, $3)', [key, id, now])
    await session.run('delete from migrations where number = 121', [])
  })
  expect((await migrate(one)).applied).toContain('0121-presence-of-somebody.sql')
  const seen = () => one.reader.all('select individual_id as id, since from presence', [])
  expect(await seen()).toEqual([{ id: here, since: now }])
  await one.transaction((session) => session.run('delete from individuals where id = $1', [here]))
  expect(await seen()).toEqual([])
})

it('of where people were before keeps where they are, in a database that is in use', async () => {
  const [one] = await freshPair()
  await migrate(one)
  const now = '2027-01-01T00:00:00.000Z'
  const { key } = await createOrganization(one, now, actor, 'Works')
  const [ada, space, door] = [randomUUID(), randomUUID(), randomUUID()]
  const places = ['before_space_id', 'before_access_point_id', 'left_building_id']
  const added = [...places, 'before_since', 'heard_at', 'left_at']
  await one.transaction(async (session) => {
    const person = 'id, created_at, updated_at, version, kind, given_name, family_name, display_name, status'
    await session.run(
      `insert into individuals (org, ${person}) values ($1, $2, $3, $3, 1, 'employee', '', '', 'Ada', 'active')`,
      [key, ada, now],
    )
    for (const column of added) await session.script(`alter table presence drop column ${column}`)
    const columns = 'org, individual_id, space_id, access_point_id, since'
    await session.run(`insert into presence (${columns}) values ($1, $2, $3, $4, $5)`, [key, ada, space, door, now])
    await session.run('delete from migrations where number = 126', [])
  })
  expect((await migrate(one)).applied).toEqual(['0126-whereabouts-before.sql'])
  const [seen] = await one.reader.all<Record<string, unknown>>('select * from presence', [])
  expect(seen).toMatchObject({ id: ada, space_id: space, access_point_id: door, since: now })
  for (const column of added) expect(seen?.[column], column).toBeNull()
})

it('a schema newer than the program is refused with a sentence that says so, and left as it is', async () => {
  const [one, two] = await freshPair()
  await migrate(one)
  const newest = (await applied(one)).at(-1)?.number ?? 0
  await one.transaction((session) =>
    session.run('insert into migrations (number, name, applied_at) values ($1, $2, $3)', [
      newest + 1,
      'of-the-future.sql',
      '2030-01-01',
    ]),
  )
  const before = await applied(one)
  await expect(migrate(two)).rejects.toThrow(
    `The database is at schema ${newest + 1}, newer than this version of Gatehouse knows (${newest})`,
  )
  expect(await applied(one)).toEqual(before)
})

it('a migration that fails leaves the database as it was', async () => {
  const [one] = await freshPair()
  // In the way of a table that the migrations create.
  await one.transaction((session) => session.script('create table keys (a integer)'))
  await expect(migrate(one)).rejects.toThrow(/keys/)
  await one.transaction((session) => session.script('drop table keys'))
  expect((await migrate(one)).applied.length).toBeGreaterThan(0)
})
