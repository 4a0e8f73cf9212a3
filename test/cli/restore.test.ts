import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { type Env, freshHouse, gatehouse, migratedHouse, serve, start, tokenFor } from './child.ts'

const isPostgres = process.env.ENGINE === 'postgres'

const databaseOf = (env: Env): string => join(env.DATA_DIR as string, 'gatehouse.db')

function inside<T>(file: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file)
  try {
    return work(db)
  } finally {
    db.close()
  }
}

const organizationsIn = (file: string): unknown[] =>
  inside(file, (db) =>
    db
      .prepare('select name from organizations order by key')
      .all()
      .map((row) => row.name),
  )

const isSound = (file: string): boolean =>
  inside(file, (db) => db.prepare('pragma integrity_check').get()?.integrity_check === 'ok')

/** Everything in the folder that a restore could have touched, with what it holds. */
const contents = (env: Env): Record<string, string> => {
  const names = readdirSync(env.DATA_DIR as string).filter((name) => name !== 'backups' && name !== 'gatehouse.lock')
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(env.DATA_DIR as string, name), 'base64')]))
}

async function backUp(env: Env): Promise<string> {
  const { code, out, err } = await gatehouse(['backup'], env)
  expect([code, err]).toEqual([0, 'The copy was checked and is whole.\n'])
  return out.trim()
}

describe.skipIf(isPostgres)('backup', () => {
  it('ends however often somebody writes, and is for its owner alone', async () => {
    const env = await migratedHouse()
    await tokenFor(env)
    const writer = new DatabaseSync(databaseOf(env))
    writer.prepare('update storage_probes set filler = ?').run('x'.repeat(20_000_000))
    const running = start(['backup'], env)
    let isOver = false
    void running.ended.then(() => {
      isOver = true
    })
    let written = 0
    while (!isOver) {
      writer.exec(`update organizations set name = name`)
      written += 1
      await new Promise(setImmediate)
    }
    writer.close()
    const { code, out } = await running.ended
    expect(code).toBe(0)
    expect(written).toBeGreaterThan(20)
    const folder = join(env.DATA_DIR as string, 'backups')
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([out.trim()])
    expect(statSync(out.trim()).mode & 0o777).toBe(0o600)
    expect(isSound(out.trim())).toBe(true)
  })

  it('stopped half-way it leaves nothing', async () => {
    const env = await migratedHouse()
    await tokenFor(env)
    inside(databaseOf(env), (db) => db.prepare('update storage_probes set filler = ?').run('x'.repeat(50_000_000)))
    const target = await freshHouse()
    const folder = target.DATA_DIR as string
    const running = start(['backup', join(folder, 'copy.db')], env)
    const watcher = watch(folder, () => running.process.kill('SIGTERM'))
    const { code, err } = await running.ended
    watcher.close()
    expect({ code, err, left: readdirSync(folder) }).toEqual({
      code: 1,
      err: expect.stringContaining('it was stopped'),
      left: [],
    })
  })
})

describe.skipIf(isPostgres)('restore', () => {
  it('puts the backup in place of a database that was cut off, whose log does not get into it', async () => {
    const env = await migratedHouse()
    await tokenFor(env)
    const file = await backUp(env)
    const { process, ended } = await serve([], env)
    await tokenFor(env, 'Owner', 'Later')
    process.kill('SIGKILL')
    await ended
    const database = databaseOf(env)
    expect(statSync(`${database}-wal`).size).toBeGreaterThan(0)
    writeFileSync(join(env.DATA_DIR as string, 'audit-witness.json'), '{}')

    const { code, err } = await gatehouse(['restore', file], env)
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('1 organization, 4 entries of the audit log, every page checked'),
    ])
    expect(organizationsIn(database)).toEqual(['Test'])
    expect(statSync(database).mode & 0o777).toBe(0o600)
    expect(isSound(database)).toBe(true)
    expect(await gatehouse(['audit', 'verify'], env)).toMatchObject({ code: 0, out: 'Test: 4 entries, intact\n' })
    const [, kept = ''] = /is in (\S+);/.exec(err) ?? []
    expect(readdirSync(kept).sort()).toEqual(['audit-witness.json', 'gatehouse.db'])
    expect(organizationsIn(join(kept, 'gatehouse.db'))).toEqual(['Test', 'Later'])
    expect(existsSync(file)).toBe(true)
  })

  it('replaces a database that is damaged beyond opening, keeping it and its log', async () => {
    const env = await migratedHouse()
    await tokenFor(env)
    const file = await backUp(env)
    writeFileSync(databaseOf(env), 'this was a database once'.repeat(1000))
    writeFileSync(`${databaseOf(env)}-wal`, 'and this its log')
    const { code, err } = await gatehouse(['restore', file], env)
    expect([code, organizationsIn(databaseOf(env)), isSound(databaseOf(env))]).toEqual([0, ['Test'], true])
    const [, kept = ''] = /is in (\S+);/.exec(err) ?? []
    expect(readFileSync(join(kept, 'gatehouse.db'), 'utf8')).toContain('this was a database once')
  })

  it('takes along the log of a database that was copied by hand', async () => {
    const env = await migratedHouse()
    await tokenFor(env)
    const live = new DatabaseSync(databaseOf(env))
    live.exec(`pragma wal_autocheckpoint = 0; update organizations set name = 'In the log'`)
    const copy = join((await freshHouse()).DATA_DIR as string, 'copied.db')
    for (const ending of ['', '-wal']) copyFileSync(databaseOf(env) + ending, copy + ending)
    live.close()
    const elsewhere = await freshHouse()
    expect((await gatehouse(['restore', copy], elsewhere)).code).toBe(0)
    expect(organizationsIn(databaseOf(elsewhere))).toEqual(['In the log'])
  })

  it('is refused while a server runs on the folder, even when its database has vanished', async () => {
    const env = await migratedHouse()
    await tokenFor(env)
    const file = await backUp(env)
    const { signal, ended } = await serve([], env)
    const refused = { code: 1, out: '', err: expect.stringContaining('stop it first. Nothing was changed.') }
    expect(await gatehouse(['restore', file], env)).toEqual(refused)
    renameSync(databaseOf(env), `${databaseOf(env)}.away`)
    expect(await gatehouse(['restore', file], env)).toEqual(refused)
    renameSync(`${databaseOf(env)}.away`, databaseOf(env))
    signal('SIGTERM')
    await ended
    expect((await gatehouse(['restore', file], env)).code).toBe(0)
  })

  it('refuses what is no sound backup, and changes nothing', async () => {
    const env = await migratedHouse()
    await tokenFor(env)
    const good = await backUp(env)
    const spoilt = (name: string, spoil: (file: string) => void): string => {
      const file = join(env.DATA_DIR as string, 'backups', name)
      copyFileSync(good, file)
      spoil(file)
      return file
    }
    const sql = (text: string) => (file: string) => inside(file, (db) => db.exec(text))
    const cases: Array<[file: string, words: string]> = [
      [join(env.DATA_DIR as string, 'none.db'), 'There is no file'],
      [databaseOf(env), 'is the database itself'],
      [spoilt('empty.db', (file) => writeFileSync(file, '')), 'no database of Gatehouse'],
      [spoilt('text.db', (file) => writeFileSync(file, 'Dear backup, '.repeat(100))), 'not a database'],
      [spoilt('cut.db', (file) => writeFileSync(file, readFileSync(good).subarray(0, 40_960))), 'was not restored'],
      [spoilt('other.db', sql('drop table audit_log')), 'no database of Gatehouse'],
      [
        spoilt('newer.db', sql(`insert into migrations values (9999, '9999-later.sql', '')`)),
        'newer than this version',
      ],
      [spoilt('altered.db', sql(`update audit_log set actor_name = 'Somebody' where sequence = 2`)), 'entry 2'],
      [spoilt('shortened.db', sql(`delete from audit_log where sequence = 4`)), 'the audit log of Test does not hold'],
    ]
    const before = contents(env)
    for (const [file, words] of cases) {
      const { code, err } = await gatehouse(['restore', file], env)
      expect([file, code, err]).toEqual([file, 1, expect.stringContaining(words)])
      expect(contents(env)).toEqual(before)
    }
    const altered = cases.at(-2)?.[0] as string
    const lenient = await gatehouse(['restore', altered, '--accept-audit-faults'], env)
    expect([lenient.code, lenient.err]).toEqual([0, expect.stringContaining('Although the audit log of Test')])
  })
})

it.runIf(isPostgres)('restore on PostgreSQL names the tool for it', async () => {
  const { code, err } = await gatehouse(['restore', 'x.db'], await freshHouse())
  expect([code, err]).toEqual([1, expect.stringContaining('pg_restore')])
})
