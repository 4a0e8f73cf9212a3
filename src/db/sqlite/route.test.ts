import { expect, it } from 'vitest'
import { SqliteConnection } from './connection.ts'
import { readsLittle, SqliteRoutes } from './route.ts'

const connection = new SqliteConnection(':memory:', { cacheKiB: 2000 })
connection.db.exec(`
  create table doors (rid integer primary key, org integer, id text, name text, label text, unique (org, id));
  create index doors_by_name on doors (org, name, id);
  create table systems (rid integer primary key, org integer, id text);
  create table bare (id text primary key) without rowid;
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
    insert into doors (org, id, name, label) select 1, 'id' || i, 'name' || i, 'label' || (i * 7919 % 3000) from n;
  insert into systems (org, id) values (1, 'one')`)

const handed = `select t.id from (select value ->> 'id' as id from json_each($1)) t order by t.id limit 10`
const page = 'select t.label from doors t where t.org = $1'

it.each([
  ['one row by its id', `${page} and t.id = $2`, undefined, true],
  ['some rows by a list of ids', `${page} and t.id in (select value from json_each($2))`, undefined, true],
  ['a page in the order of an index', `${page} order by t.name, t.id limit 10`, 1, true],
  ['the same after a mark', `${page} and (t.name, t.id) > ($2, $3) order by t.name, t.id limit 10`, 2, true],
  ['a page in an order without an index', `${page} order by t.label limit 10`, 1, false],
  ['a page in an order that an index gives in part', `${page} order by t.name, t.label limit 10`, 1, false],
  ['a page with a filter that no index serves', `${page} and t.label = $2 order by t.name, t.id limit 10`, 2, false],
  ['a range that an index gives', `${page} and t.name >= $2 and t.name < $3`, undefined, false],
  ['the same, said to be short', `${page} and t.name >= $2 and t.name < $3`, 'few', true],
  ['all rows of an organization', page, undefined, false],
  [
    'a count, whatever it is served by',
    `select count(*) as n from doors t where t.org = $1 and t.id = $2`,
    'all',
    false,
  ],
  ['a join that has no index', 'select d.id from systems s join doors d on d.label = s.id', undefined, false],
  ['a table without row ids', 'select id from bare', undefined, false],
  ['a table that holds little', 'select t.id from systems t where t.org = $1 order by t.id', undefined, true],
  ['no table', 'select 1 as one', undefined, true],
  ['rows that are handed over', handed, undefined, true],
  ['many rows that are handed over', handed, 'all', false],
] as const)('%s', (_name, text, extent, isQuick) => {
  expect(new SqliteRoutes(connection).isQuick(text, extent)).toBe(isQuick)
})

it('many rows go one way and a page goes another, by the same text and in either order', () => {
  const text = `${page} order by t.name, t.id limit $2`
  for (const extents of [['all', 1] as const, [1, 'all'] as const]) {
    const routes = new SqliteRoutes(connection)
    for (const extent of extents) expect(routes.isQuick(text, extent), String(extent)).toBe(extent === 1)
  }
})

it('a table that was made later counts too', () => {
  const routes = new SqliteRoutes(connection)
  expect(routes.isQuick('select t.id from systems t', undefined)).toBe(true)
  connection.db.exec('create table later as select * from doors')
  expect(routes.isQuick('select t.id from later t', undefined)).toBe(false)
})

it('what was taken for little and takes many steps is read elsewhere from then on', () => {
  const routes = new SqliteRoutes(connection, { slowMs: -1 })
  const few = 'select t.id from doors t where t.org = 1 and t.id = $1'
  const many = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000) select count(*) as n
    from n`
  for (const [text, isQuick] of [
    [few, true],
    [many, false],
  ] as const) {
    for (let times = 0; times < 2; times++) {
      expect(routes.isQuick(text, undefined)).toBe(true)
      routes.read(text, text === few ? ['id7'] : [])
    }
    expect(routes.isQuick(text, undefined)).toBe(isQuick)
  }
})

it('a plan that builds an index of its own for a large table, or walks a text index, reads much', () => {
  const large = new Set(['d', 'doors_fts'])
  expect(readsLittle(['SCAN s', 'SEARCH d USING AUTOMATIC COVERING INDEX (label=?)'], large, undefined)).toBe(false)
  expect(readsLittle(['SCAN doors_fts VIRTUAL TABLE INDEX 0:M1'], large, undefined)).toBe(false)
  expect(readsLittle(['SCAN s', 'SEARCH d USING INDEX doors_by_id (org=? AND id=?)'], large, undefined)).toBe(true)
})
