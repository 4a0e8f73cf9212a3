import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { atEnd } from '../../test/support/at-end.ts'
import { createSecretBox, findSecretsKey } from './secrets-key.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-key-'))
atEnd(() => rmSync(dataDir, { recursive: true, force: true }))
const config = { dataDir, secretsKeyFile: undefined }

it('the key that seals secrets is made at first need, for its owner alone, and serves every process', () => {
  const [one, two] = [createSecretBox(config), createSecretBox(config)]
  expect(readdirSync(dataDir)).toEqual([])
  const sealed = one.seal('secret', 'x')
  expect(readdirSync(dataDir)).toEqual(['secrets.key'])
  expect(statSync(join(dataDir, 'secrets.key')).mode & 0o777).toBe(0o600)
  expect(two.open(sealed, 'x')).toBe('secret')
})

it('one that is named must be there and be whole', () => {
  const secretsKeyFile = join(dataDir, 'named.key')
  expect(() => findSecretsKey({ dataDir, secretsKeyFile })).toThrow(/SECRETS_KEY_FILE.*cannot be read/)
  writeFileSync(secretsKeyFile, 'dG9vIHNob3J0\n')
  expect(() => findSecretsKey({ dataDir, secretsKeyFile })).toThrow(/32 random bytes/)
})
