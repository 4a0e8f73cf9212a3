import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../support/app.ts'

// As if it were a large table: on SQLite its pages are read in threads.
const house = await startHouse({ sqlite: { smallRows: 100 } })
const { owner, engine } = house
const PATH = '/api/v1/access-groups'

/**
 * What a person would say: every word, without case and accents, is somewhere in the text. Written without the
 * product's own folding.
 */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
const isFound = (name: string, asked: string): boolean =>
  plain(asked)
    .split(/[ \t]+/)
    .every((word) => plain(name).includes(word))

const names = [
  'Zürich Nord',
  'zurich-nord-07',
  'ÉCOLE d’ingénieurs',
  'HPH-3-126',
  'XHPH-3-1260',
  'hph 3 126',
  `"quoted" 'both' ways`,
  '100% of_all \\ back',
  'a* OR b AND NOT c',
  'NEAR(x y)',
  '東京都 港区',
  '😀😁 smile',
  'one  two  three',
  'x'.repeat(120),
  '(paren) [bracket] {brace}',
  'semi;colon --comment /*x*/',
  'ab',
  '42',
]

const found = async (search: string): Promise<string[]> => {
  const { body } = await owner.get(`${PATH}?limit=100&select=name&search=${encodeURIComponent(search)}`)
  const { data, meta } = body as { data: Array<{ name: string }>; meta: { pagination: { total: number } } }
  expect(meta.pagination.total).toBe(data.length)
  return data.map((group) => group.name).sort()
}

beforeAll(async () => {
  for (const name of names) await owner.create(PATH, { name })
})

describe('search', () => {
  it.each(names)('finds %j by the whole, by each word, and by each part of three letters', async (name) => {
    const words = name.split(/\s+/).filter(Boolean)
    const parts = words.flatMap((word) =>
      [...word].length > 3 && word.length < 50 ? [[...word].slice(1, 4).join('')] : [],
    )
    for (const asked of [name, ...words, ...parts, name.toUpperCase()]) expect(await found(asked)).toContain(name)
  })

  it('finds exactly the rows in which every word occurs, whatever is asked', async () => {
    const pieces = names.flatMap((name) => name.split(/\s+/)).filter(Boolean)
    const piece = fc
      .constantFrom(...pieces)
      .chain((word) =>
        fc
          .tuple(fc.nat([...word].length), fc.integer({ min: 1, max: 8 }))
          .map(([from, length]) => [...word].slice(from, from + length).join('')),
      )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 3 }), async (words) => {
        const asked = words.join(' ').trim()
        fc.pre(asked !== '')
        expect(await found(asked)).toEqual(names.filter((name) => isFound(name, asked)).sort())
      }),
      { numRuns: 150 },
    )
  })

  it('follows a change of the text at once, in both directions', async () => {
    const group = await owner.create(PATH, { name: 'Wintergarden' })
    expect(await found('intergard')).toEqual(['Wintergarden'])
    await owner.patch(`${PATH}/${group.id}`, { name: 'Summerhouse' })
    expect(await found('intergard')).toEqual([])
    expect(await found('ummerhou')).toEqual(['Summerhouse'])
    await owner.delete(`${PATH}/${group.id}`)
    expect(await found('ummerhou')).toEqual([])
  })

  it.runIf(engine.dialect.name === 'sqlite')(
    'forgets a word that no row holds any more, and keeps one that another row still holds',
    async () => {
      const words = async () =>
        (await engine.reader.all<{ word: string }>('select word from individuals_words', [])).map((row) => row.word)
      const one = await owner.create('/api/v1/individuals', { given_name: 'Erasmus', family_name: 'Shared' })
      const other = await owner.create('/api/v1/individuals', { given_name: 'Beatrix', family_name: 'Shared' })
      expect(await words()).toEqual(expect.arrayContaining(['erasmus', 'beatrix', 'shared']))
      await owner.delete(`/api/v1/individuals/${one.id}`)
      expect(await words()).not.toContain('erasmus')
      expect(await words()).toContain('shared')
      await owner.delete(`/api/v1/individuals/${other.id}`)
      expect(await words()).not.toContain('shared')
    },
  )
  it.runIf(engine.dialect.name === 'sqlite')(
    'knows exactly the words that rows hold, however they are renamed, made and deleted',
    async () => {
      const column = async (text: string) =>
        (await engine.reader.all<{ value: string }>(text, [])).map((row) => row.value)
      const name = fc
        .array(fc.constantFrom('a', 'b', 'a"b', "c'", 'c\\', 'dé', 'd,e', '[]'), { minLength: 1, maxLength: 4 })
        .map((words) => words.join(' '))
      const ids: string[] = []
      let made = 0
      const step = async (which: number, words: string | null) => {
        const id = ids[which]
        // Names are told apart by their number.
        const to = words && `${words} ${made++}`
        if (!id) ids.push((await owner.create(PATH, { name: to ?? `a ${made++}` })).id)
        else if (to === null) await owner.delete(`${PATH}/${ids.splice(which, 1)[0]}`)
        else await owner.patch(`${PATH}/${id}`, { name: to })
      }
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(3), fc.option(name)), { minLength: 1, maxLength: 8 }),
          async (steps) => {
            for (const [which, words] of steps) await step(which, words)
            const texts = await column('select search_text as value from access_groups')
            const held = new Set(texts.flatMap((text) => text.split(' ')).filter(Boolean))
            expect(await column('select word as value from access_groups_words order by word')).toEqual(
              [...held].sort(),
            )
            for (const word of held) expect(await found(word), word).not.toEqual([])
          },
        ),
        { numRuns: 30 },
      )
    },
  )
})
