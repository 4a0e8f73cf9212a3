import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { generate, generated, readOpenApi } from './generate-types.ts'

it('what the portal knows of the API is what docs/openapi.json says (npm run portal:types)', () => {
  const made = generate(readOpenApi())
  expect(readFileSync(generated.types, 'utf8')).toBe(made.types)
  expect(readFileSync(generated.bodies, 'utf8')).toBe(made.bodies)
})
