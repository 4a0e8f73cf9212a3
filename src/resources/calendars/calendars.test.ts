import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner } = house
const PATH = '/api/v1/calendars'
const NOBODY = '01997d2a-4c00-7000-8000-00000000dead'

let made = 0
const calendar = (more: object = {}) => {
  made += 1
  return owner.create(PATH, { name: `Calendar ${made}`, ...more })
}
const christmas = { date: '2026-12-25', name: 'Weihnachten' }
const newYear = { date: '2027-01-01', name: 'Neujahr' }

describe('calendars', () => {
  it('are created, read, found, changed and deleted', async () => {
    const answer = await owner.post(PATH, { name: 'Feiertage Zürich', region: 'CH-ZH', days: [newYear, christmas] })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body.data).toMatchObject({
      region: 'CH-ZH',
      days: [christmas, newYear],
      day_count: 2,
      last_day: '2027-01-01',
    })
    const path = `${PATH}/${answer.body.data.id}`
    expect((await owner.get(path)).body.data).toEqual(answer.body.data)
    expect((await owner.get(`${PATH}?search=feiertage%20zurich`)).body.data).toHaveLength(1)
    const changed = await owner.patch(path, { days: [christmas] })
    expect(changed.body.data).toMatchObject({ days: [christmas], day_count: 1, last_day: '2026-12-25', version: 2 })
    expect((await owner.delete(path)).status).toBe(200)
    expect((await owner.get(path)).status).toBe(404)
  })

  it('are found and sorted by their last day, and listed without their days where those are not selected', async () => {
    const { id } = await calendar({ days: [christmas] })
    const list = `${PATH}?last_day=lte.2026-12-31&order=last_day.desc&select=id,day_count,last_day`
    expect((await owner.get(list)).body.data).toEqual([{ id, day_count: 1, last_day: '2026-12-25' }])
  })

  it.each(['  ', '\u200b', 'two\nlines'])('have days with names that can be read, not %j', async (name) => {
    const answer = await owner.post(PATH, { name: 'Unreadable', days: [{ date: '2026-12-25', name }] })
    expect([answer.status, answer.body.error?.details?.[0].path], answer.text).toEqual([400, 'days.0.name'])
  })

  it('that are given the same days in another order do not change', async () => {
    const { id } = await calendar({ days: [christmas, newYear] })
    const { name, date } = christmas
    expect((await owner.patch(`${PATH}/${id}`, { days: [newYear, { name, date }] })).body.data.version).toBe(1)
  })

  it.each([
    ['a date twice', { days: [christmas, newYear, christmas] }, 'calendar.day_twice', 'days.2.date'],
    ['a date that is none', { days: [{ date: '2026-02-30', name: 'X' }] }, 'body.format', 'days.0.date'],
    ['a day without a name', { days: [{ date: '2026-02-03' }] }, 'body.required', 'days.0.name'],
    ['a day with an empty name', { days: [{ date: '2026-02-03', name: '' }] }, 'body.length', 'days.0.name'],
    ['a region that is none', { region: 'Zurich' }, 'body.format', 'region'],
    ['a count', { day_count: 3 }, 'body.read_only', 'day_count'],
  ])('are refused with %s', async (_what, body, reason, path) => {
    const answer = await owner.post(PATH, { name: 'X', ...body })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ reason, details: [{ path }] })
  })

  it('have at most 2,000 days', async () => {
    const days = Array.from({ length: 2001 }, (_, n) => ({
      date: new Date(n * 86_400_000).toISOString().slice(0, 10),
      name: 'X',
    }))
    expect((await owner.post(PATH, { name: 'Too many', days })).body.error.reason).toBe('body.length')
    expect((await owner.post(PATH, { name: 'Many', days: days.slice(1) })).body.data.day_count).toBe(2000)
  })

  it('have names of their own', async () => {
    const { name } = await calendar()
    expect((await owner.post(PATH, { name })).body.error.code).toBe('CONFLICT')
    expect((await owner.post(PATH, {})).body.error.reason).toBe('body.required')
  })

  it('that a schedule uses are not deleted', async () => {
    const { id } = await calendar()
    const schedule = await owner.create('/api/v1/schedules', { name: 'By that calendar', calendar_id: id })
    const refused = await owner.delete(`${PATH}/${id}`)
    expect(refused.body.error.code).toBe('RESOURCE_IN_USE')
    expect(refused.body.msg).toContain('1 schedule')
    await owner.delete(`/api/v1/schedules/${schedule.id}`)
    expect((await owner.delete(`${PATH}/${id}`)).status).toBe(200)
  })

  it('are read by a role that is limited to a place, and not changed', async () => {
    const { id } = await calendar()
    const location = await owner.create('/api/v1/locations', { name: 'Elsewhere' })
    const local = await house.member('Facility manager', { location_id: location.id })
    expect((await local.get(PATH)).body.data.map((item: { id: string }) => item.id)).toContain(id)
    for (const path of ['']) expect((await local.get(`${PATH}/${id}${path}`)).status).toBe(200)
    expect((await local.patch(`${PATH}/${id}`, { name: 'Mine' })).status).toBe(403)
    expect((await local.delete(`${PATH}/${id}`)).status).toBe(403)
    expect((await local.post(PATH, { name: 'Mine' })).status).toBe(403)
  })

  it('are there only for those who may see them', async () => {
    const { id } = await calendar()
    const reader = await memberWith(house, ['calendars:read'])
    const blind = await memberWith(house, ['spaces:read'])
    expect((await house.anonymous.get(PATH)).status).toBe(401)
    expect((await blind.get(PATH)).status).toBe(403)
    expect((await reader.get(`${PATH}/${id}`)).status).toBe(200)
    expect((await reader.post(PATH, { name: 'X' })).status).toBe(403)
    expect((await reader.patch(`${PATH}/${id}`, { name: 'X' })).status).toBe(403)
    expect((await reader.delete(`${PATH}/${id}`)).status).toBe(403)
    expect((await owner.get(`${PATH}/${NOBODY}`)).status).toBe(404)
  })
})
