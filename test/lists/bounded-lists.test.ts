import { describe, expect, it, vi } from 'vitest'
import { readableNames } from '../../src/query/readable.ts'
import { startHouse } from '../support/app.ts'
import { newPerson } from '../support/people.ts'

const house = await startHouse()
const { app, owner, engine } = house
const person = await newPerson(house, 'Owner')
const nobody = '01997d2a-4c00-7000-8000-00000000ffff'

const lists = app.routeTable.flatMap(({ method, url, permission, doc }) =>
  method === 'GET' && doc?.list ? [{ url, list: doc.list, client: permission === 'self' ? person : owner }] : [],
)

describe('what no list takes on is refused before the database is asked', () => {
  it('there are lists of every shape', () => {
    expect(new Set(lists.map(({ list }) => list.shape))).toEqual(new Set(['A', 'B', 'C']))
    expect(lists.length).toBeGreaterThan(22)
  })

  it.each(lists)('$url', async ({ url, list, client }) => {
    const { resource, offered } = list
    const fields = readableNames(resource.fields).filter((name) => resource.fields[name]?.spec.isQueryable)
    const typed = fields.filter((name) => resource.fields[name]?.spec.type === 'string')
    const chosen = fields.filter((name) => resource.fields[name]?.spec.values)
    const refused: Array<[string, string]> = []
    if (offered.has('search')) refused.push(['search=a+b+c+d+e+f+g+h+i+j+k', 'search.too_many_words'])
    if (offered.has('filters')) {
      for (const name of typed.slice(0, 1)) {
        refused.push([Array.from({ length: 6 }, () => `${name}=ilike.*x*`).join('&'), 'filter.too_many'])
        refused.push([`${name}=ilike.${'*x'.repeat(11)}`, 'filter.pattern_too_long'])
      }
      for (const name of chosen) {
        for (const operator of ['eq.zzz', 'neq.zzz', 'not.in.(zzz)'])
          refused.push([`${name}=${operator}`, 'filter.enum_value'])
      }
    }
    const path = url.replace(':parent_id', nobody)
    // Its rights are known from here on.
    await client.get(path)
    const asked = vi.spyOn(engine.reader, 'all')
    for (const [query, reason] of refused) {
      const { status, body } = await client.get(`${path}?${query}`)
      expect([query, status, body.error.reason]).toEqual([query, 400, reason])
    }
    const statements = asked.mock.calls
      .map(([statement]) => statement)
      .filter((statement) => !/from organizations/.test(statement))
    asked.mockRestore()
    expect(statements).toEqual([])
  })

  it('names the values of an enum', async () => {
    const { body } = await owner.get('/api/v1/individuals?status=neq.ofboarded')
    expect(body.msg).toBe(
      'Parameter "status": "ofboarded" is not accepted; expected one of invited, active, suspended, offboarded, ' +
        'anonymised (did you mean "offboarded"?)',
    )
  })
})

it('a word of a search counts once, however often and in whatever case it stands there', async () => {
  await owner.create('/api/v1/locations', { name: 'Zürich Nord' })
  const { status, body } = await owner.get(
    `/api/v1/locations?search=${encodeURIComponent('nord Zürich zurich ZURICH '.repeat(50))}`,
  )
  expect([status, body.data.length]).toEqual([200, 1])
})
