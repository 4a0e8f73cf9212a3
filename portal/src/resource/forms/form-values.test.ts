import { describe, expect, it } from 'vitest'
import { bodyOf, fieldsOf, missing, startOf } from './form-values.ts'

const sections = [{ fields: ['name', 'location_id', 'slug', 'address', 'no_such_field'] }]
const fields = fieldsOf('BuildingCreate', sections)
const zone = 'Europe/Zurich'
const item = { name: 'Main', location_id: 'l', slug: 'main', address: null }

describe('a form', () => {
  it('has the fields that the body takes, as the API describes them', () => {
    expect(fields.map(({ field, kind }) => [field, kind])).toEqual([
      ['name', 'text'],
      ['location_id', 'reference'],
      ['slug', 'text'],
      ['address', 'text'],
    ])
  })

  it('sends of a new item what was filled in', () => {
    const start = startOf(fields, {}, zone)
    expect(bodyOf(fields, { ...start, name: 'Main', location_id: 'l' }, start, zone, false)).toEqual({
      name: 'Main',
      location_id: 'l',
    })
  })

  it('sends of a changed item what is different, and null where a value was emptied that may be missing', () => {
    const start = startOf(fields, { ...item, address: 'Here 1' }, zone)
    expect(bodyOf(fields, start, start, zone, true)).toEqual({})
    expect(bodyOf(fields, { ...start, slug: '', address: '' }, start, zone, true)).toEqual({ slug: '', address: null })
  })

  it('knows what is missing before the service says so', () => {
    expect(missing(fields, startOf(fields, {}, zone))).toEqual(['name', 'location_id'])
  })

  it('shows and sends moments in the organization’s time zone', () => {
    const [from] = fieldsOf('AccessGrantCreate', [{ fields: ['valid_from'] }])
    if (!from) throw new Error('a grant has a beginning')
    const start = startOf([from], { valid_from: '2026-07-01T06:30:00.000Z' }, zone)
    expect(start).toEqual({ valid_from: '2026-07-01T08:30' })
    expect(bodyOf([from], { valid_from: '2026-07-01T09:30' }, start, zone, true)).toEqual({
      valid_from: '2026-07-01T07:30:00.000Z',
    })
  })
})
