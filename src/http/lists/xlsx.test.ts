import { describe, expect, it, vi } from 'vitest'
import { readByOpenpyxl } from '../../../test/lists/files.ts'
import type { AnyRow } from '../../db/resource.ts'
import type { Column } from './columns.ts'
import { xlsx } from './xlsx.ts'

// The other reader takes seconds to start on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const columns: Column[] = [
  { name: 'name', type: 'string', isPlain: false, valueOf: (row) => row.name },
  { name: 'count', type: 'integer', isPlain: false, valueOf: (row) => row.count },
]

async function bookOf(pieces: AnyRow[][], maxRows?: number): Promise<Buffer> {
  const given = async function* () {
    yield* pieces
  }
  return Buffer.concat(await Array.fromAsync(xlsx(columns, given(), maxRows)))
}

describe('a workbook', () => {
  it('goes on in another sheet where one is full, and has no empty one behind', async (context) => {
    const rows = Array.from({ length: 7 }, (_, count) => ({ name: `n${count}`, count }))
    const sheets = readByOpenpyxl(await bookOf([rows.slice(0, 4), [], rows.slice(4)], 4))
    if (!sheets) return context.skip('python3-openpyxl is not installed: nobody but ourselves has read the file')
    const shown = sheets.map(({ name, rows: [, ...body] }) => [
      name,
      body.map((cells) => cells.map(([, value]) => value)),
    ])
    expect(shown).toEqual([
      [
        'Export',
        [
          ['n0', 0],
          ['n1', 1],
          ['n2', 2],
        ],
      ],
      [
        'Export 2',
        [
          ['n3', 3],
          ['n4', 4],
          ['n5', 5],
        ],
      ],
      ['Export 3', [['n6', 6]]],
    ])
    expect(readByOpenpyxl(await bookOf([rows.slice(0, 3)], 4))).toHaveLength(1)
    expect(readByOpenpyxl(await bookOf([]))).toHaveLength(1)
  })

  it('holds control characters, and cuts what one cell cannot hold', async (context) => {
    const sheets = readByOpenpyxl(
      await bookOf([
        [
          { name: 'a\u0001\u000bb\r\nc', count: null },
          { name: 'x'.repeat(40_000), count: -3 },
        ],
      ]),
    )
    if (!sheets) return context.skip('python3-openpyxl is not installed: nobody but ourselves has read the file')
    const [, [first] = [], [long, number] = []] = sheets[0]?.rows ?? []
    const decoded = String(first?.[1]).replace(/_x([0-9A-F]{4})_/g, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    expect(decoded).toBe('a\u0001\u000bb\r\nc')
    expect([String(long?.[1]).length, String(long?.[1]).endsWith('…'), number?.[1]]).toEqual([32_767, true, -3])
  })

  it('that nobody reads on ends what it is made of', async () => {
    let isBegun = false
    let isEnded = false
    const given = async function* () {
      try {
        isBegun = true
        for (;;) yield [{ name: 'x'.repeat(10_000), count: 1 }]
      } finally {
        isEnded = true
      }
    }
    for await (const _ of xlsx(columns, given())) if (isBegun) break
    await expect.poll(() => isEnded).toBe(true)
  })

  it('fails as what it is made of fails', async () => {
    const given = async function* () {
      yield [{ name: 'a', count: 1 }]
      throw new Error('away')
    }
    await expect(Array.fromAsync(xlsx(columns, given()))).rejects.toThrow('away')
  })
})
