import fc from 'fast-check'
import { expect, it } from 'vitest'
import { atOnce } from '../pauses.ts'
import { cellName, fromRows, toRows } from './plan-table.ts'

it.each([
  [0, 0, 'A1'],
  [6, 1, 'B7'],
  [0, 25, 'Z1'],
  [0, 26, 'AA1'],
  [0, 701, 'ZZ1'],
  [0, 702, 'AAA1'],
])('row %i, column %i is %s', (row, column, name) => {
  expect(cellName(row, column)).toBe(name)
})

it('a table says every fault by its cell, and goes by numbers and codes alone', () => {
  const { numbers, codes, marks, faults } = fromRows([
    ['Cylinder', 'Label', 'Door', 'GHS', '', 'GHS', 'HS1'],
    ['101', 'Front', 'Whatever', 'X', 'ignored', 'x', ' '],
    ['', '', '', '', '', '', ''],
    ['', 'no number', '', '', '', '', ''],
    ['101', '', '', 'maybe', '', '', '1'],
  ])
  expect([...numbers]).toEqual([['101', 'A2']])
  expect([...codes]).toEqual([
    ['GHS', 'D1'],
    ['HS1', 'G1'],
  ])
  expect(marks.filter(({ number }) => number !== '')).toEqual([
    { number: '101', code: 'GHS', isSet: true, at: 'D2' },
    { number: '101', code: 'HS1', isSet: false, at: 'G2' },
    { number: '101', code: 'HS1', isSet: true, at: 'G5' },
  ])
  expect(faults.map(({ path, rule }) => [path, rule])).toEqual([
    ['F1', 'plan.twice'],
    ['A4', 'plan.no_number'],
    ['A5', 'plan.twice'],
    ['D5', 'plan.mark'],
  ])
})

it.each([[[]], [[['Cylinder', 'Label', 'Door']]], [[['101', 'x']]]])('%j has no head', (rows) => {
  expect(fromRows(rows).faults[0]).toMatchObject({ path: 'A1', rule: 'plan.no_head' })
})

it('what is written is read as it was', () => {
  const name = fc
    .string({ minLength: 1, maxLength: 8 })
    .map((text) => text.trim())
    .filter((text) => text !== '')
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { maxLength: 6 }),
      fc.uniqueArray(name, { minLength: 1, maxLength: 6 }),
      fc.array(fc.boolean(), { minLength: 36, maxLength: 36 }),
      (numbers, codes, set) => {
        const cylinders = numbers.map((number) => ({ number, label: null, door: null }))
        const opens = (row: number, column: number) => set[row * 6 + column] ?? false
        const read = fromRows(atOnce(toRows({ cylinders, codes, opens })))
        expect(read.faults).toEqual([])
        expect([...read.numbers.keys()]).toEqual(numbers)
        expect([...read.codes.keys()]).toEqual(codes)
        expect(read.marks.map(({ isSet }) => isSet)).toEqual(
          numbers.flatMap((_, row) => codes.map((__, column) => opens(row, column))),
        )
      },
    ),
  )
})

it('a row is written at a time: others have their turn between two', () => {
  const cylinders = ['1', '2', '3'].map((number) => ({ number, label: null, door: null }))
  expect([...toRows({ cylinders, codes: ['GHS'], opens: () => true })]).toHaveLength(cylinders.length)
})
