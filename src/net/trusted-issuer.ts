/** Signatures that anybody can check and only the issuer can make. None with a shared secret, none without. */
export const allowedAlgorithms = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
  'EdDSA',
  'Ed25519',
] as const

/** Somebody else whose JWTs are taken at the API, for the identities that are known here. */
export interface TrustedIssuer {
  /** Compared exactly with `iss`. */
  readonly issuer: string
  /** What `aud` must name. */
  readonly audience: string
  /** What `typ` must be. */
  readonly typ: string
  readonly algorithms: readonly string[]
  /** Where its keys are; undefined: where its own metadata says. */
  readonly jwksUri: string | undefined
}

const MEMBERS = ['issuer', 'audience', 'typ', 'algorithms', 'jwks_uri']

/** Reads the JSON of TRUSTED_ISSUERS; throws an Error with a sentence. */
export function parseTrustedIssuers(text: string): TrustedIssuer[] {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    throw new Error('it must be a JSON array of objects')
  }
  if (!Array.isArray(list)) throw new Error('it must be a JSON array of objects')
  const issuers = list.map(parseOne)
  const twice = issuers.find(({ issuer }, index) => issuers.findIndex((other) => other.issuer === issuer) !== index)
  if (twice) throw new Error(`issuer ${twice.issuer} is there more than once`)
  return issuers
}

function parseOne(entry: unknown): TrustedIssuer {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    throw new Error('each entry must be an object')
  const unknown = Object.keys(entry).find((name) => !MEMBERS.includes(name))
  if (unknown) throw new Error(`"${unknown}" is not a member it knows; there are ${MEMBERS.join(', ')}`)
  const {
    issuer,
    audience,
    typ = 'at+jwt',
    algorithms = ['ES256', 'RS256'],
    jwks_uri: jwksUri,
  } = entry as Record<string, unknown>
  if (!isWebAddress(issuer)) throw new Error('issuer must be an address like https://idp.example')
  if (typeof audience !== 'string' || audience === '') throw new Error(`audience of ${issuer} must be a text`)
  if (typeof typ !== 'string' || typ === '') throw new Error(`typ of ${issuer} must be a text`)
  if (
    !Array.isArray(algorithms) ||
    algorithms.length === 0 ||
    !algorithms.every((name) => allowedAlgorithms.includes(name))
  )
    throw new Error(`algorithms of ${issuer} must be some of ${allowedAlgorithms.join(', ')}`)
  if (jwksUri !== undefined && !isWebAddress(jwksUri))
    throw new Error(`jwks_uri of ${issuer} must be an address like https://idp.example/jwks`)
  return { issuer, audience, typ, algorithms, jwksUri }
}

const isWebAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')
