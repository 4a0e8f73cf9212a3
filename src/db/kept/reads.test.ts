import { describe, expect, it } from 'vitest'
import { type Corrected, Reads } from './reads.ts'
import type { Reading } from './statement.ts'

const reading = (table: string): Reading => ({
  tables: new Map([[table, { columns: ' name ', isWide: false }]]),
  usesClock: false,
  row: undefined,
  isLive: false,
})
const [written, other] = [reading('locations'), reading('buildings')]
const isWritten = (one: Reading): boolean => one === written
const corrected = (): Corrected => ({
  reads: new Reads(),
  serial: 0,
  isGoodAt: () => true,
  correct: async () => undefined,
})

const readsOf = (note: (reads: Reads) => unknown): Reads => {
  const reads = new Reads()
  note(reads)
  return reads
}

describe('what is read while others write is of one moment', () => {
  it.each<[string, boolean, (reads: Reads) => unknown]>([
    ['where a single statement reads what is written', true, (reads) => [written, other].map((one) => reads.note(one))],
    ['unless it was asked twice', false, (reads) => [written, written].map((one) => reads.note(one))],
    ['unless rows were asked for twice', false, (reads) => [['a'], ['b']].map((ids) => reads.noteRows(written, ids))],
    [
      'unless something that was kept reads it too',
      false,
      (reads) => reads.include(readsOf((own) => own.note(written))),
    ],
    [
      'where what is corrected by itself came first',
      true,
      (reads) => {
        reads.noteCorrected(corrected())
        reads.note(written)
      },
    ],
    [
      'unless that came behind a statement',
      false,
      (reads) => {
        reads.note(written)
        reads.noteCorrected(corrected())
      },
    ],
    [
      'unless something that was kept was made from it',
      false,
      (reads) => {
        reads.note(written)
        reads.include(readsOf((own) => own.noteCorrected(corrected())))
      },
    ],
  ])('%s', (_, isSo, note) => {
    expect(readsOf(note).isOfOneMomentBeside(isWritten)).toBe(isSo)
  })
})
