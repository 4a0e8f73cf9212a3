import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { migrations, textOf } from '../src/db/migrate.ts'

const MOST_FILES = 25
const MEDIAN_LINES = 80
const WIDTH = 120
const CASTS_IN_A_THOUSAND = 2

const isOurs = (file: string) => !file.includes('generated') && !file.endsWith('.d.ts')
const code = globSync(['src/**/*.ts', 'portal/src/**/*.{ts,tsx}', 'packages/client/src/**/*.ts']).filter(isOurs)
const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n')

it('no folder has more files than one can take in; migrations are a list', () => {
  const folders = Map.groupBy(
    code.filter((file) => !file.includes('.test.') && !file.includes('/migrations/')),
    dirname,
  )
  expect(folders.size).toBeGreaterThan(50)
  expect([...folders].filter(([, files]) => files.length > MOST_FILES).map(([folder]) => folder)).toEqual([])
})

it('a migration does for ever what it did at first: what has to be otherwise is another migration', async () => {
  const digest = (text: string) => hash('sha256', text.replace(/\s+/g, ' ').trim(), 'hex').slice(0, 16)
  const lines = migrations.map(
    (one) => `${one.name} ${digest(textOf(one, 'sqlite'))} ${digest(textOf(one, 'postgres'))}\n`,
  )
  expect(lines.length).toBeGreaterThan(60)
  await expect(lines.join('')).toMatchFileSnapshot('./migrations.txt')
})

it('files are short: half of them have no more lines than a page or two', () => {
  const lengths = code.map((file) => linesOf(file).length - 1).toSorted((a, b) => a - b)
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(MEDIAN_LINES)
})

it('no line is wider than a window, texts included; expressions are whole, and so are names and examples of tests', () => {
  const tests = globSync(['test/**/*.ts', 'bench/**/*.ts']).filter(isOurs)
  const isComment = (line: string) => /^\s*(\/\/(?! biome-)|\*(?!\/)|\/\*\* )/.test(line)
  const isWhole = (file: string, line: string) =>
    /^\s*(\/\/ biome-|\/\S.*\/[gimu]*,?$)/.test(line) || (/\btest\b/.test(file) && !isComment(line))
  const wide = [...code, ...tests].flatMap((file) =>
    linesOf(file).flatMap((line, index) =>
      line.length > WIDTH && !isWhole(file, line) ? [`${file}:${index + 1}`] : [],
    ),
  )
  expect(wide).toEqual([])
})

it('types flow from what is declared: a cast is rare', () => {
  // Comments, texts and the names of what is imported are no code that casts.
  const beside =
    /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|^(?:import|export) (?:type )?\{[^}]*\}|<p>.*/gm
  const cast = /[\w)\]}'] as (?!const\b)(?=[\w{[(])|: any\b|<any\b/g
  const ours = code.filter((file) => !file.includes('.test.'))
  const counts = ours.map((file) => readFileSync(file, 'utf8').replace(beside, "''").match(cast)?.length ?? 0)
  const lines = ours.reduce((sum, file) => sum + linesOf(file).length, 0)
  const casts = counts.reduce((sum, count) => sum + count, 0)
  expect(casts).toBeGreaterThan(50)
  expect((casts / lines) * 1000).toBeLessThanOrEqual(CASTS_IN_A_THOUSAND)
})
