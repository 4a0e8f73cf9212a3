import { expect, it } from 'vitest'
import { SqliteConnection, withPlaces } from './connection.ts'
import { IN_MEMORY } from './sqlite.ts'

it('gives a place no number where each value stands once and in its turn', () => {
  expect(withPlaces('insert into t values ($1, $2), ($3, $4)')).toBe('insert into t values (?, ?), (?, ?)')
  expect(withPlaces('select $1, $2 where a = $1')).toBe('select ?1, ?2 where a = ?1')
  expect(withPlaces('select $2, $1')).toBe('select ?2, ?1')
  expect(withPlaces('select 1')).toBe('select 1')
})

it('binds values to either', () => {
  const connection = new SqliteConnection(IN_MEMORY, { cacheKiB: 100 })
  expect(connection.all('select $1 as a, $2 as b', ['x', 2])).toEqual([{ a: 'x', b: 2 }])
  expect(connection.all('select $2 as a, $1 as b, $2 as c', ['x', 2])).toEqual([{ a: 2, b: 'x', c: 2 }])
  connection.db.close()
})
