import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { giveCalendarNotices, startCalendarNotices } from './calendar-notices.ts'

const house = await startHouse()
const { engine, clock, owner } = house
const DAY = 86_400_000

let made = 0
/** A calendar whose last day is so many days away. */
async function calendar(days: number): Promise<{ id: string; last: string }> {
  made += 1
  const last = inDays(days)
  const { id } = await owner.create('/api/v1/calendars', {
    name: `Calendar ${made}`,
    days: [{ date: last, name: 'Last' }],
  })
  return { id, last }
}
const inDays = (days: number): string => new Date(Date.parse(clock.now()) + days * DAY).toISOString().slice(0, 10)
const tell = (each = engine) => giveCalendarNotices(each, clock.now())
const toldOf = async (id: string): Promise<object[]> => {
  const { body } = await owner.get(`/api/v1/audit-log?resource_id=eq.${id}&action=eq.calendar.runs_out&order=sequence`)
  return body.data.map(({ after }: { after: object }) => after)
}

describe('a calendar whose days run out', () => {
  it('is told of within 60 days of its last, once, as an event and on the record', async () => {
    const far = await calendar(61)
    const near = await calendar(60)
    await tell()
    await tell()
    expect(await toldOf(far.id)).toEqual([])
    expect(await toldOf(near.id)).toEqual([{ name: expect.any(String), last_day: near.last, days_left: 60 }])
    const events = (await owner.get(`/api/v1/changes?type=calendar.runs_out&resource_id=${near.id}`)).body.data
    expect(events).toMatchObject([{ resource: 'calendars', data: { days_left: 60 } }])
  })

  it('is told of anew for another last day, and not changed by being told of', async () => {
    const { id, last } = await calendar(10)
    await tell()
    expect((await owner.get(`/api/v1/calendars/${id}`)).body.data.version).toBe(1)
    const later = { date: inDays(30), name: 'Later' }
    await owner.patch(`/api/v1/calendars/${id}`, { days: [{ date: last, name: 'Last' }, later] })
    await tell()
    expect(await toldOf(id)).toMatchObject([{ days_left: 10 }, { days_left: 30 }])
    await owner.patch(`/api/v1/calendars/${id}`, { days: [...[later], { date: inDays(400), name: 'Far' }] })
    await tell()
    expect(await toldOf(id)).toHaveLength(2)
  })

  it('is told of when its days are over already, and an empty one never', async () => {
    const { id } = await calendar(-5)
    const { id: empty } = await owner.create('/api/v1/calendars', { name: 'Empty' })
    await tell()
    expect(await toldOf(id)).toMatchObject([{ days_left: 0 }])
    expect(await toldOf(empty)).toEqual([])
  })

  it('is told of by the day it is where the organization is', async () => {
    clock.forward(Date.parse(`${inDays(1)}T12:00:00Z`) - Date.parse(clock.now()))
    const { id } = await calendar(61)
    await tell()
    expect(await toldOf(id)).toEqual([])
    const set = (time_zone: string) => house.loggedIn(owner.token).patch('/api/v1/organization', { time_zone })
    expect((await set('Pacific/Kiritimati')).status).toBe(200)
    await tell()
    expect(await toldOf(id)).toMatchObject([{ days_left: 60 }])
    await set('UTC')
  })

  it('is told of by one of two processes that look at the same moment', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => calendar(20)))
    const other = (await house.neighbour()).house.engine
    // SQLite waits for its lock without letting the event loop turn: there, one process alone can only take turns.
    if (process.env.ENGINE === 'postgres') await Promise.all([engine, other, engine, other].map(tell))
    else for (const each of [engine, other]) await Promise.all([tell(each), tell(each)])
    for (const { id } of all) expect(await toldOf(id)).toHaveLength(1)
  })

  it('is looked for shortly after the start and then every hour', async () => {
    const { id } = await calendar(20)
    const planned: Array<{ run: () => void; ms: number }> = []
    const job = startCalendarNotices(engine, clock, pino({ level: 'silent' }), (run, ms) => {
      planned.push({ run, ms })
      return { cancel: () => undefined }
    })
    planned[0]?.run()
    await expect.poll(() => planned.map(({ ms }) => ms)).toEqual([20_000, 3_600_000])
    await job.stop()
    expect(await toldOf(id)).toHaveLength(1)
  })
})
