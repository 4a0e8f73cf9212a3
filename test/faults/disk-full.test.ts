import { execFile } from 'node:child_process'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGuard } from '../support/guard.ts'
import type { Server } from '../support/processes.ts'
import { Caller } from './caller.ts'
import { Ledger } from './ledger.ts'
import { createSite, type Site } from './site.ts'

const run = promisify(execFile)

/** A small file system of its own, where that is allowed. */
async function mountSmall(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-disk-'))
  const guard = startGuard(folder)
  onTestFinished(() => guard.release())
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'gatehouse-faults', folder]).then(
    () => true,
    () => false,
  )
  return isMounted ? folder : undefined
}

/** Takes all the space there is but a little. */
async function fill(folder: string, leftKiB: number): Promise<string> {
  const ballast = join(folder, 'ballast')
  const { bavail, bsize } = await statfs(folder)
  await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leftKiB * 1024)))
  return ballast
}

/** Writes until one is refused, and a few more. Gives how many were acknowledged. */
async function writeUntilRefused(ledger: Ledger, caller: Caller, prefix: string): Promise<number> {
  let refused = 0
  const before = ledger.created.size
  for (let i = 0; i < 5000 && refused < 5; i++) if (!(await ledger.write(caller, `${prefix}-${i}`))) refused += 1
  expect(refused, 'writes that were refused').toBe(5)
  return ledger.created.size - before
}

async function expectReadsGoOn(caller: Caller): Promise<void> {
  // Paths that nobody has asked for yet: the database answers, not the memory.
  for (let limit = 1; limit <= 10; limit++) {
    const answer = await caller.get(`/api/v1/locations?order=name.desc&limit=${limit}`)
    expect([answer.status, answer.body.data?.length]).toEqual([200, limit])
  }
  expect((await caller.get('/api/v1/locations?search=before&limit=20')).status).toBe(200)
}

/** Asked until the answer is what it must be: nobody has to write for it to be noticed. */
const expectReady = (caller: Caller, status: number, reason?: string) =>
  expect
    .poll(async () => {
      const answer = await caller.get('/readyz')
      return [answer.status, answer.body.error?.reason]
    })
    .toEqual([status, reason])

async function expectHealed(site: Site, server: Server, ledger: Ledger, caller: Caller): Promise<void> {
  expect(await ledger.write(caller, 'space-again')).toBe(true)
  await ledger.settle(caller)
  expect(server.isRunning()).toBe(true)
  expect(ledger.faults).toEqual([])
  expect(ledger.unanswered).toBe(0)
  expect(
    Object.keys(ledger.statuses)
      .map(Number)
      .filter((status) => ![200, 201, 503].includes(status)),
  ).toEqual([])
  await ledger.expectKept(site)
}

describe('the disk is full, on SQLite', () => {
  it('writes are 503, reads go on, nothing acknowledged is lost, and freed space heals it without a restart', async ({
    skip,
  }) => {
    const folder = await mountSmall()
    if (!folder) {
      console.warn(
        'SKIPPED: the full disk; mounting a tmpfs is not allowed here. The limit on file sizes is tested instead.',
      )
      return skip()
    }
    const site = await createSite(undefined, { folder })
    const server = await site.serve()
    const caller = new Caller(server.url, site.token)
    const ledger = new Ledger()
    for (let i = 0; i < 20; i++) await ledger.write(caller, `before-${i}`)
    for (let round = 0; round < 2; round++) {
      const ballast = await fill(folder, 128)
      // Before the first write is refused.
      await expectReady(caller, 503, 'storage_full')
      await writeUntilRefused(ledger, caller, `full-${round}`)
      await expectReadsGoOn(caller)
      await expectReady(caller, 503, 'storage_full')
      await rm(ballast)
      await expectReady(caller, 200)
      await ledger.settle(caller)
    }
    await expectHealed(site, server, ledger, caller)
  })

  it('kill -9 while it is full loses nothing either', async ({ skip }) => {
    const folder = await mountSmall()
    if (!folder) return skip()
    const site = await createSite(undefined, { folder })
    const server = await site.serve()
    const caller = new Caller(server.url, site.token)
    const ledger = new Ledger()
    const ballast = await fill(folder, 512)
    expect(await writeUntilRefused(ledger, caller, 'full')).toBeGreaterThan(0)
    await server.kill()
    await rm(ballast)
    const next = await site.serve()
    const survivor = new Caller(next.url, site.token)
    await ledger.settle(survivor)
    await expectHealed(site, next, ledger, survivor)
  })

  // In KiB. So much is left below one of them that a small write would fit, and the next change would not.
  const limits = [4064, 4072, 4080, 4088, 4096]
  it.for(limits)(
    'a file that may not grow past %i KiB is the same: 503, reads go on, and it heals',
    async (limit, { skip }) => {
      const site = await createSite()
      // Soft only, so that it can be lifted again.
      const server = await site
        .serve({ through: ['bash', '-c', `ulimit -S -f ${limit}; exec "$@"`, '-'] })
        .catch(() => undefined)
      const lift = (pid: number) => run('prlimit', ['--pid', String(pid), '--fsize=unlimited'])
      if (!server || (await run('prlimit', ['--version']).catch(() => undefined)) === undefined) {
        console.warn('SKIPPED: the limit on file sizes; prlimit or ulimit is missing here.')
        return skip()
      }
      const caller = new Caller(server.url, site.token)
      const ledger = new Ledger()
      for (let i = 0; i < 20; i++) await ledger.write(caller, `before-${i}`)
      await writeUntilRefused(ledger, caller, 'limited')
      await expectReadsGoOn(caller)
      // A file beside the database may grow: only a write into it tells, and what it tells is what the next one meets.
      const isReady = (await caller.get('/readyz')).status === 200
      expect(await ledger.write(caller, 'after-asking')).toBe(isReady)
      await lift(server.pid)
      await expectReady(caller, 200)
      await expectHealed(site, server, ledger, caller)
    },
  )
})
