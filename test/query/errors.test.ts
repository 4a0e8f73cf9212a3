import { describe, expect, it } from 'vitest'
import { oneOf } from '../../src/core/fields.ts'
import { linkHeader } from '../../src/query/meta.ts'
import { parseTimestamp } from '../../src/query/operands.ts'
import { parsePairs } from '../../src/query/pairs.ts'
import {
  booleanParameter,
  dateParameter,
  integerParameter,
  parseParameters,
  timestampParameter,
  uuidListParameter,
  uuidParameter,
} from '../../src/query/parameters.ts'
import { type ListParameter, parseListQuery } from '../../src/query/parse.ts'
import { allFields, everything, faultOf } from './fixture.ts'

const id = '00000000-0000-4000-8000-0000000000a1'
const fields = { ...allFields, status: oneOf('active', 'lost') }
const parse = (query: string, offered: ReadonlySet<ListParameter> = everything) =>
  parseListQuery(query, fields, offered)
const many = (count: number, piece: string) => Array.from({ length: count }, () => piece)

describe('every refused query has its reason', () => {
  const table: Record<string, string[]> = {
    'encoding.malformed': [
      'name=eq.%',
      'name=eq.%4',
      'name=eq.%C3',
      'name=eq.%C0%80',
      'name=eq.%ED%A0%80',
      'na%FFme=eq.x',
      '%00=x',
      'name=eq.\u00c5',
    ],
    'query.too_long': [`name=eq.${'a'.repeat(8185)}`],
    'param.unknown': [
      'offset=1',
      'and=(a.eq.1)',
      'name[eq]=x',
      'not.or=(a)',
      '=x',
      'a b=eq.1',
      'näme=eq.1'.replace('ä', '%C3%A4'),
    ],
    'param.repeated': [
      'page=1&page=1',
      'limit=1&limit=1',
      'order=id&order=name',
      'select=id&select=id',
      'search=a&search=b',
      'search=&search=',
    ],
    'page.not_integer': [
      'page',
      'page=',
      'page=a',
      'page=1.5',
      'page=1.0',
      'page=1e1',
      'page=0x0A',
      'page=010',
      'page=00',
      'page=%2B1',
      'page=%201',
      'page=1%20',
    ],
    'page.out_of_range': ['page=0', 'page=-1', 'page=-0', 'page=2147483648', `page=${'9'.repeat(400)}`],
    'limit.not_integer': [
      'limit=',
      'limit=ten',
      'limit=%EF%BC%91',
      'limit=1_0',
      'limit=10n',
      'limit=--1',
      'limit=1%0A',
    ],
    'limit.out_of_range': ['limit=0', 'limit=101', 'limit=-5'],
    'order.empty_term': ['order=', 'order', 'order=%20', 'order=,name', 'order=name,,id', 'order=name,'],
    'order.syntax': [
      'order=-name',
      'order=name%20desc',
      'order=name.desc.asc',
      'order=name..asc',
      'order=name.asc.',
      'order=a(b).asc',
      'order=name.asc.nullsfirst.x.y',
      'order=n%C3%A4me',
      'order=name%0A',
      'order=1name',
    ],
    'order.unknown_field': ['order=nope', 'order=constructor', 'order=__proto__', 'order=secret', 'order=name,nope'],
    'order.not_sortable': ['order=tags'],
    'order.duplicate_field': ['order=name,name.desc', 'order=id,name,id'],
    'order.too_many': [
      `order=${['id', 'name', 'label', 'floor', 'active', 'created_at', 'owner_id', 'ratio', 'due_on', 'seen_at', 'id'].join(',')}`,
    ],
    'select.empty_term': ['select=', 'select=,id', 'select=id,,name', 'select=id,%09'],
    'select.syntax': [
      'select=n:name',
      'select=name::text',
      'select=a(b)',
      'select=count()',
      'select=name.count()',
      'select=a-%3Eb',
      'select=...a',
    ],
    'select.unknown_field': ['select=nope', 'select=secret', 'select=toString'],
    'select.duplicate_field': ['select=id,name,id'],
    'select.star_not_alone': ['select=*,id', 'select=id,*', 'select=*,*'],
    'filter.unknown_field': [
      'nope=eq.1',
      'Name=eq.x',
      'secret=eq.x',
      'constructor=eq.x',
      '__proto__=eq.x',
      'per_page=10',
      'filters=x',
    ],
    'filter.not_filterable': ['tags=eq.x', 'tags=is.null'],
    'filter.unknown_operator': [
      'name',
      'name=',
      'name=Alpha',
      'name=eq',
      'name=not.eq',
      'name=not',
      'name=not.',
      'name=not.not.eq.x',
      'name=.x',
      'name=Eq.x',
      'name=constructor.x',
      'name=%20eq.x',
      'name=NOT.eq.x',
      'name=like(any).x',
    ],
    'filter.operator_type': [
      'floor=like.1',
      'owner_id=gt.00000000-0000-7000-8000-000000000001',
      'id=ilike.a',
      'active=gt.true',
      'active=like.t',
      'label=is.true',
      'floor=is.FALSE',
      'created_at=like.2024*',
    ],
    'filter.value_type': [
      'floor=eq.',
      'floor=eq.1.5',
      'floor=eq.01',
      'floor=eq.%2B1',
      'floor=eq.1e1',
      'floor=eq.9007199254740992',
      'floor=gt.%201',
      'ratio=eq..5',
      'ratio=eq.1.',
      'ratio=eq.1e3',
      'ratio=eq.NaN',
      `ratio=eq.${'9'.repeat(400)}`,
      'active=eq.TRUE',
      'active=eq.1',
      'id=eq.abc',
      `id=eq.{${id}}`,
      'id=eq.',
      'due_on=eq.2024-02-30',
      'due_on=eq.2023-02-29',
      'due_on=eq.2024-01-01T00:00:00Z',
      'due_on=eq.0000-01-01',
      'due_on=eq.2024-13-01',
      'seen_at=eq.now',
      'seen_at=in.(2024-01-01,x)',
      'floor=in.(null)',
      'floor=in.("")',
    ],
    'filter.is_value': ['label=is.', 'label=is.nil', 'label=is.null%20', 'active=is.unknown', 'label=is.not.null'],
    'filter.list_syntax': [
      'name=in.',
      'name=in.a',
      'name=in.(',
      'name=in.(a',
      'name=in.(a)b',
      'name=in.()b',
      'name=in.(,)',
      'name=in.(a,)',
      'name=in.(,a)',
      'name=in.("a)',
      'name=in.("a\\")',
      'name=in.("a"b)',
      'name=in.("a\\',
      'name=in.(a,%20)',
      'name=in.(a(b)c)',
      'name=in.((a))',
    ],
    'filter.enum_value': [
      'status=eq.activ',
      'status=neq.activ',
      'status=in.(active,lots)',
      'status=not.eq.',
      'status=eq.Active',
      'status=eq.null',
    ],
    'filter.pattern_too_long': [`name=ilike.${'x'.repeat(201)}`, `name=not.like.${'*x'.repeat(11)}`],
    'filter.group_syntax': [
      'or=',
      'or=a.eq.1',
      'or=()',
      'or=(name.eq.a',
      'or=(name.eq.a,)',
      'or=(name.eq.a)b',
      'or=(name.eq."a)',
      'or=(name.eq."a"b)',
      'or=(and)',
      'or=(xor(name.eq.a))',
      'or=(not.name.eq.a)',
    ],
    'filter.too_deep': ['or=(and(or(and(name.eq.a))))'],
    'cursor.with_page': ['page=1&cursor=', 'cursor=&name=eq.x&page=2'],
    'filter.too_many': [
      `or=(${many(21, 'name.neq.x')})`,
      `name=like.x&or=(${many(5, 'name.like.x')})`,
      many(21, 'name=neq.x').join('&'),
      many(6, 'name=ilike.*x*').join('&'),
      many(6, 'name=not.like.x').join('&'),
    ],
    'search.too_many_words': [`search=${'abcdefghijk'.split('').join('+')}`],
    'filter.list_too_long': [`name=in.(${many(101, 'x')})`],
  }
  it.each(Object.entries(table).flatMap(([reason, queries]) => queries.map((query) => ({ reason, query }))))(
    '$reason: $query',
    ({ reason, query }) => {
      const fault = faultOf(() => parse(query))
      expect(fault).toMatchObject({ code: 'VALIDATION_ERROR', status: 400, reason })
      expect(fault.details).toEqual([{ path: expect.any(String), rule: reason, message: fault.message }])
      expect(fault.message.length).toBeLessThan(400)
    },
  )

  it('the first fault of the query string is the one reported', () => {
    expect(faultOf(() => parse('limit=0&name=eq.%ZZ')).reason).toBe('limit.out_of_range')
    expect(faultOf(() => parse('name=eq.%ZZ&limit=0')).reason).toBe('encoding.malformed')
    expect(faultOf(() => parse('order=nope,&nope=eq.1')).reason).toBe('order.unknown_field')
  })

  it('what is not offered is refused, also when it is otherwise known', () => {
    const few = new Set<ListParameter>(['page', 'limit'])
    for (const query of ['order=name', 'select=id', 'search=x', 'name=eq.x'])
      expect(faultOf(() => parse(query, few)).reason).toBe('param.unknown')
  })

  it('the message helps: %2B for a plus, is.null for null', () => {
    expect(faultOf(() => parse('created_at=gt.2024-01-01T00:00:00+01:00')).message).toContain('%2B')
    expect(faultOf(() => parse('floor=eq.null')).message).toContain('is.null')
  })
})

describe('a hint names what was probably meant', () => {
  it.each([
    ['sort=name', 'order'],
    ['per_page=50', 'limit'],
    ['offset=10', 'page'],
    ['q=main', 'search'],
    ['fields=id', 'select'],
    ['serach=main', 'search'],
    ['lable=eq.x', 'label'],
    ['order=nmae', 'name'],
    ['select=create_at', 'created_at'],
    ['filter[status]=active', 'status=eq.active'],
    ['status[eq]=active', 'status=eq.active'],
    ['status=active', 'status=eq.active'],
    ['status=active,lost', 'status=in.(active,lost)'],
    ['status=eq.actve', 'active'],
    ['name=Main', 'name=eq.Main'],
    ['floor=3', 'floor=eq.3'],
    ['floor=ge.3', 'floor=gte.3'],
    ['name=EQ.x', 'name=eq.x'],
    ['label=null', 'label=is.null'],
  ])('%s: %s', (query, hint) => {
    expect(faultOf(() => parse(query)).message).toContain(`did you mean "${hint}"?`)
  })

  it('of what is offered only', () => {
    const few = new Set<ListParameter>(['page', 'limit'])
    expect(faultOf(() => parse('per_page=50', few)).message).toContain('did you mean "limit"?')
    for (const query of ['sort=name', 'status=active', 'filter[name]=x'])
      expect(faultOf(() => parse(query, few)).message).not.toContain('mean')
    for (const query of ['secrets=eq.x', 'order=secrets', 'select=secrets', 'zzz=eq.x', 'floor=three'])
      expect(faultOf(() => parse(query)).message).not.toContain('mean')
    expect(faultOf(() => parseParameters('dayz=1', { days: integerParameter(1, 31) })).message).toContain(
      'did you mean "days"?',
    )
  })
})

describe('what is accepted', () => {
  it('ten words, five patterns of two hundred characters, ten wildcards, twenty filters', () => {
    expect(parse('search=a+b+c+d+e+f+g+h+i+j+A+%C3%A4+b').search).toContain('j A')
    expect(parse(many(5, `name=ilike.${'x'.repeat(200)}`).join('&')).filters).toHaveLength(5)
    expect(parse(`name=like.${'*x'.repeat(10)}`).filters).toHaveLength(1)
    expect(parse(many(20, 'status=neq.lost').join('&')).filters).toHaveLength(20)
  })

  it('nothing at all means the defaults', () => {
    const defaults = { page: 1, limit: 10, order: [], select: null, search: null, filters: [], extra: {} }
    expect(parse('')).toEqual(defaults)
    expect(parse('&&')).toEqual(defaults)
    expect(parse('search=')).toEqual(defaults)
  })

  it('keys and values are decoded once; bytes sent unescaped are UTF-8', () => {
    expect(parsePairs('a%20b=c+d&e&f=g=h&=i&%2525=%2B')).toEqual([
      ['a b', 'c d'],
      ['e', ''],
      ['f', 'g=h'],
      ['', 'i'],
      ['%25', '+'],
    ])
    expect(parsePairs('n=\u00c3\u0085se')).toEqual([['n', 'Åse']])
  })

  it('lists take quotes, blanks and the empty text', () => {
    const items = (list: string) =>
      parse(`name=in.${encodeURIComponent(list)}`).filters.map((filter) => 'operand' in filter && filter.operand)[0]
    expect(items('()')).toEqual([])
    expect(items('( \t)')).toEqual([])
    expect(items('( a b ,"c, ""d")'.replace('""', '\\"'))).toEqual(['a b', 'c, "d'])
    expect(items('("" ,\t"\\\\",a(b")')).toEqual(['', '\\', 'a(b"'])
  })

  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-01-05t01:00:00.5+01:00', '2024-01-05T00:00:00.500Z'],
    ['2024-01-01T00:00:00.1234500z', '2024-01-01T00:00:00.12345Z'],
    ['2024-01-01T00:00:00.0000000Z', '2024-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2017-01-01T00:59:60.25+01:00', '2017-01-01T00:00:00.250Z'],
    ['0001-01-01T00:00:00-23:59', '0001-01-01T23:59:00.000Z'],
    ['2024-01-05T12:59:60Z', undefined],
    ['2023-02-29T00:00:00Z', undefined],
    ['2024-01-01T24:00:00Z', undefined],
    ['2024-01-01T00:00:00', undefined],
    ['2024-01-01T00:00Z', undefined],
    ['2024-01-01 00:00:00Z', undefined],
    ['2024-01-01T00:00:00.Z', undefined],
    ['2024-01-01T00:00:00+0100', undefined],
    ['2024-01-01T00:00:00+24:00', undefined],
    ['0000-06-01T00:00:00Z', undefined],
    ['0001-01-01T00:00:00+01:00', undefined],
    ['9999-12-31T23:59:59-01:00', undefined],
  ])('the timestamp %s is %s', (text, expected) => {
    expect(parseTimestamp(text)).toBe(expected)
  })
})

describe('parameters of an endpoint of its own', () => {
  const declared = {
    id: uuidParameter,
    ids: uuidListParameter,
    all: booleanParameter,
    at: timestampParameter,
    on: dateParameter,
    days: integerParameter(1, 31),
  }

  it('are read with their types, lists as a union', () => {
    expect(parseParameters('', declared)).toEqual({})
    const query = `id=${id.toUpperCase()}&ids=${id},${id}&all=false&ids=${id.replace('a1', 'b1')}&at=2024-01-01T00:00:00.0009Z&on=2024-02-29&days=31`
    expect(parseParameters(query, declared)).toEqual({
      id,
      ids: [id, id.replace('a1', 'b1')],
      all: false,
      at: '2024-01-01T00:00:00.000Z',
      on: '2024-02-29',
      days: 31,
    })
    expect(parseListQuery(`page=2&at=2024-01-01&name=eq.x`, allFields, everything, declared)).toMatchObject({
      page: 2,
      extra: { at: '2024-01-01T00:00:00.000Z' },
      filters: [{ field: 'name' }],
    })
  })

  it.each([
    ['id=x', 'param.not_uuid'],
    [`ids=${id},`, 'param.not_uuid'],
    ['all=1', 'param.not_boolean'],
    ['at=soon', 'param.not_timestamp'],
    ['on=2024-02-30', 'param.not_date'],
    ['days=1.5', 'param.not_integer'],
    ['days=32', 'param.out_of_range'],
    [`ids=${many(101, '').map((_, index) => id.slice(0, 33) + String(index).padStart(3, '0'))}`, 'param.list_too_long'],
    [`id=${id}&id=${id}`, 'param.repeated'],
    ['all=true&all=true', 'param.repeated'],
    ['page=1', 'param.unknown'],
    ['constructor=1', 'param.unknown'],
    ['id=%', 'encoding.malformed'],
  ])('%s: %s', (query, reason) => {
    expect(faultOf(() => parseParameters(query, declared)).reason).toBe(reason)
  })
})

describe('the Link header', () => {
  it('keeps the other parameters as they were written', () => {
    expect(linkHeader('/x', 'name=like.a%2A&&page=2&limit=10', { page: 2, limit: 10 }, { total: 42 })).toBe(
      '</x?name=like.a%2A&page=1&limit=10>; rel="first", </x?name=like.a%2A&page=1&limit=10>; rel="prev", ' +
        '</x?name=like.a%2A&page=3&limit=10>; rel="next", </x?name=like.a%2A&page=5&limit=10>; rel="last"',
    )
  })

  it('adds the page where the query has none, and escapes what would end the link', () => {
    expect(linkHeader('/x', 'name=eq.">\u00c3\u0085', { page: 1, limit: 10 }, { total: 11 })).toBe(
      '</x?name=eq.%22%3E%C3%85&page=1>; rel="first", </x?name=eq.%22%3E%C3%85&page=2>; rel="next", ' +
        '</x?name=eq.%22%3E%C3%85&page=2>; rel="last"',
    )
  })

  it('is absent when everything fits on one page', () => {
    expect(linkHeader('/x', 'page=7', { page: 7, limit: 10 }, { total: 10 })).toBeUndefined()
    expect(linkHeader('/x', '', { page: 1, limit: 10 }, { total: 0 })).toBeUndefined()
  })
})
