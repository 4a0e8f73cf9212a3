import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Engine } from '../engine.ts'
import { openSqlite } from './sqlite.ts'
import { SqliteStorage } from './storage.ts'
import { SqliteWal } from './wal.ts'

const threads = () => (process.report.getReport() as { workers: unknown[] }).workers.length

async function opened(): Promise<{ engine: Engine; path: string; write: (n: number) => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-wal-'))
  const path = join(folder, 'some.db')
  const engine = openSqlite(path)
  onTestFinished(async () => {
    await engine.close()
    await rm(folder, { recursive: true })
  })
  await engine.transaction((session) => session.script('create table notes (n integer, body text)'))
  const body = 'x'.repeat(20_000)
  const write = (n: number) =>
    engine.transaction(async (session) => void (await session.run('insert into notes values ($1, $2)', [n, body])))
  return { engine, path, write }
}

it('the log is copied into the database while it is written to, and begins anew', { timeout: 120_000 }, async () => {
  const { engine, path, write } = await opened()
  const before = (await stat(path)).size
  for (let n = 0; n < 1200; n += 40) await Promise.all(Array.from({ length: 40 }, (_, i) => write(n + i)))
  // More was written than the log may grow by.
  await vi.waitFor(async () => expect((await stat(path)).size).toBeGreaterThan(before + 8_000_000), { timeout: 20_000 })
  const [row] = await engine.reader.all<{ count: number }>('select count(*) as count from notes', [])
  expect(row?.count).toBe(1200)
  // However late a busy machine comes to it, it begins anew while writers never pause: else it would be as long as what
  // they have written.
  let written = 0
  let isAnew = false
  const writer = async () => {
    while (!isAnew && written < 20_000) {
      await write(written++)
      if (written % 100 === 0) isAnew = written * 20_000 > 2 * (await stat(`${path}-wal`)).size
    }
  }
  await Promise.all(Array.from({ length: 40 }, writer))
  expect(isAnew).toBe(true)
})

it('at rest its thread ends, and the log is copied again once more is written', { timeout: 60_000 }, async () => {
  const { engine, path, write } = await opened()
  const before = threads()
  const writeAndCopy = async () => {
    const { size } = await stat(path)
    for (let n = 0; n < 500; n += 50) await Promise.all(Array.from({ length: 50 }, (_, i) => write(n + i)))
    await vi.waitFor(async () => expect((await stat(path)).size).toBeGreaterThan(size + 5_000_000), { timeout: 20_000 })
  }
  const rest = () =>
    vi.waitFor(
      () => {
        engine.giveBack?.()
        expect(threads()).toBe(before)
      },
      { timeout: 20_000, interval: 100 },
    )
  await writeAndCopy()
  expect(threads()).toBe(before + 1)
  await rest()
  await writeAndCopy()
  await rest()
})

it('a thread that is let go of may end while the next one copies: that one is still known', async () => {
  const { path, write } = await opened()
  await write(1)
  const wal = new SqliteWal(path, new SqliteStorage(path))
  onTestFinished(() => wal.close())
  const before = threads()
  const copied = async () => {
    await Promise.all(Array.from({ length: 1000 }, () => wal.durable()))
    wal.tidy((work) => work())
    await vi.waitFor(() => expect(Reflect.get(wal, 'copying')).toBeUndefined(), { timeout: 20_000 })
  }
  await copied()
  expect(threads()).toBe(before + 1)
  wal.rest()
  await copied()
  wal.rest()
  await vi.waitFor(() => expect(threads()).toBe(before), { timeout: 20_000 })
})

it('what was acknowledged is in the log', async () => {
  const { path, write } = await opened()
  await Promise.all([write(1), write(2), write(3)])
  const log = await readFile(`${path}-wal`)
  expect(log.includes('x'.repeat(4000))).toBe(true)
})
