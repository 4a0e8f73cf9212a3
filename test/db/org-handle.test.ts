import { describe, expect, it } from 'vitest'
import { change } from '../../src/db/change.ts'
import { OrgHandle } from '../../src/db/org.ts'
import { sql } from '../../src/db/sql.ts'
import { createOrganization } from '../../src/identity/organizations.ts'
import { actor, startHouse } from '../support/app.ts'
import { countRows } from '../support/rows.ts'

const { engine, clock, owner } = await startHouse()
const now = clock.now()
const handle = new OrgHandle(engine, 1, now)
const id = '01997d2a-4c00-7000-8000-000000000001'

describe('a statement that names a table of an organization without binding it is refused before it reaches the engine', () => {
  it.each([
    ['from', sql`select t.id from locations t`],
    ['from, by another condition', sql`select t.id from locations t where t.id = ${id}`],
    ['from, bound to a value of its own', sql`select t.id from locations t where t.org = ${2}`],
    ['from, without an alias', sql`select id from locations where id = ${id}`],
    ['from, in upper case', sql`SELECT T.ID FROM LOCATIONS T`],
    ['from, in quotes', sql`select t.id from "locations" t`],
    [
      'from, over a line break',
      sql`select t.id from
      locations
      t`,
    ],
    ['join', sql`select t.id from locations t join buildings b on b.location_id = t.id where t.org = :org`],
    ['left join', sql`select t.id from locations t left join buildings b on b.location_id = t.id where t.org = :org`],
    [
      'a subquery',
      sql`select t.id from locations t where t.org = :org and t.id in (select b.location_id from buildings b)`,
    ],
    [
      'a subquery in the select list',
      sql`select (select count(*) from keys k) as n from locations t where t.org = :org`,
    ],
    ['a subquery as a table', sql`select p.id from (select b.id from buildings b) p`],
    ['a union', sql`select t.id from locations t where t.org = :org union all select b.id from buildings b`],
    ['a common table expression', sql`with x as (select b.id from buildings b) select x.id from x`],
    ['a comma list', sql`select t.id from locations t, buildings b where t.org = :org`],
    ['a comma list, both bound', sql`select t.id from locations t, buildings b where t.org = :org and b.org = :org`],
    ['a comma list without a space', sql`select t.id from locations t,buildings b where t.org = :org`],
    [
      'the same alias twice, bound once',
      sql`select t.id from locations t where t.org = :org and exists (select 1 from buildings t)`,
    ],
    ['an alias that another one ends with', sql`select a.id from locations a join buildings aa on aa.org = :org`],
    ['a binding inside a text', sql`select t.id from locations t where t.name = 't.org = :org'`],
    ['a schema in front', sql`select t.id from public.locations t`],
  ])('%s', async (_what, statement) => {
    await expect((async () => handle.all(statement))()).rejects.toThrow(/^unbound/)
  })

  it.each([
    ['update', sql`update locations as t set name = 'x' where t.id = ${id}`],
    ['update without an alias', sql`update locations set name = 'x'`],
    ['delete', sql`delete from locations as t where t.id = ${id}`],
    ['delete without a condition', sql`delete from locations`],
    ['insert', sql`insert into locations (id, name) values (${id}, 'x')`],
    ['insert without columns', sql`insert into locations values (${id}, 'x')`],
    [
      'insert from a select',
      sql`insert into plan_cells (org, key_type_id, cylinder_id) select :org, k.id, k.id from key_types k`,
    ],
  ])('%s, in a change', async (_what, statement) => {
    const before = await countRows(engine)
    await expect(change(engine, 1, now, actor, (tx) => tx.run(statement))).rejects.toThrow(/^unbound/)
    await expect(change(engine, 1, now, actor, (tx) => tx.aside(statement))).rejects.toThrow(/^unbound/)
    expect(await countRows(engine)).toEqual(before)
  })
})

describe('a statement that binds every table of an organization', () => {
  it.each([
    ['from', sql`select t.id from locations t where t.org = :org`],
    [
      'join',
      sql`select t.id from locations t join buildings b on b.org = :org and b.location_id = t.id where t.org = :org`,
    ],
    [
      'a subquery',
      sql`select t.id from locations t where t.org = :org
        and t.id in (select b.location_id from buildings b where b.org = :org)`,
    ],
    ['a table that is no organization’s', sql`select key from organizations where key = :org`],
  ])('runs: %s', async (_what, statement) => {
    await expect(handle.all(statement)).resolves.toBeInstanceOf(Array)
  })

  it('reads the rows of its own organization and no other', async () => {
    await owner.create('/api/v1/locations', { name: 'Mine' })
    const { key } = await createOrganization(engine, now, actor, 'Other')
    const mine = await handle.all(sql`select t.name from locations t where t.org = :org`)
    const theirs = await new OrgHandle(engine, key, now).all(sql`select t.name from locations t where t.org = :org`)
    expect([mine.length, theirs.length]).toEqual([1, 0])
  })
})

describe('a change', () => {
  it('that is not recorded does not commit', async () => {
    const before = await countRows(engine)
    const unrecorded = change(engine, 1, now, actor, (tx) => tx.run(sql`delete from locations as t where t.org = :org`))
    await expect(unrecorded).rejects.toThrow('a change without an audit row cannot commit')
    expect(await countRows(engine)).toEqual(before)
  })

  it('that fails half-way leaves nothing behind, not even its audit row', async () => {
    const before = await countRows(engine)
    const failing = change(engine, 1, now, actor, async (tx) => {
      await tx.run(sql`delete from locations as t where t.org = :org`)
      tx.record({ action: 'location.deleted', resource: 'locations', resourceId: id, before: null, after: null })
      throw new Error('half-way')
    })
    await expect(failing).rejects.toThrow('half-way')
    expect(await countRows(engine)).toEqual(before)
  })

  it('that writes nothing moves no version and leaves no audit row', async () => {
    const before = await countRows(engine)
    await change(engine, 1, now, actor, (tx) => tx.all(sql`select t.id from locations t where t.org = :org`))
    expect(await countRows(engine)).toEqual(before)
  })

  it('that commits has one audit row and one step of the version for what it did', async () => {
    const before = await countRows(engine)
    await owner.create('/api/v1/locations', { name: 'Recorded' })
    const after = await countRows(engine)
    const moved = Object.entries(after).filter(([name, n]) => n !== before[name])
    expect(Object.fromEntries(moved.map(([name, n]) => [name, n - (before[name] ?? 0)]))).toEqual({
      versions: 1,
      locations: 1,
      audit_log: 1,
    })
  })
})
