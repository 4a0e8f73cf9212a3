import { describe, expect, it } from 'vitest'
import { readConfig, usualAnswersMb } from './config.ts'

const fault = (env: Record<string, string>): string => {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('the address', () => {
  it('is a host’s own, whatever its spelling', () => {
    expect(readConfig({ BASE_URL: 'https://Gatehouse.Example/' }).baseUrl).toBe('https://gatehouse.example')
    expect(readConfig({ BASE_URL: 'http://10.0.0.5:8080' }).baseUrl).toBe('http://10.0.0.5:8080')
    expect(readConfig({ BASE_URL: 'https://a.example', DOCS_URL: 'https://docs.example/gatehouse' }).docsUrl).toBe(
      'https://docs.example/gatehouse',
    )
  })

  it('with a path stops the start: portal, cookies and sign-on would not follow it', () => {
    expect(fault({ BASE_URL: 'https://example.org/gatehouse' })).toBe(
      'BASE_URL is "https://example.org/gatehouse"; it must be an address without a path, like https://example.org: ' +
        'give Gatehouse a host name of its own.',
    )
    for (const rest of ['/gatehouse/', '/?a', '?a', '#a', '/a#b'])
      expect(fault({ BASE_URL: `https://example.org${rest}` })).toContain('without a path')
    expect(fault({ BASE_URL: 'https://user:x@example.org' })).toContain('without a path')
    expect(fault({ BASE_URL: 'gatehouse.example' })).toContain('it must be an address like')
  })
})

describe('where it listens', () => {
  it('is one address, by which all connections are held to the same', () => {
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', baseUrl: 'http://localhost:8080' })
    expect(readConfig({ HOST: 'localhost' })).toMatchObject({ host: '127.0.0.1', baseUrl: 'http://localhost:8080' })
    expect(readConfig({ HOST: '::' })).toMatchObject({ host: '::', baseUrl: 'http://localhost:8080' })
  })
})

describe('mail', () => {
  it('needs a mail server and a sender, both or neither', () => {
    expect(readConfig({}).mail).toBeUndefined()
    const mail = { SMTP_URL: 'smtps://user:secret@mail.example:465', MAIL_FROM: 'Gatehouse <gatehouse@example.org>' }
    expect(readConfig(mail).mail).toEqual({ smtpUrl: mail.SMTP_URL, from: mail.MAIL_FROM })
    expect(fault({ SMTP_URL: mail.SMTP_URL })).toMatch(/^MAIL_FROM must be/)
    expect(fault({ MAIL_FROM: mail.MAIL_FROM })).toMatch(/^SMTP_URL must be/)
    for (const MAIL_FROM of ['x', 'a@b\r\nBcc: c@d', 'Gatehouse'])
      expect(fault({ ...mail, MAIL_FROM })).toMatch(/^MAIL_FROM/)
  })

  it('has an address with a password, which a fault does not repeat', () => {
    for (const SMTP_URL of ['https://user:secret@mail.example', 'user:secret@mail.example', 'smtp://']) {
      expect(fault({ SMTP_URL, MAIL_FROM: 'a@b' })).toMatch(/^SMTP_URL must be/)
      expect(fault({ SMTP_URL, MAIL_FROM: 'a@b' })).not.toContain('secret')
    }
  })
})

describe('single sign-on', () => {
  const one = {
    SSO_PROVIDERS: 'corp',
    SSO_CORP_ISSUER: 'https://idp.example',
    SSO_CORP_CLIENT_ID: 'a',
    SSO_CORP_CLIENT_SECRET: 'secret',
  }

  it('has any number of providers, each with what it needs', () => {
    expect(readConfig({}).signOn).toEqual([])
    const { signOn } = readConfig({
      ...one,
      SSO_PROVIDERS: 'corp, other_2',
      SSO_CORP_JOIN: 'My company / Operator',
      SSO_OTHER_2_ISSUER: 'https://other.example/realm',
      SSO_OTHER_2_CLIENT_ID: 'b',
      SSO_OTHER_2_CLIENT_SECRET: 'c',
      SSO_OTHER_2_NAME: 'Other',
    })
    expect(signOn).toEqual([
      {
        id: 'corp',
        name: 'corp',
        issuer: 'https://idp.example',
        clientId: 'a',
        clientSecret: 'secret',
        join: { organization: 'My company', role: 'Operator' },
      },
      {
        id: 'other_2',
        name: 'Other',
        issuer: 'https://other.example/realm',
        clientId: 'b',
        clientSecret: 'c',
        join: undefined,
      },
    ])
  })

  it('stops the start with a sentence where something is missing or wrong', () => {
    for (const name of ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET'])
      expect(fault({ ...one, [`SSO_CORP_${name}`]: '' })).toBe(
        `SSO_CORP_${name} is missing; SSO_PROVIDERS names "corp".`,
      )
    expect(fault({ ...one, SSO_PROVIDERS: 'Corp' })).toMatch(/small letters/)
    expect(fault({ ...one, SSO_PROVIDERS: 'corp,corp' })).toMatch(/twice/)
    for (const issuer of ['idp.example', 'ftp://idp.example', 'https://idp.example?x'])
      expect(fault({ ...one, SSO_CORP_ISSUER: issuer })).toMatch(/^SSO_CORP_ISSUER is/)
    for (const join of ['Company', '/Role', 'Company/'])
      expect(fault({ ...one, SSO_CORP_JOIN: join })).toMatch(/^SSO_CORP_JOIN is/)
    const same = { SSO_TWO_ISSUER: 'https://idp.example/', SSO_TWO_CLIENT_ID: 'b', SSO_TWO_CLIENT_SECRET: 'c' }
    expect(fault({ ...one, ...same, SSO_PROVIDERS: 'corp,two' })).toMatch(/the same issuer/)
  })
})

describe('the memory for answers', () => {
  it('grows with the workers, each of which has its own, but for what is asked for', () => {
    const GB = 1024 ** 3
    expect([1, 2, 8].map((workers) => usualAnswersMb(workers, 24 * GB))).toEqual([72, 144, 384])
    expect([1, 2].map((workers) => usualAnswersMb(workers, GB))).toEqual([28, 28])
    expect(readConfig({ WORKERS: '2', ANSWERS_MB: '40' }).answersMb).toBe(40)
  })
})
