import { describe, expect, it } from 'vitest'
import { isSecretName, MASK, splitSecrets } from './secret-settings.ts'

describe('secret settings', () => {
  it('are those whose name says so', () => {
    const names = [
      'password',
      'apiKey',
      'api_key',
      'client_secret',
      'accessToken',
      'PRIVATE_PEM',
      'passphrase',
      'credentials',
    ]
    expect(names.filter((name) => !isSecretName(name))).toEqual([])
    expect(['address', 'port', 'keypad', 'username', 'topic'].filter(isSecretName)).toEqual([])
  })

  it('are masked at any depth, and kept by their path', () => {
    const { shown, secrets } = splitSecrets({ host: 'a', login: { user: 'u', password: 'p' }, api_key: { id: 1 } }, {})
    expect(shown).toEqual({ host: 'a', login: { user: 'u', password: MASK }, api_key: MASK })
    expect(secrets).toEqual({ 'settings.login.password': 'p', 'settings.api_key': { id: 1 } })
  })

  it('stay as they are when their mask is sent back', () => {
    const first = splitSecrets({ password: 'p', host: 'a' }, {})
    const second = splitSecrets({ ...first.shown, host: 'b' }, first.secrets)
    expect(second).toEqual({ shown: { password: MASK, host: 'b' }, secrets: { 'settings.password': 'p' } })
  })

  it('are gone when their place is gone, and replaced when another is given', () => {
    const { secrets } = splitSecrets({ password: 'p', token: 't' }, {})
    expect(splitSecrets({ token: 'new' }, secrets).secrets).toEqual({ 'settings.token': 'new' })
  })

  it('are not made of a mask that stands for nothing', () => {
    expect(() => splitSecrets({ password: MASK }, {})).toThrow(/settings.password/)
  })

  it('cannot stand in a list, where they would lose their place', () => {
    expect(() => splitSecrets({ controllers: [{ id: 1, login: { password: 'p' } }] }, {})).toThrow(
      /a list cannot hold secrets/,
    )
    expect(splitSecrets({ controllers: [{ id: 1 }] }, {}).shown).toEqual({ controllers: [{ id: 1 }] })
  })
})
