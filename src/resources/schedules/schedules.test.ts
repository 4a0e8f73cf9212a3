import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner, clock } = house
const PATH = '/api/v1/schedules'
const NOBODY = '01997d2a-4c00-7000-8000-00000000dead'

const workdays = ['mon', 'tue', 'wed', 'thu', 'fri']
const office = [{ days: workdays, start: '08:00', end: '18:00' }]

let made = 0
const schedule = (more: object = {}) => {
  made += 1
  return owner.create(PATH, { name: `Schedule ${made}`, windows: office, ...more })
}
const calendar = (date: string, name: string) => {
  made += 1
  return owner.create('/api/v1/calendars', { name: `Calendar ${made}`, days: [{ date, name }] })
}

describe('schedules', () => {
  it('are created, read, found, changed and deleted', async () => {
    const answer = await owner.post(PATH, { name: 'Bürozeiten', windows: [{ ...office[0], days: ['fri', 'mon'] }] })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body.data).toMatchObject({
      time_zone: null,
      windows: [{ days: ['mon', 'fri'], start: '08:00', end: '18:00' }],
      calendar_id: null,
      on_holiday: 'closed',
      holiday_windows: [],
    })
    const path = `${PATH}/${answer.body.data.id}`
    expect((await owner.get(path)).body.data).toEqual(answer.body.data)
    expect((await owner.get(`${PATH}?search=burozeiten`)).body.data).toEqual([answer.body.data])
    expect((await owner.patch(path, { time_zone: 'Asia/Tokyo' })).body.data.time_zone).toBe('Asia/Tokyo')
    expect((await owner.delete(path)).status).toBe(200)
    expect((await owner.get(path)).status).toBe(404)
  })

  it('that are given what they have do not change', async () => {
    const { id, windows } = await schedule()
    const same = windows.map(({ days, start, end }: (typeof office)[0]) => ({ end, start, days: [...days].reverse() }))
    expect((await owner.patch(`${PATH}/${id}`, { windows: same })).body.data.version).toBe(1)
  })

  it('are found by the name of their calendar', async () => {
    const { id, name } = await calendar('2026-12-25', 'Christmas')
    const found = await schedule({ calendar_id: id })
    expect((await owner.get(`${PATH}?search=${encodeURIComponent(name)}`)).body.data).toEqual([found])
  })

  const window = office[0]
  it.each([
    ['a time that is none', { windows: [{ ...window, start: '8:00' }] }, 'body.format', 'windows.0.start'],
    ['a start at the end of the day', { windows: [{ ...window, start: '24:00' }] }, 'body.format', 'windows.0.start'],
    ['a minute after the end of the day', { windows: [{ ...window, end: '24:01' }] }, 'body.format', 'windows.0.end'],
    ['a day that is none', { windows: [{ ...window, days: ['monday'] }] }, 'body.enum', 'windows.0.days.0'],
    ['no days', { windows: [{ ...window, days: [] }] }, 'body.length', 'windows.0.days'],
    ['too many windows', { windows: Array(51).fill(window) }, 'body.length', 'windows'],
    ['a zone that is none', { time_zone: 'Zurich' }, 'body.format', 'time_zone'],
    ['a calendar that is none', { calendar_id: NOBODY }, 'reference.not_found', 'calendar_id'],
    ['windows on holidays and none', { on_holiday: 'windows' }, 'schedule.no_holiday_windows', 'holiday_windows'],
  ])('are refused with %s', async (_what, body, reason, path) => {
    const answer = await owner.post(PATH, { name: 'X', ...body })
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.error).toMatchObject({ reason, details: [{ path }] })
  })

  it('are read by a role that is limited to a place, and not changed', async () => {
    const { id } = await schedule()
    const location = await owner.create('/api/v1/locations', { name: 'Elsewhere' })
    const local = await house.member('Facility manager', { location_id: location.id })
    expect((await local.get(PATH)).body.data.map((item: { id: string }) => item.id)).toContain(id)
    for (const path of ['', '/state', '/timeline']) expect((await local.get(`${PATH}/${id}${path}`)).status).toBe(200)
    expect((await local.patch(`${PATH}/${id}`, { name: 'Mine' })).status).toBe(403)
    expect((await local.delete(`${PATH}/${id}`)).status).toBe(403)
    expect((await local.post(PATH, { name: 'Mine' })).status).toBe(403)
  })

  it('are there only for those who may see them', async () => {
    const { id } = await schedule()
    const reader = await memberWith(house, ['schedules:read'])
    const blind = await memberWith(house, ['spaces:read'])
    expect((await house.anonymous.get(PATH)).status).toBe(401)
    for (const path of [PATH, `${PATH}/${id}`, `${PATH}/${id}/state`, `${PATH}/${id}/timeline`]) {
      expect((await blind.get(path)).status).toBe(403)
      expect((await reader.get(path)).status).toBe(200)
    }
    expect((await reader.post(PATH, { name: 'X' })).status).toBe(403)
    expect((await reader.patch(`${PATH}/${id}`, { name: 'X' })).status).toBe(403)
    expect((await reader.delete(`${PATH}/${id}`)).status).toBe(403)
    for (const path of ['', '/state', '/timeline'])
      expect((await owner.get(`${PATH}/${NOBODY}${path}`)).status).toBe(404)
  })
})

describe('the state of a schedule', () => {
  it('is told with instants and with what the clocks show', async () => {
    const { id } = await schedule({ time_zone: 'Europe/Zurich' })
    const answer = await owner.get(`${PATH}/${id}/state?at=2026-05-04T10:00:00Z`)
    expect(answer.body.data).toEqual({
      schedule_id: id,
      time_zone: 'Europe/Zurich',
      at: '2026-05-04T10:00:00.000Z',
      open: true,
      from: '2026-05-04T06:00:00.000Z',
      until: '2026-05-04T16:00:00.000Z',
      next: null,
      holiday: null,
      local: {
        at: '2026-05-04T12:00:00.000+02:00',
        from: '2026-05-04T08:00:00.000+02:00',
        until: '2026-05-04T18:00:00.000+02:00',
        next: null,
      },
    })
    const closed = (await owner.get(`${PATH}/${id}/state?at=2026-05-04T19:00:00Z`)).body.data
    expect(closed).toMatchObject({ open: false, from: null, until: null, next: '2026-05-05T06:00:00.000Z' })
  })

  it('at the end of time tells of nothing beyond it', async () => {
    const { id } = await schedule({ time_zone: 'Europe/Zurich' })
    const { data } = (await owner.get(`${PATH}/${id}/state?at=9999-12-31T22:00:00Z`)).body
    expect(data).toMatchObject({ open: false, next: null, local: { next: null } })
  })

  it('names the holiday that decides', async () => {
    const { id: calendar_id } = await calendar('2026-05-04', 'Sechseläuten')
    const { id } = await schedule({ time_zone: 'Europe/Zurich', calendar_id })
    const { data } = (await owner.get(`${PATH}/${id}/state?at=2026-05-04T10:00:00Z`)).body
    expect(data).toMatchObject({
      open: false,
      holiday: { date: '2026-05-04', name: 'Sechseläuten' },
      next: '2026-05-05T06:00:00.000Z',
    })
    await owner.patch(`/api/v1/calendars/${calendar_id}`, { days: [] })
    expect((await owner.get(`${PATH}/${id}/state?at=2026-05-04T10:00:00Z`)).body.data).toMatchObject({
      open: true,
      holiday: null,
    })
  })

  it('is that of now, in the organization’s zone, unless asked otherwise, and follows the clock', async () => {
    const { id } = await schedule({ windows: [{ days: [...workdays, 'sat', 'sun'], start: '00:00', end: '12:00' }] })
    const organization = (await owner.get('/api/v1/organization')).body.data.time_zone
    const first = (await owner.get(`${PATH}/${id}/state`)).body.data
    expect(first).toMatchObject({ at: clock.now(), time_zone: organization })
    clock.forward(12 * 3_600_000)
    expect((await owner.get(`${PATH}/${id}/state`)).body.data.open).toBe(!first.open)
    expect((await owner.get(`${PATH}/${id}/state?time_zone=Asia/Tokyo`)).body.data.time_zone).toBe('Asia/Tokyo')
  })

  it.each([
    ['at=yesterday', 'param.not_timestamp'],
    ['time_zone=Zurich', 'param.not_time_zone'],
    ['time_zone=Asia/Tokyo', 'schedule.own_time_zone'],
    ['when=2026-05-04', 'param.unknown'],
  ])('is refused for %s', async (query, reason) => {
    const { id } = await schedule({ time_zone: 'Europe/Zurich' })
    const answer = await owner.get(`${PATH}/${id}/state?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.error.reason).toBe(reason)
  })
})

describe('the timeline of a schedule', () => {
  it('shows spans, holidays and changes of clocks', async () => {
    const { id: calendar_id } = await calendar('2026-03-30', 'Day off')
    const nights = [{ days: ['fri', 'sat', 'sun'], start: '22:00', end: '04:00' }]
    const { id } = await schedule({ time_zone: 'Europe/Zurich', calendar_id, windows: [...office, ...nights] })
    const { data } = (await owner.get(`${PATH}/${id}/timeline?from=2026-03-28&days=3`)).body
    expect(data).toMatchObject({
      time_zone: 'Europe/Zurich',
      from: '2026-03-27T23:00:00.000Z',
      until: '2026-03-30T22:00:00.000Z',
    })
    expect(
      data.spans.map((span: Record<string, unknown>) => [
        span.local_from,
        span.local_until,
        span.begins_before,
        span.ends_after,
      ]),
    ).toEqual([
      ['2026-03-28T00:00:00.000+01:00', '2026-03-28T04:00:00.000+01:00', true, false],
      ['2026-03-28T22:00:00.000+01:00', '2026-03-29T04:00:00.000+02:00', false, false],
      ['2026-03-29T22:00:00.000+02:00', '2026-03-30T04:00:00.000+02:00', false, false],
    ])
    expect(data.spans[1]).toMatchObject({
      from: '2026-03-28T21:00:00.000Z',
      until: '2026-03-29T02:00:00.000Z',
      holiday: null,
    })
    expect(data.holidays).toEqual([{ date: '2026-03-30', name: 'Day off' }])
    expect(data.clock_changes).toEqual([
      {
        at: '2026-03-29T01:00:00.000Z',
        local_before: '2026-03-29T02:00:00.000+01:00',
        local_after: '2026-03-29T03:00:00.000+02:00',
      },
    ])
  })

  it('is of a week from today unless asked otherwise, and of a year at most', async () => {
    const { id } = await schedule({ time_zone: 'UTC' })
    const { data } = (await owner.get(`${PATH}/${id}/timeline`)).body
    const today = `${clock.now().slice(0, 10)}T00:00:00.000Z`
    expect([data.from, Date.parse(data.until) - Date.parse(data.from)]).toEqual([today, 7 * 86_400_000])
    expect((await owner.get(`${PATH}/${id}/timeline?days=366`)).body.data.spans.length).toBeGreaterThan(250)
    for (const [query, reason] of [
      ['days=367', 'param.out_of_range'],
      ['days=0', 'param.out_of_range'],
      ['days=one', 'param.not_integer'],
      ['from=2026-02-30', 'param.not_date'],
    ]) {
      expect((await owner.get(`${PATH}/${id}/timeline?${query}`)).body.error.reason).toBe(reason)
    }
  })
})

it('a timeline of more spans than others can wait for, or of days that cannot be written, says how many days fit', async () => {
  const often = Array.from({ length: 48 }, (_, n) => {
    const hour = String(n >> 1).padStart(2, '0')
    return n % 2 ? { start: `${hour}:30`, end: `${hour}:45` } : { start: `${hour}:00`, end: `${hour}:15` }
  })
  const { id } = await schedule({ windows: often.map((window) => ({ ...window, days: workdays })) })
  const asked = async (query: string) => {
    const { status, body } = await owner.get(`${PATH}/${id}/timeline?${query}`)
    return [status, body.error?.details[0].path, body.error?.reason]
  }
  expect(await asked('days=42')).toEqual([400, 'days', 'param.out_of_range'])
  expect((await owner.get(`${PATH}/${id}/timeline?days=42`)).body.msg).toContain('at most 41 days')
  expect(await asked('days=41')).toEqual([200, undefined, undefined])
  expect(await asked('from=9999-12-30&days=7')).toEqual([400, 'from', 'param.out_of_range'])
})
