import { expect, test } from 'vitest'
import { lineFault } from './line.ts'

test.each([
  '',
  'E 27.3',
  'Zürich',
  '東京 3階',
  'דלת ראשית',
  'نمی‌خواهم',
  'क्‍ष',
  '👩‍💻 Desk',
  '❤️',
  '1️⃣ Floor',
  '葛󠄀城',
  ' padded ',
])('%j can be read', (text) => {
  expect(lineFault(text)).toBeUndefined()
})

test.each([
  [' ', 'nothing but blanks'],
  ['\u00a0\u2003\u3000', 'nothing but blanks'],
  ['\u2800', 'nothing but blanks'],
  ['\u3164', 'U+3164'],
  ['Main\nentrance', 'U+000A (line break)'],
  ['Main\u2028entrance', 'U+2028'],
  ['Main\tentrance', 'U+0009 (tab)'],
  ['Main\u0085', 'U+0085'],
  ['\u200b', 'U+200B (cannot be seen)'],
  ['Ma\u200bin', 'U+200B'],
  ['Ma\u200din', 'U+200D'],
  ['Ma\u00adin', 'U+00AD'],
  ['\ufeffMain', 'U+FEFF'],
  ['Main\ufe0f', 'U+FE0F'],
  ['Main\u{e0041}', 'U+E0041'],
  ['\u202eniaM', 'U+202E (turns the writing direction)'],
  ['Main\u2066', 'U+2066'],
  ['\u200d\u200d', 'U+200D'],
])('%j cannot', (text, fault) => {
  expect(lineFault(text)).toContain(fault)
})
