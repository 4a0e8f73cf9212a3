import { describe, expect, it, vi } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import { change } from '../change.ts'
import { OrgHandle } from '../org.ts'
import { inSelected, render, sql } from '../sql.ts'
import { withKeptIds } from './kept-ids.ts'
import { keyOfValues } from './value-key.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const named = (name: string) =>
  sql`t.org = :org and
    (${inSelected('t.parent_id', sql`select l.id from locations l where l.org = :org and l.name = ${name}`)})`
const handle = () => new OrgHandle(engine, 1, clock.now())

describe('ids that conditions are about', () => {
  it('are bound, and worked out anew once they are others', async () => {
    const { id } = await owner.create('/api/v1/locations', { name: 'North' })
    const below = await owner.create('/api/v1/locations', { name: 'Below', parent_id: id })
    const found = async () => {
      const asking = handle()
      const condition = await withKeptIds(asking, named('North'))
      expect(render(condition).text).not.toContain('locations')
      // Whoever keeps an answer that was made of them learns what they hang on.
      expect(asking.reads.some(({ tables }) => tables.has('locations'))).toBe(true)
      return (await asking.all<{ id: string }>(sql`select t.id from locations t where ${condition}`)).map(
        (row) => row.id,
      )
    }
    expect(await found()).toEqual([below.id])
    await owner.patch(`/api/v1/locations/${id}`, { name: 'South' })
    expect(await found()).toEqual([])
    await owner.patch(`/api/v1/locations/${id}`, { name: 'North' })
    expect(await found()).toEqual([below.id])
  })

  it('are kept for whoever asks next', async () => {
    const bound = async () => render(await withKeptIds(handle(), named('Kept'))).values
    const values = await bound()
    const asked = vi.spyOn(engine.reader, 'all')
    expect(await bound()).toEqual(values)
    const texts = asked.mock.calls.map(([text]) => text)
    asked.mockRestore()
    expect(texts.filter((text) => text.includes('locations'))).toEqual([])
  })

  it('are not taken from memory by a change that has written some of them', async () => {
    const { id } = await owner.create('/api/v1/locations', { name: 'East' })
    await withKeptIds(handle(), named('East'))
    await change(engine, 1, clock.now(), actor, async (tx) => {
      expect(render(await withKeptIds(tx, named('East'))).text).not.toContain('locations')
      await tx.run(sql`update locations set name = 'West' where locations.org = :org and id = ${id}`)
      expect(render(await withKeptIds(tx, named('East'))).text).toContain('locations')
      tx.record({ action: 'location.updated', resource: 'locations', resourceId: id, before: null, after: { id } })
    })
  })
})

it('a list that stands in a statement many times is bound once', () => {
  const ids = ['a', 'b']
  expect(render(sql`x = any(${ids}) or y = any(${ids}) or z = ${1} or w = ${1}`)).toEqual({
    text: 'x = any($1) or y = any($1) or z = $2 or w = $3',
    values: [ids, 1, 1],
  })
})

it('a key of values is short, and another for others', () => {
  const ids = (last: string) => [...Array.from({ length: 1000 }, (_, nth) => `${nth}`), last]
  expect(keyOfValues([ids('x')]).length).toBeLessThan(100)
  expect(keyOfValues([ids('x')])).not.toBe(keyOfValues([ids('y')]))
  expect(keyOfValues([JSON.stringify(ids('x'))])).not.toBe(keyOfValues([JSON.stringify(ids('y'))]))
  expect(keyOfValues(['1'])).not.toBe(keyOfValues([1]))
})
