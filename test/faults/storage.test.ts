import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { gatehouse } from '../support/processes.ts'
import { Caller } from './caller.ts'
import { figure, watch } from './figures.ts'
import { Ledger } from './ledger.ts'
import { createSite } from './site.ts'

/** Enough that a copy in small steps would never end while somebody writes. */
const MEGABYTES = 200

describe('the files of SQLite, under a real server', () => {
  it('a backup ends while somebody writes all the time, and nobody waits for it', async () => {
    const site = await createSite()
    const server = await site.serve()
    const caller = new Caller(server.url, site.token)
    const db = new DatabaseSync(join(site.folder, 'gatehouse.db'))
    db.exec(`update storage_probes set filler = hex(zeroblob(${MEGABYTES * 500_000}))`)
    db.exec('pragma wal_checkpoint(truncate)')
    db.close()
    const ledger = new Ledger()
    const started = performance.now()
    const { result: file, longestWaitMs } = await watch(`backup of ${MEGABYTES} MB on SQLite`, server, async () => {
      let isOver = false
      const copying = gatehouse(['backup'], { DATA_DIR: site.folder }).finally(() => {
        isOver = true
      })
      for (let i = 0; !isOver; i++) await ledger.write(caller, `meanwhile-${i}`)
      return copying
    })
    figure(`backup of ${MEGABYTES} MB on SQLite: took`, performance.now() - started, 'ms')
    figure(`backup of ${MEGABYTES} MB on SQLite: writes meanwhile`, ledger.created.size, '')
    expect(ledger.created.size).toBeGreaterThan(5)
    expect(ledger.statuses).toEqual({ 200: ledger.created.size, 201: ledger.created.size })
    // A machine that is busy with everything else may be late.
    expect(longestWaitMs).toBeLessThan(1500)
    await server.stop()
    await gatehouse(['restore', file], { DATA_DIR: site.folder })
    expect(await site.verifyAudit()).toMatch(/^Test: \d+ entries, intact/)
    caller.close()
  })

  it('nothing is acknowledged into a database that was deleted; put back, it goes on where it was', async () => {
    const site = await createSite()
    const server = await site.serve()
    const caller = new Caller(server.url, site.token)
    const ledger = new Ledger()
    for (let i = 0; i < 5; i++) await ledger.write(caller, `before-${i}`)
    const database = join(site.folder, 'gatehouse.db')
    renameSync(database, `${database}.away`)
    for (let i = 0; i < 20; i++) expect(await ledger.write(caller, `gone-${i}`)).toBe(false)
    const unready = await caller.get('/readyz')
    expect([unready.status, unready.body.error.reason]).toEqual([503, 'storage_gone'])
    renameSync(`${database}.away`, database)
    expect((await caller.get('/readyz')).status).toBe(200)
    await ledger.settle(caller)
    expect(ledger.faults).toEqual([])
    await ledger.expectKept(site)
    caller.close()
    rmSync(`${database}.away`, { force: true })
  })
})
