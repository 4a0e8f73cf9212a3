import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { generate, generated, readOpenApi } from './generate-types.ts'

it('what the portal knows of the API is what docs/openapi.json says (npm run portal:types)', () => {
  const made = generate(readOpenApi())
  for (const [name, file] of Object.entries(generated))
    expect(readFileSync(file, 'utf8')).toBe(made[name as keyof typeof generated])
})
