import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import type { Engine, Session } from '../engine.ts'
import type { Change, OrgVersions } from '../kept/versions.ts'

// What this process commits it knows without reading it again; whatever else is committed is read.

const ORG = 1
const house = await startHouse()
const { engine, owner } = house
const neighbour = await house.neighbour()

const change = (data: number): Change => ({ data, moved: ['locations.address'] })
const known = async (): Promise<number> => (await engine.versions(ORG)).data
/** What the database has of it, whatever is known. */
const stored = async (): Promise<number> => {
  const [row] = await engine.reader.all<{ data: number }>('select data_version as data from organizations', [])
  return row?.data ?? Number.NaN
}
const store = (session: Session, data: number) =>
  session.run('update organizations set data_version = $2 where key = $1', [ORG, data])

describe.skipIf(process.env.ENGINE === 'postgres')('the versions of what SQLite has committed', () => {
  const commit = (work: (session: Session, on: Engine) => Promise<unknown>) =>
    engine.transaction(async (session) => void (await work(session, engine)))

  it('are within one turn of the loop those that were asked first, unless it has to be the latest', async () => {
    const [{ file = '' } = {}] = await engine.reader.all<{ file: string }>('pragma database_list', [])
    const other = new DatabaseSync(file)
    const before = await known()
    // Nothing is waited for from here on: all of it is in one turn.
    const dataOf = (versions: OrgVersions | Promise<OrgVersions>) => (versions as OrgVersions).data
    const first = dataOf(engine.versions(ORG))
    other.exec('update organizations set data_version = data_version + 1')
    expect([first, dataOf(engine.versions(ORG)), dataOf(engine.latest(ORG))]).toEqual([before, before, before + 1])
    other.close()
  })

  it('are those that were announced, without being read', async () => {
    const before = await known()
    await commit((session, on) => on.announce(session, ORG, change(before + 1)))
    expect([await known(), await stored()]).toEqual([before + 1, before])
    await commit((session) => store(session, before + 1))
  })

  it('are read where what was announced is not the next, and where nothing was', async () => {
    const before = await known()
    await commit(async (session, on) => {
      await store(session, before + 3)
      await on.announce(session, ORG, change(before + 3))
    })
    expect(await known()).toBe(before + 3)
    await commit((session) => store(session, before + 5))
    expect(await known()).toBe(before + 5)
  })

  it('are all those of one transaction', async () => {
    const { data, live } = await engine.versions(ORG)
    await commit(async (session, on) => {
      await on.announce(session, ORG, change(data + 1))
      await on.announce(session, ORG, { data: live + 1, moved: ['alarms'], isLive: true })
    })
    expect(await engine.versions(ORG)).toMatchObject({ data: data + 1, live: live + 1 })
    await commit((session) => store(session, data + 1))
  })

  it('are not those of a transaction that was taken back', async () => {
    const before = await known()
    const taken = commit(async (session, on) => {
      await on.announce(session, ORG, change(before + 1))
      throw new Error('taken back')
    })
    await expect(taken).rejects.toThrow('taken back')
    await commit(async () => undefined)
    expect(await known()).toBe(before)
  })

  it('are those of another connection too, between two of our own', async () => {
    const place = async (name: string) => expect((await owner.post('/api/v1/locations', { name })).status).toBe(201)
    await place('Ours')
    const before = await known()
    await neighbour.house.engine.transaction((session) => store(session, before + 1).then(() => undefined))
    await place('Ours again')
    expect([await known(), await stored()]).toEqual([before + 2, before + 2])
  })
})
