import { describe, expect, it } from 'vitest'
import { Reads } from './reads.ts'
import { boundReading } from './statement.ts'
import { catchUp, OrgVersions, type VersionRow } from './versions.ts'

const row = (name: string, version: number): VersionRow => ({ is_live: 0, data: 9, name, version })
const names = [row('credentials', 9), row('credentials.label', 4), row('individuals', 2)]

describe('what was moved, as the database has it', () => {
  it.each([
    ['as they come', names],
    ['the other way round', names.toReversed()],
  ])('is known in any order: %s', (_, rows) => {
    const versions = catchUp(new OrgVersions(), rows)
    const reads = new Reads()
    reads.note(boundReading('select t.label from credentials t where t.org = :org and t.id = $1'), ['one'])
    expect([2, 6, 9].map((since) => versions.rowsAfter('credentials', since))).toEqual([undefined, undefined, []])
    expect([2, 6, 9].map((since) => versions.hasMoved(reads, since))).toEqual([true, true, false])
  })
})
