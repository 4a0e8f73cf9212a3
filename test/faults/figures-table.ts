import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Figure } from './figures.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests note what they measured, one JSON text a line. */
    figuresFile: string
  }
}

/** Gives the tests a file to note figures in, and prints them when all have run. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-figures-'))
  const file = join(folder, 'figures.jsonl')
  project.provide('figuresFile', file)
  return () => {
    if (existsSync(file)) process.stdout.write(table(readFileSync(file, 'utf8')))
    rmSync(folder, { recursive: true })
  }
}

function table(lines: string): string {
  const figures = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Figure)
  const width = Math.max(...figures.map(({ name }) => name.length))
  const rows = figures.map(({ name, value, unit }) => `${name.padEnd(width)}  ${rounded(value).padStart(10)} ${unit}\n`)
  return `\nfigures\n${rows.join('')}`
}

const rounded = (value: number): string => value.toFixed(value < 10 && !Number.isInteger(value) ? 1 : 0)
