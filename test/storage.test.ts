import { closeSync, copyFileSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { startHouse, type TestHouse } from './support/app.ts'

const isPostgres = process.env.ENGINE === 'postgres'

const fileOf = async ({ engine }: TestHouse): Promise<string> => {
  const [main] = await engine.reader.all<{ file: string }>('pragma database_list', [])
  return main?.file as string
}

const write = (house: TestHouse, name: string) => house.owner.post('/api/v1/locations', { name })

/** Status and reason of what it says of itself and of each of some writes. */
async function standing(house: TestHouse, writes = 20): Promise<string[]> {
  const answers = [await house.anonymous.get('/readyz')]
  for (let i = 0; i < writes; i++) answers.push(await write(house, `Place ${i}`))
  return [...new Set(answers.map(({ status, body }) => `${status} ${body.error?.reason ?? ''}`.trim()))]
}

describe.skipIf(isPostgres)('the files of SQLite', () => {
  it.each(['', '-wal', '-shm'])(
    'no write is acknowledged while gatehouse.db%s is gone, and it heals when the file is back',
    async (ending) => {
      const house = await startHouse()
      expect((await write(house, 'Before')).status).toBe(201)
      const file = (await fileOf(house)) + ending
      renameSync(file, `${file}.away`)
      expect(await standing(house)).toEqual(['503 storage_gone'])
      // Another file in its place is not the one that was opened.
      copyFileSync(`${file}.away`, file)
      expect(await standing(house)).toEqual(['503 storage_gone'])
      expect((await house.owner.get('/api/v1/locations')).body.data).toMatchObject([{ name: 'Before' }])
      expect((await house.anonymous.get('/livez')).status).toBe(200)
      renameSync(`${file}.away`, file)
      expect(await standing(house, 1)).toEqual(['200', '201'])
    },
  )

  it('a damaged page stops writes for good once it is met', async () => {
    const house = await startHouse()
    for (let i = 0; i < 30; i++) await write(house, `Place ${i}`)
    // So many events have a thread and a connection of their own from here on.
    const report = () =>
      house.owner.post('/api/v1/access-events/batch', { events: Array(60).fill({ type: 'door.opened' }) })
    expect((await report()).status).toBeLessThan(300)
    await house.engine.reader.all('pragma wal_checkpoint(truncate)', [])
    const file = await fileOf(house)
    const pages = await house.engine.reader.all<{ page: number; bytes: number }>(
      `select s.rootpage as page, p.page_size as bytes from sqlite_schema s, pragma_page_size p
       where s.tbl_name = 'key_handovers' and s.rootpage > 0`,
      [],
    )
    const opened = openSync(file, 'r+')
    for (const { page, bytes } of pages) writeSync(opened, Buffer.alloc(bytes, 0xa5), 0, bytes, (page - 1) * bytes)
    closeSync(opened)
    expect((await house.anonymous.get('/readyz')).status).toBe(200)
    const met = await house.owner.get('/api/v1/key-handovers')
    expect([met.status, met.body.error.reason]).toEqual([503, 'storage_damaged'])
    expect(await standing(house, 1)).toEqual(['503 storage_damaged'])
    // A job may have written before the page was met; from then on nobody does.
    const { size } = statSync(`${file}-wal`)
    expect(await standing(house)).toEqual(['503 storage_damaged'])
    expect((await report()).status).toBe(503)
    expect(statSync(`${file}-wal`).size).toBe(size)
  })

  it('/readyz writes where the database lies, and leaves nothing there', async () => {
    const house = await startHouse()
    const probe = `${await fileOf(house)}-probe`
    mkdirSync(probe)
    const answer = await house.anonymous.get('/readyz')
    expect([answer.status, answer.body.error.reason]).toEqual([503, 'storage_not_writable'])
    rmSync(probe, { recursive: true })
    expect((await house.anonymous.get('/readyz')).status).toBe(200)
    expect(statSync(probe, { throwIfNoEntry: false })).toBeUndefined()
  })
})

describe.runIf(isPostgres)('PostgreSQL that takes no writes', () => {
  it('is not ready from the first refused write on, and ready once a write is kept again', async () => {
    const house = await startHouse()
    const [row] = await house.engine.reader.all<{ name: string }>('select current_database() as name', [])
    const administer = async (setting: string) => {
      const client = new pg.Client({ connectionString: inject('postgresUrl') })
      await client.connect()
      await client.query(`alter database ${row?.name} ${setting}`)
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [row?.name])
      await client.end()
    }
    const ready = async () => (await house.anonymous.get('/readyz')).status
    await administer('set default_transaction_read_only = on')
    await expect.poll(async () => (await house.owner.get('/api/v1/locations')).status).toBe(200)
    await expect.poll(async () => (await write(house, 'Refused')).status).toBe(503)
    await expect.poll(async () => (await house.owner.get('/api/v1/buildings')).status).toBe(200)
    expect([await ready(), await ready()]).toEqual([503, 503])
    await administer('reset default_transaction_read_only')
    await expect.poll(ready).toBe(200)
    expect((await write(house, 'Kept')).status).toBe(201)
  })
})
