import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { type ListQuery, parseListQuery } from '../../src/query/parse.ts'
import { operandsOf, orderSql, shapeOf, whereSql } from '../../src/query/sql.ts'
import { evaluate } from '../support/evaluate.ts'
import { filter, group, listQuery, order, print, rows } from './arbitraries.ts'
import { allFields, everything, fill, idsBehind, idsOf, openTable, sqlite } from './fixture.ts'

const all = (filters: ListQuery['filters'], terms: ListQuery['order']): ListQuery => ({
  page: 1,
  limit: 100,
  order: terms,
  select: null,
  search: null,
  filters,
  extra: {},
})

describe('parsing', () => {
  it('gives back any query that was printed', () => {
    fc.assert(
      fc.property(listQuery, (query) => {
        expect(parseListQuery(print(query), allFields, everything)).toEqual(query)
      }),
      { numRuns: 500 },
    )
  })

  it('answers any text with a query or with a validation error', () => {
    const anything = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'aname=&%,.()"\\0F+*not.in.eqorderselect \u00c3\u0085'), maxLength: 40 }),
      fc.tuple(listQuery, fc.nat(), fc.string({ maxLength: 2 })).map(([query, at, noise]) => {
        const text = print(query)
        return text.slice(0, at % text.length) + noise + text.slice(at % text.length)
      }),
    )
    fc.assert(
      fc.property(anything, (text) => {
        try {
          parseListQuery(text, allFields, everything)
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
          expect((error as AppError).reason).toMatch(/^[a-z]+\.[a-z_]+$/)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('on SQLite', () => {
  const db = openTable([])

  it('filters and order mean what the grammar says', () => {
    fc.assert(
      fc.property(rows, fc.array(filter, { maxLength: 2 }), order, (data, filters, terms) => {
        fill(db, data)
        const query = all(filters, terms)
        expect(idsOf(db, query)).toEqual(evaluate(data, query, allFields).map(({ id }) => id))
      }),
      { numRuns: 1500 },
    )
  })

  it('groups of filters mean what the grammar says, whatever they hold and are nested in', () => {
    fc.assert(
      fc.property(rows, group, (data, either) => {
        fill(db, data)
        const [parsed] = parseListQuery(`or=${encodeURIComponent(either.value)}`, allFields, everything).filters
        expect(parsed).toEqual(either)
        const query = all([either], [])
        expect(idsOf(db, query)).toEqual(evaluate(data, query, allFields).map(({ id }) => id))
      }),
      { numRuns: 1500 },
    )
  })

  it('what stands behind any row of any order is what follows it there', () => {
    fc.assert(
      fc.property(rows, order, fc.nat(), (data, terms, at) => {
        fill(db, data)
        const whole = evaluate(data, { filters: [], order: terms }, allFields)
        const row = whole[at % (whole.length || 1)]
        if (!row) return
        expect(idsBehind(db, terms, row)).toEqual(whole.slice(whole.indexOf(row) + 1).map(({ id }) => id))
      }),
      { numRuns: 1500 },
    )
  })

  it('pages of any order neither repeat nor leave out a row', () => {
    fc.assert(
      fc.property(
        rows,
        fc.array(filter, { maxLength: 1 }),
        order,
        fc.integer({ min: 1, max: 7 }),
        (data, filters, terms, limit) => {
          fill(db, data)
          const whole = idsOf(db, all(filters, terms))
          const walked: string[] = []
          for (let page = 1; walked.length < whole.length; page++) {
            const ids = idsOf(db, { ...all(filters, terms), page, limit })
            expect(ids.length).toBeGreaterThan(0)
            walked.push(...ids)
          }
          expect(walked).toEqual(whole)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('SQL text', () => {
  it.each(['sqlite', 'postgres'] as const)(
    'of %s is the same for every query of a shape, with one placeholder per operand',
    (name) => {
      const textOf = (query: ListQuery) => {
        let count = 0
        const where = whereSql(
          query.filters,
          (field) => field,
          allFields,
          { name },
          () => `$${++count}`,
        )
        expect(operandsOf(query.filters, allFields, { name })).toHaveLength(count)
        return `${where.join(' and ')} order by ${orderSql(query.order, (field) => field, allFields, { name })}`
      }
      const texts = new Map<string, string>()
      fc.assert(
        fc.property(fc.array(filter, { maxLength: 1 }), order, (filters, terms) => {
          const query = all(filters, terms.slice(0, 1))
          const text = textOf(query)
          expect(texts.get(shapeOf(query)) ?? text).toBe(text)
          texts.set(shapeOf(query), text)
        }),
        { numRuns: 1000 },
      )
      // And different shapes have different texts, but for negations that are an operator's inverse.
      expect(new Set(texts.values()).size).toBeGreaterThan(texts.size / 2)
    },
  )
})

it('a query never reaches SQL as text', () => {
  fc.assert(
    fc.property(filter, (one) => {
      const [text = ''] = whereSql(
        [one],
        (field) => field,
        allFields,
        sqlite,
        () => '?1',
      )
      // Our own pattern of what is not ASCII.
      expect(text.replaceAll("'*[^ -~]*'", '')).toMatch(/^[a-zσς_ ,()'<>=?01]+$/)
    }),
  )
})
