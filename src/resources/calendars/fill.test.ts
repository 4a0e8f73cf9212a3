import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner } = house
const PATH = '/api/v1/calendars'
const NOBODY = '01997d2a-4c00-7000-8000-00000000dead'
const years = { from_year: 2027, to_year: 2027 }

let made = 0
const calendar = (more: object = {}) => {
  made += 1
  return owner.create(PATH, { name: `Calendar ${made}`, ...more })
}

const file = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART;VALUE=DATE:20250801\r\nRRULE:FREQ=YEARLY\r\nSUMMARY:Picnic\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
const upload = (id: string, text: string, query = '?from_year=2027&to_year=2028', type = 'text/calendar') =>
  owner.request('POST', `${PATH}/${id}/fill${query}`, text, { 'content-type': type })

describe('filling a calendar', () => {
  it('stores the public holidays of a region, which becomes the calendar’s', async () => {
    const { id } = await calendar()
    const answer = await owner.post(`${PATH}/${id}/fill`, { region: 'CH-ZH', ...years, language: 'de' })
    expect(answer.status, answer.text).toBe(200)
    const { added, calendar: filled } = answer.body.data
    expect(added).toContainEqual({ date: '2027-08-01', name: 'Bundesfeiertag' })
    expect((await owner.get(`${PATH}/${id}`)).body.data).toEqual(filled)
    expect(filled).toMatchObject({
      region: 'CH-ZH',
      days: added,
      day_count: added.length,
      last_day: '2027-12-26',
      version: 2,
    })
    const again = (await owner.post(`${PATH}/${id}/fill`, { ...years, language: 'de' })).body.data
    expect(again).toMatchObject({ added: [], changed: [], kept: added, calendar: { version: 2 } })
    const [entry] = (await owner.get(`/api/v1/audit-log?resource_id=eq.${id}&order=sequence.desc&limit=1`)).body.data
    expect(entry).toMatchObject({ action: 'calendar.filled', resource: 'calendars' })
  })

  it('keeps what somebody edited and leaves out what they took out; what nobody touched follows the source', async () => {
    const { id } = await calendar({ region: 'CH-ZH' })
    const first = (await owner.post(`${PATH}/${id}/fill`, { ...years, language: 'de' })).body.data.calendar.days
    const edited = first
      .filter(({ date }: { date: string }) => date !== '2027-05-01')
      .map((day: { date: string }) => (day.date === '2027-08-01' ? { ...day, name: 'Grillfest' } : day))
    await owner.patch(`${PATH}/${id}`, { days: edited })
    const { data } = (await owner.post(`${PATH}/${id}/fill`, { ...years, language: 'fr' })).body
    expect(data.kept).toContainEqual({ date: '2027-08-01', name: 'Grillfest' })
    expect(data.left_out.map(({ date }: { date: string }) => date)).toEqual(['2027-05-01'])
    expect(data.changed).toContainEqual({ date: '2027-12-25', name: 'Noël', before: 'Weihnachtstag' })
    expect(data.added).toEqual([])
  })

  it('only says what would happen in a dry run', async () => {
    const made = await calendar()
    const { data } = (await owner.post(`${PATH}/${made.id}/fill`, { region: 'DE-BY', ...years, dry_run: true })).body
    expect(data.dry_run).toBe(true)
    expect(data.added.length).toBeGreaterThan(10)
    expect(data.calendar.day_count).toBe(data.added.length)
    expect((await owner.get(`${PATH}/${made.id}`)).body.data).toEqual(made)
  })

  it('takes the days of an iCalendar file', async () => {
    const { id } = await calendar()
    const dry = await upload(id, file, '?from_year=2027&to_year=2028&dry_run=true')
    expect(dry.body.data.added).toHaveLength(2)
    const answer = await upload(id, file)
    expect(answer.status, answer.text).toBe(200)
    const days = ['2027-08-01', '2028-08-01'].map((date) => ({ date, name: 'Picnic' }))
    expect(answer.body.data).toMatchObject({ added: days, unread: [], calendar: { days, region: null } })
  })

  it.each([
    ['no region', { ...years }, 'calendar.no_region'],
    ['a region that nobody knows', { region: 'CH-XX', ...years }, 'calendar.unknown_region'],
    ['years the wrong way round', { region: 'CH', from_year: 2028, to_year: 2027 }, 'calendar.years'],
    ['too many years', { region: 'CH', from_year: 2027, to_year: 2057 }, 'calendar.years'],
    ['no years', { region: 'CH' }, 'body.required'],
    ['a year too far away', { region: 'CH', from_year: 2027, to_year: 3000 }, 'body.range'],
  ])('is refused with %s', async (_what, body, reason) => {
    const answer = await owner.post(`${PATH}/${(await calendar()).id}/fill`, body)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.error.reason).toBe(reason)
  })

  it('is tried with what every write is tried with, a region as well as a file', async () => {
    const { id } = await calendar()
    for (const more of [{}, { dry_run: false }]) {
      const tried = await owner.post(`${PATH}/${id}/fill?dry_run=true`, { region: 'CH', ...years, ...more })
      expect(tried.body.meta, tried.text).toMatchObject({
        dry_run: true,
        access: { at: null, gained: { pairs: 0 }, lost: { pairs: 0 } },
      })
      expect([tried.status, tried.body.data.dry_run]).toEqual([200, true])
      expect((await owner.get(`${PATH}/${id}`)).body.data.days).toEqual([])
    }
  })

  it('is refused with a file that is none, without years, too large, or of another kind', async () => {
    const { id } = await calendar()
    expect((await upload(id, 'hello')).body.error.reason).toBe('calendar.not_ical')
    expect((await upload(id, file, '')).body.error.reason).toBe('param.required')
    expect((await upload(id, file, '?from_year=2027&to_year=2028&when=now')).body.error.reason).toBe('param.unknown')
    expect((await upload(id, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413)
    expect((await upload(id, file, '', 'text/plain')).status).toBe(415)
    expect((await owner.post(`${PATH}/${id}/fill?from_year=2027`, { region: 'CH', ...years })).body.error.reason).toBe(
      'param.unknown',
    )
    // Elsewhere a file is no body.
    expect((await owner.request('POST', PATH, file, { 'content-type': 'text/calendar' })).status).toBe(415)
  })

  it('stops at 2,000 days', async () => {
    const days = Array.from({ length: 1995 }, (_, n) => ({
      date: new Date(n * 86_400_000).toISOString().slice(0, 10),
      name: 'X',
    }))
    const { id } = await calendar({ days })
    const answer = await owner.post(`${PATH}/${id}/fill`, { region: 'CH-ZH', ...years })
    expect(answer.body.error.reason).toBe('calendar.too_many_days')
  })

  it('is for those who may change calendars, on the version that they saw', async () => {
    const { id } = await calendar()
    const body = { region: 'CH', ...years }
    expect((await house.anonymous.post(`${PATH}/${id}/fill`, body)).status).toBe(401)
    expect((await (await memberWith(house, ['calendars:read'])).post(`${PATH}/${id}/fill`, body)).status).toBe(403)
    expect((await owner.post(`${PATH}/${NOBODY}/fill`, body)).status).toBe(404)
    expect((await owner.post(`${PATH}/${id}/fill`, body, { 'if-match': '"9"' })).status).toBe(412)
  })

  it('is answered as before where it is sent again with its key, though it moved the version that it names', async () => {
    const { id } = await calendar()
    const headers = { 'if-match': '"1"', 'idempotency-key': randomUUID() }
    const send = () => owner.post(`${PATH}/${id}/fill`, { region: 'CH', ...years }, headers)
    const first = await send()
    expect(first.body.data.calendar.version).toBe(2)
    expect((await send()).text).toBe(first.text)
  })
})

describe('the regions whose holidays are known', () => {
  it('are countries, their parts, and parts of those', async () => {
    const { data } = (await owner.get(`${PATH}/regions`)).body
    expect(data).toContainEqual({ code: 'CH', name: 'Switzerland', parent: null })
    expect(data).toContainEqual({ code: 'CH-ZH', name: expect.any(String), parent: 'CH' })
    expect(data).toContainEqual({ code: 'DE-BY-A', name: expect.any(String), parent: 'DE-BY' })
    expect(data.length).toBeGreaterThan(500)
  })

  it('are told to those who may see calendars', async () => {
    expect((await house.anonymous.get(`${PATH}/regions`)).status).toBe(401)
    expect((await (await memberWith(house, ['spaces:read'])).get(`${PATH}/regions`)).status).toBe(403)
  })
})
