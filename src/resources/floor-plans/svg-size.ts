import { Refused } from './refused.ts'

const MAX_LENGTH = 1_000_000
const MAX_RATIO = 50

/** Pixels of a unit of CSS. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  mm: 96 / 25.4,
  cm: 960 / 25.4,
  in: 96,
  pt: 96 / 72,
  pc: 16,
}

interface Size {
  viewBox: string
  width: number
  height: number
}

/** How large the drawing is, in its own units. */
export function sizeOf(attribute: (name: string) => string | undefined): Size {
  const box = attribute('viewBox')
  const [left = 0, top = 0, width = 0, height = 0] =
    box === undefined ? [0, 0, lengthOf(attribute('width')), lengthOf(attribute('height'))] : numbersIn(box)
  const isSize = (length: number) => length > 0 && length <= MAX_LENGTH
  if (!isSize(width) || !isSize(height) || !Number.isFinite(left) || !Number.isFinite(top))
    throw new Refused('The SVG does not say how large it is: it needs a viewBox, or a width and a height')
  if (width / height > MAX_RATIO || height / width > MAX_RATIO)
    throw new Refused('The SVG is too narrow for a floor plan')
  return { viewBox: `${left} ${top} ${width} ${height}`, width, height }
}

function numbersIn(box: string): number[] {
  const numbers = box
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return numbers.length === 4 ? numbers : []
}

function lengthOf(text: string | undefined): number {
  const [, number = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,9})?)\s*([a-z]*)$/.exec(text?.trim() ?? '') ?? []
  return Math.round(Number(number) * (UNITS[unit] ?? 0) * 1000) / 1000
}
