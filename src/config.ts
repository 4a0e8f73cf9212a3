import { parseRange } from './http/addresses.ts'

/** The only reader of the environment: one frozen object, each value checked, each fault a sentence. */
export interface Config {
  readonly port: number
  readonly host: string
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
  /** Signs the audit log's checkpoints; undefined: one of its own in the data folder. */
  readonly auditSigningKeyFile: string | undefined
  /** How long audit entries are kept; 0: for ever. */
  readonly auditRetentionDays: number
  /** Addresses, networks and names that may be called although they are not public. */
  readonly outgoingAllow: readonly string[]
}

export class ConfigError extends Error {}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const port = integer(env, 'PORT', 8080, 0, 65_535)
  const host = env.HOST || '127.0.0.1'
  const baseUrl = url(env, 'BASE_URL') ?? `http://${host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? 'localhost' : host}:${port}`
  return Object.freeze({
    port,
    host,
    dataDir: env.DATA_DIR || 'data',
    databaseUrl: databaseUrl(env),
    databasePool: integer(env, 'DATABASE_POOL', 10, 1, 500),
    baseUrl,
    docsUrl: url(env, 'DOCS_URL') ?? baseUrl,
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    metrics: flag(env, 'METRICS'),
    corsOrigins: list(env, 'CORS_ORIGINS'),
    trustProxy: flag(env, 'TRUST_PROXY'),
    rateLimit: integer(env, 'RATE_LIMIT_PER_MINUTE', 0, 0, 10_000_000),
    auditSigningKeyFile: env.AUDIT_SIGNING_KEY_FILE || undefined,
    auditRetentionDays: integer(env, 'AUDIT_RETENTION_DAYS', 0, 0, 36_500),
    outgoingAllow: targets(env, 'OUTGOING_ALLOW'),
  })
}

type Env = Record<string, string | undefined>

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

const flag = (env: Env, name: string): boolean => oneOf(env, name, ['on', 'off'], 'off') === 'on'

function url(env: Env, name: string): string | undefined {
  const text = env[name]
  if (!text) return undefined
  const parsed = URL.parse(text)
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new ConfigError(`${name} is "${text}"; it must be an address like https://gatehouse.example.`)
  return text.replace(/\/+$/, '')
}

function databaseUrl(env: Env): string | undefined {
  const text = env.DATABASE_URL
  if (!text) return undefined
  if (!/^postgres(ql)?:\/\//.test(text)) {
    throw new ConfigError('DATABASE_URL must begin with postgres:// (leave it out to use the embedded SQLite database).')
  }
  return text
}

const items = (env: Env, name: string): string[] =>
  (env[name] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

function targets(env: Env, name: string): string[] {
  const list = items(env, name)
  for (const item of list) {
    if (parseRange(item) === undefined && !/^(?=.*[a-z])[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(item))
      throw new ConfigError(`${name} has "${item}"; each entry must be an address, a network like 10.0.0.0/8 or a host name.`)
  }
  return list
}

function list(env: Env, name: string): string[] {
  const origins = items(env, name)
  for (const item of origins) {
    if (URL.parse(item)?.origin !== item)
      throw new ConfigError(`${name} has "${item}"; each entry must be an origin like https://app.example, without a path.`)
  }
  return origins
}
