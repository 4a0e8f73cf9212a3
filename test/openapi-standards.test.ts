import { readFile } from 'node:fs/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { lintRules } from './support/lint-rules.ts'

/** The document that is served, as test/openapi.test.ts holds on both engines: what others say of it is asked once. */
const text = await readFile(new URL('../docs/openapi.json', import.meta.url), 'utf8')

describe('docs/openapi.json', () => {
  it('passes the linter of Redocly without an error or a warning', async () => {
    const problems = await lintFromString({
      source: text,
      absoluteRef: 'openapi.json',
      config: await createConfig(lintRules),
    })
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`)).toEqual(
      [],
    )
  })

  it('passes the schema of the OpenAPI Initiative', async () => {
    const result = await new Validator().validate(JSON.parse(text))
    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
  })
})
