import { describe, expect, it } from 'vitest'
import { Reads } from './reads.ts'
import { readingOf, writingOf } from './statement.ts'
import { movedBy, OrgVersions } from './versions.ts'

const PERSON =
  'update individuals as t set phone = $1, search_text = $2, updated_at = $3, version = $4 where t.org = :org ' +
  'and t.id = $5'

/** Whether what one statement read is outdated by what another writes. */
function isMoved(reading: string, writing: string): boolean {
  const reads = new Reads()
  reads.note(readingOf(reading))
  const versions = new OrgVersions(1)
  versions.apply({ data: 2, moved: [...movedBy(writingOf(writing))] })
  return versions.hasMoved(reads, 1)
}

describe('a statement is outdated by a change', () => {
  it.each([
    ['of a column that it selects', 'select t.phone from individuals t where t.org = :org', PERSON],
    ['of a column that it names without an alias', 'select phone from individuals where org = :org', PERSON],
    [
      'of a row, whichever column, when it reads the version',
      'select t.version from individuals t where t.org = :org',
      PERSON,
    ],
    ['of a row when it reads all columns', 'select t.* from individuals t where t.org = :org', PERSON],
    ['of a row when it reads all columns of all tables', 'select * from individuals t where t.org = :org', PERSON],
    [
      'of a row that a text index follows',
      'select count(*) from (select rowid from individuals_fts where individuals_fts match $1)',
      PERSON,
    ],
    ['of a row whose past it reads', 'select h.status from individuals_history h where h.org = :org', PERSON],
    [
      'that adds rows',
      'select count(*) from individuals t where t.org = :org',
      'insert into individuals (org, id) values (:org, $1)',
    ],
    [
      'that removes rows',
      'select 1 from individuals t where t.org = :org',
      'delete from individuals as t where t.org = :org',
    ],
    [
      'by which the database removes rows',
      'select p.org from plan_cells p where p.org = :org',
      'delete from cylinders as t where t.org = :org',
    ],
    [
      'that writes several columns at once',
      'select t.phone from individuals t where t.org = :org',
      'update individuals set (a, phone) = (1, 2)',
    ],
    [
      'that is not understood',
      'select t.phone from individuals t where t.org = :org',
      'with x as (select 1) update individuals set phone = 1',
    ],
    [
      'of what a subquery looks at',
      'select t.id from credentials t where t.org = :org and exists (select 1 from individuals i where i.org = :org ' +
        'and i.phone = t.number)',
      PERSON,
    ],
    [
      'of a column set after a subquery',
      'select t.kind from individuals t where t.org = :org',
      'update individuals as t set phone = (select x.y from z x where x.a = 1), kind = $1 where t.org = :org',
    ],
  ])('%s', (_, reading, writing) => {
    expect(isMoved(reading, writing)).toBe(true)
  })

  it.each([
    ['of another table', 'select t.phone from spaces t where t.org = :org', PERSON],
    ['of a column that it does not look at', 'select t.status from individuals t where t.org = :org', PERSON],
    ['of rows that it only counts', 'select count(*) as version from individuals t where t.org = :org', PERSON],
    [
      'of a column that it looks at in another table',
      'select i.status, t.phone, t.version from sites t join individuals i on i.org = :org where t.org = :org',
      PERSON,
    ],
    ['that only a text names', `select t.status from individuals t where t.org = :org and t.kind = 'phone'`, PERSON],
  ])('not by one %s', (_, reading, writing) => {
    expect(isMoved(reading, writing)).toBe(false)
  })

  it('that came after it was read, and by none before', () => {
    const reads = new Reads()
    reads.note(readingOf('select t.phone from individuals t where t.org = :org'))
    const versions = new OrgVersions(1)
    versions.apply({ data: 2, moved: ['individuals.phone'] })
    versions.apply({ data: 3, moved: ['spaces'] })
    expect([1, 2, 3].map((since) => versions.hasMoved(reads, since))).toEqual([true, false, false])
  })

  describe('that reads one row', () => {
    const ONE = 'select t.version, t.phone from individuals t where t.org = :org and t.id = $2'
    const since = (text: string, rows?: Record<string, string[]>) => {
      const reads = new Reads()
      reads.note(readingOf(text), ['x', 'a'])
      const versions = new OrgVersions(1)
      versions.apply({ data: 2, moved: ['individuals.phone'], rows: rows && new Map(Object.entries(rows)) })
      return versions.hasMoved(reads, 1)
    }

    it('is outdated by a change of that row, or of rows that nobody named', () => {
      expect(since(ONE, { individuals: ['b', 'a'] })).toBe(true)
      expect(since(ONE)).toBe(true)
      expect(since(ONE, { spaces: ['b'] })).toBe(true)
    })

    it('is not outdated by a change of another row', () => {
      expect(since(ONE, { individuals: ['b'] })).toBe(false)
    })

    it.each([
      'select t.phone from individuals t where t.org = :org and t.id = $2 and exists (select 1 from individuals i ' +
        'where i.org = :org)',
      'select t.phone from individuals t where t.org = :org and t.kind = $2',
      'select t.phone from individuals t where t.org = :org and t.id = $2 or t.org = :org',
    ])('and others is outdated by any: %s', (text) => {
      expect(since(text, { individuals: ['b'] })).toBe(true)
    })

    it('does not forget that a row was written long ago', () => {
      const reads = new Reads()
      reads.note(readingOf(ONE), ['x', 'a'])
      const versions = new OrgVersions(1)
      const write = (data: number, id: string) =>
        versions.apply({ data, moved: ['individuals.phone'], rows: new Map([['individuals', [id]]]) })
      write(2, 'a')
      for (let n = 0; n < 5000; n++) write(3 + n, `b${n}`)
      expect(versions.hasMoved(reads, 1)).toBe(true)
      expect(versions.hasMoved(reads, 4500)).toBe(false)
    })
  })
})
