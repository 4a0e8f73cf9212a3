import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
} from 'node:crypto'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Application, newApplication, obtain, startListening } from '../../../test/support/peers/oauth.ts'
import { SigningKeys } from './keys.ts'

/**
 * Each of these is signed with the real key, or made as somebody without it would, and is refused; a good one beside it
 * is not.
 */
const house = await startListening({ TRUST_PROXY: 'on' })
const { app, engine, url } = house

type Json = Record<string, unknown>
const base64 = (value: string | Buffer) => Buffer.from(value).toString('base64url')
const now = () => Math.floor(Date.now() / 1000)

let kid = ''
let key: KeyObject
let publicPem = ''
let nextKey: { kid: string; key: KeyObject }
let good: Json
let idToken = ''
let refreshToken = ''
let application: Application
let token = ''

const es256 = (input: string, by: KeyObject = key) =>
  signBytes('sha256', Buffer.from(input), { key: by, dsaEncoding: 'ieee-p1363' })
const header = () => ({ alg: 'ES256', typ: 'at+jwt', kid })

/** A token of ours, whatever its texts are. */
const made = (head: string, body: string, by?: KeyObject): string => {
  const input = `${base64(head)}.${base64(body)}`
  return `${input}.${base64(es256(input, by))}`
}
const token1 = (claims: Json = {}, head: Json = {}, by?: KeyObject): string =>
  made(
    JSON.stringify({ ...header(), ...head }),
    JSON.stringify({ ...good, iat: now(), exp: now() + 600, ...claims }),
    by,
  )
const without = (name: string) => token1({ [name]: undefined })

beforeAll(async () => {
  const keyOf = async (status: string) => {
    const found = (await new SigningKeys(engine, house.clock).load()).keys.find((one) => one.status === status)
    return { kid: found?.kid ?? '', key: createPrivateKey({ key: found?.privateJwk ?? {}, format: 'jwk' }) }
  }
  application = await newApplication(house)
  const granted = await obtain(house, application, { scope: 'openid spaces:read' })
  token = granted.tokens.access_token
  idToken = granted.tokens.id_token ?? ''
  refreshToken = granted.tokens.refresh_token ?? ''
  good = decodeJwt(token)
  ;({ kid, key } = await keyOf('current'))
  nextKey = await keyOf('next')
  publicPem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
})

let host = 0
/** Failures are counted per address. */
const statusOf = async (value: string, scheme = 'Bearer') => {
  const headers = { authorization: `${scheme} ${value}`, 'x-forwarded-for': `203.0.113.${++host % 250}` }
  const answer = await app.inject({ url: '/api/v1/me', headers })
  return [answer.statusCode, answer.json().error?.code]
}

const another = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const anotherJwk = another.publicKey.export({ format: 'jwk' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ed25519 = generateKeyPairSync('ed25519')

const hmac = (secret: string | Buffer, alg: 'HS256' | 'HS512' = 'HS256') => {
  const input = `${base64(JSON.stringify({ ...header(), alg }))}.${base64(JSON.stringify({ ...good, iat: now(), exp: now() + 600 }))}`
  return `${input}.${base64(
    createHmac(alg === 'HS256' ? 'sha256' : 'sha512', secret)
      .update(input)
      .digest(),
  )}`
}
const unsigned = (head: Json, signature = '') =>
  `${base64(JSON.stringify(head))}.${base64(JSON.stringify(good))}.${signature}`
const signedAs = (alg: string, signature: (input: Buffer) => Buffer) => {
  const input = `${base64(JSON.stringify({ ...header(), alg }))}.${base64(JSON.stringify({ ...good, iat: now(), exp: now() + 600 }))}`
  return `${input}.${base64(signature(Buffer.from(input)))}`
}
const goodBody = (more = '') => JSON.stringify({ ...good, iat: now(), exp: now() + 600 }).replace(/}$/, `${more}}`)
const parts = () => token1().split('.') as [string, string, string]
const otherId = '01997d2a-4c00-7000-8000-00000000ffff'

const corpus: Array<[string, () => string]> = [
  ['alg none, without a signature', () => unsigned({ ...header(), alg: 'none' })],
  ['alg none, with a signature', () => unsigned({ ...header(), alg: 'none' }, 'AAAA')],
  ['alg NONE in another case', () => unsigned({ ...header(), alg: 'NoNe' }, 'AAAA')],
  ['alg missing', () => token1({}, { alg: undefined })],
  ['alg of another type', () => token1({}, { alg: ['ES256'] })],
  ['HS256 with the public key (PEM) as the secret', () => hmac(publicPem)],
  ['HS256 with the public key (PEM without its last line end) as the secret', () => hmac(publicPem.trimEnd())],
  [
    'HS256 with the public key (DER) as the secret',
    () => hmac(createPublicKey(key).export({ type: 'spki', format: 'der' })),
  ],
  [
    'HS256 with the public JWK as the secret',
    () => hmac(JSON.stringify(createPublicKey(key).export({ format: 'jwk' }))),
  ],
  ['HS512 with the client’s secret', () => hmac(application.client_secret ?? '', 'HS512')],
  ['HS256 with an empty secret', () => hmac('')],
  [
    'RS256 with a key of somebody’s own',
    () => signedAs('RS256', (input) => signBytes('sha256', input, rsa.privateKey)),
  ],
  [
    'ES384 with a key of another curve',
    () => signedAs('ES384', (input) => signBytes('sha384', input, { key: p384.privateKey, dsaEncoding: 'ieee-p1363' })),
  ],
  [
    'ES256 said, signed with another curve',
    () => signedAs('ES256', (input) => signBytes('sha256', input, { key: p384.privateKey, dsaEncoding: 'ieee-p1363' })),
  ],
  [
    'EdDSA with a key of somebody’s own',
    () => signedAs('EdDSA', (input) => signBytes(null, input, ed25519.privateKey)),
  ],
  ['ES256 with a key of somebody’s own under our kid', () => token1({}, {}, another.privateKey)],
  ['our next key’s kid, signed with the current one', () => token1({}, { kid: nextKey.kid })],
  ['a signature in DER', () => signedAs('ES256', (input) => signBytes('sha256', input, key))],
  ['a signature of zeros', () => `${parts().slice(0, 2).join('.')}.${base64(Buffer.alloc(64))}`],
  ['an empty signature', () => `${parts().slice(0, 2).join('.')}.`],
  [
    'the signature of another token of ours',
    () => `${parts().slice(0, 2).join('.')}.${token1({ jti: 'other' }).split('.')[2]}`,
  ],
  ['a signature cut short', () => token1().slice(0, -2)],
  ['a signature with something after it', () => `${token1()}AAAA`],
  ['a kid that nobody has', () => token1({}, { kid: 'unknown' })],
  ['no kid', () => token1({}, { kid: undefined })],
  ['a kid that is a path', () => token1({}, { kid: '../../../../dev/null' })],
  ['a kid that is SQL', () => token1({}, { kid: `${kid}' or '1'='1` })],
  ['a kid that is a list', () => token1({}, { kid: [kid] })],
  ['a kid that is a name of every object', () => token1({}, { kid: '__proto__' })],
  [
    'a jwk in the header, and signed with it',
    () => token1({}, { jwk: anotherJwk, kid: undefined }, another.privateKey),
  ],
  ['a jwk in the header beside our kid', () => token1({}, { jwk: anotherJwk })],
  ['a jku in the header', () => token1({}, { jku: 'https://evil.example/jwks' })],
  ['an x5u in the header', () => token1({}, { x5u: 'https://evil.example/cert' })],
  ['an x5c in the header', () => token1({}, { x5c: ['AAAA'] })],
  ['crit with what nobody knows', () => token1({}, { crit: ['unknown'], unknown: true })],
  ['crit with b64', () => token1({}, { crit: ['b64'], b64: false })],
  ['an unknown member in the header', () => token1({}, { cty: 'JWT' })],
  ['another issuer, signed with our key', () => token1({ iss: 'https://evil.example' })],
  ['our issuer with a slash at its end', () => token1({ iss: `${url}/oauth/` })],
  ['a list of issuers', () => token1({ iss: [`${url}/oauth`] })],
  ['no issuer', () => without('iss')],
  ['another audience', () => token1({ aud: 'https://other.example/api' })],
  ['the issuer as the audience', () => token1({ aud: `${url}/oauth` })],
  ['several audiences, ours among them', () => token1({ aud: [`${url}/api`, 'https://other.example'] })],
  ['no audience', () => without('aud')],
  ['typ JWT', () => token1({}, { typ: 'JWT' })],
  ['typ of a logout token', () => token1({}, { typ: 'logout+jwt' })],
  ['typ in another case', () => token1({}, { typ: 'AT+JWT' })],
  ['no typ', () => token1({}, { typ: undefined })],
  ['an ID token in place of an access token', () => idToken],
  ['a refresh token in place of an access token', () => refreshToken],
  ['expired', () => token1({ iat: now() - 700, exp: now() - 100 })],
  ['expired this second', () => token1({ iat: now() - 600, exp: now() })],
  ['no expiry', () => without('exp')],
  ['an expiry that is a text', () => token1({ exp: String(now() + 600) })],
  [
    'an expiry that is not a number',
    () => made(JSON.stringify(header()), goodBody().replace(/"exp":\d+/, '"exp":1e999')),
  ],
  ['a longer life than we give', () => token1({ exp: now() + 86_400 })],
  ['not valid yet (nbf)', () => token1({ nbf: now() + 300 })],
  ['made in the future (iat)', () => token1({ iat: now() + 300, exp: now() + 600 })],
  ['no iat', () => without('iat')],
  ['no jti', () => without('jti')],
  ['no subject', () => without('sub')],
  ['another subject', () => token1({ sub: otherId })],
  ['a subject that is no id', () => token1({ sub: "' or 1=1" })],
  ['no client', () => without('client_id')],
  ['another client', () => token1({ client_id: otherId })],
  ['no organization', () => without('organization_id')],
  ['another organization', () => token1({ organization_id: otherId })],
  ['another grant', () => token1({ grant_id: otherId })],
  ['no grant: not made by client credentials', () => without('grant_id')],
  [
    'no grant, the client as its subject, but no service user',
    () => token1({ grant_id: undefined, sub: good.client_id }),
  ],
  ['a scope that is a list', () => token1({ scope: ['spaces:read'] })],
  ['a member of the payload twice', () => made(JSON.stringify(header()), goodBody(`,"sub":"${String(good.sub)}"`))],
  [
    'a member of the payload twice, once escaped',
    () => made(JSON.stringify(header()), goodBody(`,"s\\u0075b":"${String(good.sub)}"`)),
  ],
  ['a member of the header twice', () => made(JSON.stringify(header()).replace('{', '{"alg":"ES256",'), goodBody())],
  ['a payload that is a list', () => made(JSON.stringify(header()), `[${goodBody()}]`)],
  ['a payload that is no JSON', () => made(JSON.stringify(header()), 'spaces:read')],
  ['a payload with a byte order mark', () => made(JSON.stringify(header()), `\ufeff${goodBody()}`)],
  ['a header that is null', () => made('null', goodBody())],
  ['two parts', () => parts().slice(0, 2).join('.')],
  ['four parts', () => `${token1()}.AAAA`],
  ['five parts: an encrypted token', () => `${token1()}.AAAA.AAAA`],
  ['cut in the middle', () => token1().slice(0, 200)],
  ['base64 instead of base64url', () => token1().replace(/\.[^.]+$/, (part) => `${part}==`)],
  [
    'stray bits at the end of the signature',
    () => token1().replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
  ],
  ['a JWS in JSON', () => JSON.stringify({ payload: parts()[1], protected: parts()[0], signature: parts()[2] })],
  ['longer than any token', () => token1({ filler: 'x'.repeat(10_000) })],
  ['nothing but dots', () => '..'],
  ['not a token at all', () => 'eyJ'],
]

describe('a JWT is refused that has', () => {
  it.each(corpus)('%s', async (_name, make) => {
    expect(await statusOf(make())).toEqual([401, 'UNAUTHORIZED'])
    expect((await statusOf(token))[0]).toBe(200)
  })

  it('a good one under the scheme Token', async () => {
    expect(await statusOf(token1(), 'Token')).toEqual([401, 'UNAUTHORIZED'])
  })
})

describe('beside them', () => {
  it('a token made here in the same way is accepted, so that each of them is refused for what it is', async () => {
    expect((await statusOf(token1()))[0]).toBe(200)
    expect((await statusOf(token1({ nbf: now() - 10, jti: 'another' }), 'bearer'))[0]).toBe(200)
    expect((await statusOf(token1({}, { kid: nextKey.kid }, nextKey.key)))[0]).toBe(200)
    expect(corpus.length).toBeGreaterThanOrEqual(40)
  })

  it('more scope in a token than was consented to gives nothing more', async () => {
    const headers = { authorization: `Bearer ${token1({ scope: 'spaces:read users:write locations:write' })}` }
    const { data } = (await app.inject({ url: '/api/v1/me', headers })).json()
    expect(data.permissions.map(({ permission }: { permission: string }) => permission)).toEqual(['spaces:read'])
  })
})
