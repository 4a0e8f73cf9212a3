import { homedir, totalmem } from 'node:os'
import { join } from 'node:path'
import { messageOf } from './core/errors.ts'
import { parseRange } from './net/addresses.ts'
import { parseTrustedIssuers, type TrustedIssuer } from './net/trusted-issuer.ts'

/** The only reader of the environment: one frozen object, each value checked, each fault a sentence. */
export interface Config {
  readonly port: number
  readonly host: string
  /** How many processes take requests; and whether this is one that another one was the first of. */
  readonly workers: number
  readonly isFurtherWorker: boolean
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly databasePool: number
  readonly baseUrl: string
  readonly docsUrl: string
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  readonly metrics: boolean
  readonly corsOrigins: readonly string[]
  readonly trustProxy: boolean
  readonly rateLimit: number
  /** How much of the answers to reads is kept in memory, in MB, by all processes together. */
  readonly answersMb: number
  /** Signs the audit log's checkpoints; undefined: one of its own in the data folder. */
  readonly auditSigningKeyFile: string | undefined
  /** How long audit entries are kept; 0: for ever. */
  readonly auditRetentionDays: number
  readonly historyRetentionDays: number
  /** How long events of each class are kept; 0: for ever. */
  readonly eventRetention: { readonly access: number; readonly door: number; readonly system: number }
  /** Addresses, networks and names that may be called although they are not public. */
  readonly outgoingAllow: readonly string[]
  /** Others whose JWTs are taken at the API. */
  readonly trustedIssuers: readonly TrustedIssuer[]
  /** Undefined: no letters are sent. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | undefined
  readonly signOn: readonly SignOnProvider[]
  /** Seal secrets that must be read again; the first one seals. Empty: one of its own in the data folder. */
  readonly secretKeys: readonly Buffer[]
  readonly portal: boolean
  /** Whoever is provisioned by SCIM also has a login. */
  readonly scimLogins: boolean
  /** The commands that speak to a service over its API: which one, as whom, and where that is kept. */
  readonly remote: {
    readonly server: string | undefined
    readonly token: string | undefined
    readonly credentialsFile: string
  }
}

/** Where people log in by single sign-on (OpenID Connect). */
export interface SignOnProvider {
  readonly id: string
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Whoever logs in there and is not known yet becomes a user of this organization with this role. */
  readonly join: { readonly organization: string; readonly role: string } | undefined
}

/** A slash at the end is the same issuer. */
export const plainIssuer = (issuer: string): string => issuer.replace(/\/$/, '')

export class ConfigError extends Error {}

/** By name where there is one: browsers give passkeys to names only, not to addresses. */
const nameOf = (host: string): string =>
  ['127.0.0.1', '0.0.0.0', '::1', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host

const THIS_MACHINE = '127.0.0.1'

/**
 * By this name there may be two addresses, and Fastify would make a server of its own for the second: none of what we
 * see to on connections would hold there.
 */
const addressOf = (host: string): string => (host === 'localhost' ? THIS_MACHINE : host)

/** Set by the process that starts the workers, for all but the first. */
export const FURTHER_WORKER = 'GATEHOUSE_FURTHER_WORKER'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const port = integer(env, 'PORT', 8080, 0, 65_535)
  const host = addressOf(env.HOST || THIS_MACHINE)
  const workers = integer(env, 'WORKERS', 1, 1, 64)
  const baseUrl = origin(env, 'BASE_URL') ?? `http://${nameOf(host)}:${port}`
  return Object.freeze({
    port,
    host,
    workers,
    isFurtherWorker: flag(env, FURTHER_WORKER),
    dataDir: env.DATA_DIR || 'data',
    databaseUrl: databaseUrl(env),
    databasePool: integer(env, 'DATABASE_POOL', 10, 2, 500),
    baseUrl,
    docsUrl: url(env, 'DOCS_URL') ?? baseUrl,
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    metrics: flag(env, 'METRICS'),
    corsOrigins: list(env, 'CORS_ORIGINS'),
    trustProxy: flag(env, 'TRUST_PROXY'),
    rateLimit: integer(env, 'RATE_LIMIT_PER_MINUTE', 0, 0, 10_000_000),
    answersMb: integer(env, 'ANSWERS_MB', usualAnswersMb(workers), 1, 1_000_000),
    auditSigningKeyFile: env.AUDIT_SIGNING_KEY_FILE || undefined,
    auditRetentionDays: integer(env, 'AUDIT_RETENTION_DAYS', 0, 0, 36_500),
    historyRetentionDays: integer(env, 'HISTORY_RETENTION_DAYS', 0, 0, 36_500),
    eventRetention: {
      access: integer(env, 'ACCESS_EVENT_RETENTION_DAYS', 365, 0, 36_500),
      door: integer(env, 'DOOR_EVENT_RETENTION_DAYS', 90, 0, 36_500),
      system: integer(env, 'SYSTEM_EVENT_RETENTION_DAYS', 365, 0, 36_500),
    },
    outgoingAllow: targets(env, 'OUTGOING_ALLOW'),
    trustedIssuers: issuers(env, 'TRUSTED_ISSUERS'),
    mail: mail(env),
    signOn: signOn(env),
    scimLogins: flag(env, 'SCIM_LOGINS'),
    secretKeys: secretKeys(env),
    portal: flag(env, 'PORTAL', 'on'),
    remote: {
      server: url(env, 'GATEHOUSE_SERVER'),
      token: env.GATEHOUSE_TOKEN || undefined,
      credentialsFile:
        env.GATEHOUSE_CREDENTIALS ||
        join(env.XDG_CONFIG_HOME || join(home(), '.config'), 'gatehouse', 'credentials.json'),
    },
  })
}

/** What a program that we start finds around it. */
export const inherited = (): NodeJS.ProcessEnv => process.env

type Env = Record<string, string | undefined>

/** Home is the root, as by custom, for a user without an entry in the machine's list of users, as in a container. */
function home(): string {
  try {
    return homedir()
  } catch {
    return '/'
  }
}

/**
 * A part of what there is, which in a container may be less than the machine has. Each worker has a memory of its own:
 * with half of it, what one would have answered from memory two would work out again and again.
 */
const memory = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

export function usualAnswersMb(workers: number, bytes = memory()): number {
  const mb = bytes / 1024 / 1024
  return Math.round(Math.min(72 * workers, Math.max(28, mb / 64)))
}

function integer(env: Env, name: string, fallback: number, minimum: number, maximum: number): number {
  const text = env[name]
  if (!text) return fallback
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= minimum && value <= maximum))
    throw new ConfigError(`${name} is "${text}"; it must be a whole number from ${minimum} to ${maximum}.`)
  return value
}

function oneOf<const V extends readonly string[]>(env: Env, name: string, values: V, fallback: V[number]): V[number] {
  const text = env[name]
  if (!text) return fallback
  if (!values.includes(text)) throw new ConfigError(`${name} is "${text}"; it must be one of ${values.join(', ')}.`)
  return text
}

const flag = (env: Env, name: string, fallback: 'on' | 'off' = 'off'): boolean =>
  oneOf(env, name, ['on', 'off'], fallback) === 'on'

function url(env: Env, name: string): string | undefined {
  const text = env[name]
  if (!text) return undefined
  const parsed = URL.parse(text)
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new ConfigError(`${name} is "${text}"; it must be an address like https://gatehouse.example.`)
  let address = text
  while (address.endsWith('/')) address = address.slice(0, -1)
  return address
}

/**
 * The portal, its cookies, sign-on and OAuth stand at the root of a host: half of them would not find each other below
 * a path.
 */
function origin(env: Env, name: string): string | undefined {
  const text = url(env, name)
  if (text === undefined) return undefined
  const { origin, href } = new URL(text)
  if (href === `${origin}/`) return origin
  throw new ConfigError(
    `${name} is "${text}"; it must be an address without a path, like ${origin}: give Gatehouse a host name of ` +
      'its own.',
  )
}

function databaseUrl(env: Env): string | undefined {
  const text = env.DATABASE_URL
  if (!text) return undefined
  if (!/^postgres(ql)?:\/\//.test(text)) {
    throw new ConfigError(
      'DATABASE_URL must begin with postgres:// (leave it out to use the embedded SQLite database).',
    )
  }
  return text
}

/** Never shown, not even when it is wrong. */
function secretKeys(env: Env): Buffer[] {
  const keys = (env.SECRET_KEY ?? '').split(',').filter(Boolean)
  return keys.map((text) => {
    const key = Buffer.from(text.trim(), 'base64')
    if (!/^[\w+/-]{43}=?$/.test(text.trim()) || key.length !== 32)
      throw new ConfigError(
        'SECRET_KEY must be 32 bytes in base64 (several, the newest first, separated by commas); make one with: ' +
          'openssl rand -base64 32',
      )
    return key
  })
}

const items = (env: Env, name: string): string[] =>
  (env[name] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

const isHostName = (text: string): boolean =>
  /^[a-z0-9.-]+$/i.test(text) && /[a-z]/i.test(text) && !/^[.-]|[.-]$/.test(text)

function targets(env: Env, name: string): string[] {
  const list = items(env, name)
  for (const item of list) {
    if (parseRange(item) === undefined && !isHostName(item))
      throw new ConfigError(
        `${name} has "${item}"; each entry must be an address, a network like 10.0.0.0/8 or a host name.`,
      )
  }
  return list
}

function issuers(env: Env, name: string): TrustedIssuer[] {
  const text = env[name]
  if (!text) return []
  try {
    return parseTrustedIssuers(text)
  } catch (error) {
    throw new ConfigError(`${name}: ${messageOf(error)}.`)
  }
}

function list(env: Env, name: string): string[] {
  const origins = items(env, name)
  for (const item of origins) {
    if (URL.parse(item)?.origin !== item)
      throw new ConfigError(
        `${name} has "${item}"; each entry must be an origin like https://app.example, without a path.`,
      )
  }
  return origins
}

function mail(env: Env): Config['mail'] {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = env
  if (!smtpUrl && !from) return undefined
  // The address may hold a password: it is not repeated.
  if (!smtpUrl || !/^smtps?:$/.test(URL.parse(smtpUrl)?.protocol ?? '') || !URL.parse(smtpUrl)?.hostname)
    throw new ConfigError(
      'SMTP_URL must be an address like smtps://user:password@mail.example:465 (or smtp://mail.example:587).',
    )
  if (!from || !/^[^\r\n]*$/.test(from) || !/[^\s@<>]@[^\s@<>]+>?$/.test(from))
    throw new ConfigError(
      'MAIL_FROM must be the sender of letters, like gatehouse@example.org or Gatehouse <gatehouse@example.org>.',
    )
  return { smtpUrl, from }
}

function signOn(env: Env): SignOnProvider[] {
  const ids = items(env, 'SSO_PROVIDERS')
  if (new Set(ids).size < ids.length) throw new ConfigError('SSO_PROVIDERS names a provider twice.')
  const providers = ids.map((id) => signOnProvider(env, id))
  if (new Set(providers.map(({ issuer }) => plainIssuer(issuer))).size < ids.length)
    throw new ConfigError('Two of SSO_PROVIDERS have the same issuer.')
  return providers
}

function signOnProvider(env: Env, id: string): SignOnProvider {
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(id))
    throw new ConfigError(
      `SSO_PROVIDERS has "${id}"; each entry must be small letters, digits and underscores, such as google.`,
    )
  const prefix = `SSO_${id.toUpperCase()}_`
  const needed = (name: string): string => {
    const text = env[prefix + name]
    if (!text) throw new ConfigError(`${prefix}${name} is missing; SSO_PROVIDERS names "${id}".`)
    return text
  }
  const issuer = needed('ISSUER')
  const parsed = URL.parse(issuer)
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.search || parsed.hash)
    throw new ConfigError(
      `${prefix}ISSUER is "${issuer}"; it must be the provider's address, like https://accounts.example.`,
    )
  const join = env[`${prefix}JOIN`]
  const [organization = '', role = ''] = (join ?? '').split('/').map((part) => part.trim())
  if (join && (!organization || !role))
    throw new ConfigError(
      `${prefix}JOIN is "${join}"; it must name an organization and a role, like My company/Operator.`,
    )
  return {
    id,
    name: env[`${prefix}NAME`] || id,
    issuer,
    clientId: needed('CLIENT_ID'),
    clientSecret: needed('CLIENT_SECRET'),
    join: join ? { organization, role } : undefined,
  }
}
