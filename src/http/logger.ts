import type { FastifyBaseLogger } from 'fastify'
import { type DestinationStream, pino } from 'pino'
import { systemClock } from '../core/time/clock.ts'

/**
 * Any piece of a token or a client's secret, also one cut short or with its underscores encoded: better too much hidden
 * than too little.
 */
const TOKEN = /acs(?:_|%5f)(pat|sec)(?:_|%5f)[0-9a-z]{8,}/gi
/** Any JWT, or the beginning of one: an access token of ours or of another issuer. */
const JWT = /eyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g
/** Headers that carry credentials, at whatever depth of a log line they stand. */
const HEADER = /"([\w-]*(?:authorization|cookie))":(?:"(?:[^"\\]|\\.)*"?|\[[^\]]*\]?)/gi
/** A parameter of an address, wherever one stands in a line. */
const PARAMETER = /([?&])([^=&?"\s]*)=[^&"\s\\#]+/g
/** What is given in an address by mistake, or by OAuth, whose codes work once: parameters whose names say so. */
const SECRET_NAME = /(?:token|secret|password|passphrase|assertion|signature|verifier|code|key|pin)$/i
/** What PostgreSQL adds to an error: a whole row, or the values of a statement, names and hashes among them. */
const VALUES = /"(detail|where)":"(?:[^"\\]|\\.)*"/g

/** A log line as it may be kept. */
export const redact = (line: string): string =>
  redactTokens(line).replace(HEADER, hidden).replace(VALUES, hidden).replace(PARAMETER, parameter)

/** For what goes back to the caller too: an error repeats the piece that is wrong. */
export const redactTokens = (text: string): string =>
  text.replace(TOKEN, (_, kind: string) => `acs_${kind}_[redacted]`).replace(JWT, '[redacted]')

const parameter = (whole: string, mark: string, name: string) =>
  SECRET_NAME.test(name) ? `${mark}${name}=[redacted]` : whole

const hidden = (_whole: string, name: string) => `"${name}":"[redacted]"`

/** JSON lines, each redacted as a whole right before it is written: no field and no message can be forgotten. */
export const createLogger = (level: string, destination: DestinationStream): FastifyBaseLogger =>
  pino(
    { level, base: null, timestamp: () => `,"time":"${systemClock.now()}"`, hooks: { streamWrite: redact } },
    destination,
  )
