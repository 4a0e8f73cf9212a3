import { expect, it } from 'vitest'
import { OrgHandle } from '../../src/db/org.ts'
import { placesOf } from '../../src/db/places.ts'
import { sightOf } from '../../src/db/scope.ts'
import { raw, render, sql } from '../../src/db/sql.ts'
import { accessPoints } from '../../src/resources/access-points/schema.ts'
import { individuals } from '../../src/resources/individuals/schema.ts'
import { startHouse } from '../support/app.ts'

const { engine, owner, clock } = await startHouse()

const location = await owner.create('/api/v1/locations', { name: 'Campus' })
for (let n = 0; n < 60; n++) await owner.create('/api/v1/buildings', { name: `House ${n}`, location_id: location.id })
const [organization] = await engine.reader.all<{ key: number }>('select key from organizations', [])
const handle = new OrgHandle(engine, organization?.key ?? 0, clock.now())
const { buildings } = await placesOf(handle)

/** How many buildings somebody is limited to, and how the engine means to find out what of a table they see. */
async function planOf(resource: Parameters<typeof sightOf>[1], count: number): Promise<string[]> {
  const scope = { locations: new Set<string>(), buildings: new Set([...buildings.keys()].slice(0, count)) }
  const { seen } = await sightOf(handle, resource, scope)
  const { text, values } = render(sql`select t.id from ${raw(resource.table)} t where t.org = :org and ${seen}`)
  return (await handle.query<{ detail: string }>(`explain query plan ${text}`, values)).map(({ detail }) => detail)
}

// What a small database is asked by an index, PostgreSQL reads as a whole: there is nothing to see in its plan.
it.runIf(engine.dialect.name === 'sqlite').each([1, 30])(
  'whoever is limited to %d of 60 buildings has what is there looked up',
  async (count) => {
    const people = await planOf(individuals, count)
    expect(people.filter((line) => /\bhk\b/.test(line))).toEqual([
      expect.stringContaining('keys_by_holder (org=? AND individual_id=?)'),
    ])
    expect(people.filter((line) => /\bgm\b/.test(line))).toEqual([
      expect.stringContaining('access_group_members_by_individual (org=? AND individual_id=?)'),
    ])
    const doors = await planOf(accessPoints, count)
    expect(doors[0]).toContain('access_points_by_building (org=? AND building_id=?)')
  },
)
