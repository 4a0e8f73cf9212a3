import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { de } from './src/i18n/de/de.ts'
import { en } from './src/i18n/en/en.ts'
import { recordedLabel } from './src/views/identity/audit-fields.ts'

interface Schema {
  properties?: Record<string, unknown>
}
const { schemas } = JSON.parse(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8')).components as {
  schemas: Record<string, Schema>
}

/** What is changed is recorded as it is: whatever can be made or changed by the API, and what comes about otherwise. */
const recorded = Object.keys(schemas).filter(
  (name) => name !== 'Me' && (`${name}Create` in schemas || `${name}Patch` in schemas),
)
const others = [
  'AccessEvent',
  'AccessReviewLine',
  'Alarm',
  'Command',
  'FloorPlan',
  'Identity',
  'Import',
  'KeyHandover',
  'Passkey',
  'Session',
]
/** Of what is recorded by hand: refusals, notices, orders. */
const byHand = [
  'active',
  'cells',
  'days_left',
  'entries',
  'from',
  'is_self_service',
  'network',
  'parameters',
  'passkeys',
  'removals',
  'since',
]

it.each([
  ['English', en],
  ['German', de],
])('the log has a word in %s for every field that it records, and shows none as the API writes it', (_, t) => {
  expect(recorded.length).toBeGreaterThan(20)
  const fields = new Set(
    [...recorded, ...others].flatMap((name) => Object.keys(schemas[name]?.properties ?? {})).concat(byHand),
  )
  const raw = [...fields].filter((field) => recordedLabel(t, undefined, field) === field.replaceAll('_', ' '))
  expect(raw).toEqual([])
})
