import { expect, it } from 'vitest'
import { changeVerbs } from '../../../../src/core/change-verbs.ts'
import type { AuditEntry } from '../../api/generated/types.ts'
import { de } from '../../i18n/de/de.ts'
import { en } from '../../i18n/en/en.ts'
import { sentenceOf } from './audit-words.ts'

const entry = (action: string, after: object | null = null) =>
  ({ action, resource: 'lockdowns', before: null, after }) as AuditEntry

it('every verb that can be recorded has a word in German, and reads as words in English', () => {
  expect(changeVerbs.filter((verb) => de.identity.auditVerbs[verb] === undefined)).toEqual([])
  const unsaid = changeVerbs.filter((verb) => en.identity.auditVerbs[verb] === undefined)
  expect(unsaid.filter((verb) => verb.includes('_'))).toEqual([])
})

it('an emergency is told by what it is', () => {
  expect(sentenceOf(entry('lockdown.created', { kind: 'drill' }), en)).toBe('Drill started')
  expect(sentenceOf(entry('lockdown.released', { kind: 'evacuation' }), en)).toBe('Evacuation released')
  expect(sentenceOf(entry('lockdown.created', { kind: 'drill' }), de)).toBe('Übung gestartet')
  expect(sentenceOf(entry('lockdown.created'), en)).toBe('Emergency created')
})
