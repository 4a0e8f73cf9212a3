import { expect, it } from 'vitest'
import { acceptedOf } from './accept.ts'

const TYPES = ['application/json', 'text/csv', 'application/x-ndjson']

it.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['*', 'application/json'],
  ['text/csv', 'text/csv'],
  ['TEXT/CSV', 'text/csv'],
  ['text/*', 'text/csv'],
  ['text/csv;q=0.5, application/json;q=0.4', 'text/csv'],
  ['text/html, */*;q=0.1', 'application/json'],
  ['application/json;q=0, */*', 'text/csv'],
  ['application/json; charset=utf-8', 'application/json'],
  ['text/csv; header=present; q=0.2, application/json; q=0.1', 'text/csv'],
  ['text/html', undefined],
  ['application/json;q=0', undefined],
  ['', 'application/json'],
])('of an Accept header %j it takes %j', (accept, type) => {
  expect(acceptedOf(accept, TYPES)).toBe(type)
})
