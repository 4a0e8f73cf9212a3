import type { RouteEntry } from '../../src/http/context.ts'

/** A small, seeded source of chance (mulberry32): a run that fails can be had again. */
export class Chance {
  private state: number
  constructor(seed: number) {
    this.state = seed
  }
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  below(n: number): number {
    return Math.floor(this.next() * n)
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }
  isOneIn(n: number): boolean {
    return this.below(n) === 0
  }
}

/** Texts that have broken parsers, databases and pages before. */
export const texts = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'true',
  'NaN',
  '1e309',
  '../../etc/passwd',
  "' or 1=1 --",
  '"; drop table keys; --',
  '$1',
  ':org',
  ':now',
  '%',
  '_',
  '*',
  '\\',
  '?',
  '#',
  '\u0001\u001f\u007f',
  '\u00a0\u2003',
  '\u202eevil\u202c',
  'עברית العربية',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'Zürich',
  'ﬁ ß İ ı',
  'a\u0301\u0327'.repeat(20),
  '\ufffd\ufeff\uffff',
  '𐀀\u{10ffff}',
  '<script>alert(1)</script>',
  '2024-02-30',
  '9999-12-31T23:59:60Z',
  '+275760-09-13T00:00:00.000Z',
  '0000-01-01T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  'x'.repeat(10_001),
] as const

export const values: readonly unknown[] = [
  ...texts,
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  2_147_483_648,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  1e308,
  5e-324,
  [],
  [null],
  [[[]]],
  ['x'],
  {},
  { a: { b: null } },
  { $ne: null },
]

/** Bodies that are no JSON object that could be meant, as bytes. */
export const brokenBodies: ReadonlyArray<readonly [string, Buffer]> = [
  ['half an object', Buffer.from('{"name":')],
  ['two objects', Buffer.from('{}{}')],
  ['a trailing comma', Buffer.from('{"name":"x",}')],
  ['single quotes', Buffer.from("{'name':'x'}")],
  ['NaN', Buffer.from('{"name":NaN}')],
  ['a comment', Buffer.from('{/* */}')],
  ['a byte order mark', Buffer.from('\ufeff{"name":"x"}')],
  ['white space alone', Buffer.from('  \n')],
  ['a NUL byte', Buffer.from('{"name":"a\u0000b"}')],
  ['an escaped NUL', Buffer.from('{"name":"a\\u0000b"}')],
  ['an escaped NUL in a key', Buffer.from('{"na\\u0000me":"x"}')],
  ['half a surrogate pair, the first', Buffer.from('{"name":"\\ud800"}')],
  ['half a surrogate pair, the second', Buffer.from('{"name":"\\udc00x"}')],
  ['a surrogate pair the wrong way round', Buffer.from('{"name":"\\udc00\\ud800"}')],
  ['half a surrogate pair in a key', Buffer.from('{"\\ud800":"x"}')],
  ['invalid UTF-8', Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])],
  ['overlong UTF-8', Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')])],
  [
    'a surrogate in UTF-8',
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  ],
  ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
  ['a control character', Buffer.from('{"name":"a\nb"}')],
  ['__proto__', Buffer.from('{"__proto__":{"isAdmin":true}}')],
  ['constructor', Buffer.from('{"constructor":{"prototype":{"isAdmin":true}}}')],
  ['__proto__ further in', Buffer.from('{"settings":{"__proto__":{"isAdmin":true}}}')],
  ['the same key twice', Buffer.from('{"name":"x","name":"y"}')],
  ['the same key twice, once escaped', Buffer.from('{"name":"a:\\"b","n\\u0061me":"y"}')],
  ['the same key twice further in', Buffer.from('{"name":"x","settings":{"a":[{"b":1,"b":1}]}}')],
  ['a list', Buffer.from('[]')],
  ['a list of objects', Buffer.from('[{"name":"x"}]')],
  ['a text', Buffer.from('"name"')],
  ['a number', Buffer.from('1')],
  ['true', Buffer.from('true')],
  ['depth 33', Buffer.from(`{"settings":${'{"a":'.repeat(32)}1${'}'.repeat(32)}}`)],
  ['lists of depth 33', Buffer.from(`{"name":${'['.repeat(32)}${']'.repeat(32)}}`)],
  ['depth 100,000', Buffer.from('['.repeat(100_000))],
]

export const queries = [
  '',
  '&',
  '&&=&',
  '=',
  '=x',
  '%',
  '%zz',
  '%ff',
  '%00',
  'a%00b=c',
  'page=1&page=2',
  'page=-0',
  'page=99999999999999999999',
  'page=2147483647&limit=100',
  'limit=0x10',
  'order=',
  'order=id.desc,id',
  'order=__proto__',
  'order=constructor.asc',
  'select=*,id',
  'select=__proto__',
  'select=toString',
  'search=%25%5F%2A%22',
  'search=%22%22%22',
  `search=${'a'.repeat(500)}`,
  'search=a b c d e f g h i j k l m n o p q r s t u v w x y z',
  'search=%F0%9F%98%80',
  'id=eq.x',
  'id=in.()',
  'id=not.in.()',
  'created_at=gt.9999-12-31T23:59:59.999999999Z',
  'created_at=lt.0001-01-01',
  'version=eq.9007199254740992',
  'version=lt.-9007199254740991',
  'name=ilike.*%25_%5C*',
  'name=like.************',
  'name=in.("\\"","\\\\")',
  'name=eq.%ED%A0%80',
  '__proto__=eq.1',
  'hasOwnProperty=eq.1',
  'or=(id.eq.1)',
  'x[y]=1',
  'space_ids=,',
  'is_include_others=1',
] as const

/** A route's address with something else in its place now and then. */
export function strangeAddress(chance: Chance, { url }: RouteEntry, ids: readonly string[]): string {
  const path = url.replace(/:\w+/g, () => {
    if (!chance.isOneIn(4)) return chance.pick(ids)
    return chance.pick([
      'x',
      '%',
      '%00',
      '%2e%2e',
      'null',
      '-',
      '0',
      '%F0%9F%98%80',
      '%ff',
      "'",
      'a'.repeat(600),
      chance.pick(ids).toUpperCase(),
    ])
  })
  const shape = chance.below(20)
  if (shape === 0) return `${path}/`
  if (shape === 1) return `/${path}`
  if (shape === 2) return path.replace('/api', '/API')
  if (shape === 3) return `${path}/../..`
  if (shape === 4) return `${path};x=1`
  return path
}
