import { expect, it } from 'vitest'
import { newTokenValue } from '../../src/core/secrets/token.ts'
import { createLogger } from '../../src/http/logger.ts'

function logging() {
  const lines: string[] = []
  return { lines, logger: createLogger('info', { write: (line) => void lines.push(line) }) }
}

it('a token is hidden in messages, in URLs, in errors and deep in objects, also in part or encoded', () => {
  const token = newTokenValue()
  const { lines, logger } = logging()
  logger.info(`used ${token} twice: ${token}`)
  logger.info({ url: `/x?token=${token.replaceAll('_', '%5F')}` }, 'url')
  logger.error({ err: new Error(`bad ${token}`, { cause: new Error(token) }) }, 'failed')
  logger.child({ deep: { deeper: [{ token }] } }).info(token.slice(0, -1))
  const text = lines.join('')
  expect(lines).toHaveLength(4)
  expect(text).not.toContain(token.slice(8, 40))
  expect(text).toContain('used acs_pat_[redacted] twice')
  // What is no secret stays: the prefix is how a token is recognised.
  logger.info({ prefix: 'acs_pat_' }, 'prefix')
  expect(lines.at(-1)).toContain('"prefix":"acs_pat_"')
})

it('authorization and cookie headers are hidden at any depth, and the line stays JSON', () => {
  const { lines, logger } = logging()
  const headers = {
    authorization: 'Bearer "quoted" \\ secret-1',
    Cookie: 'a=secret-2',
    'set-cookie': ['b=secret-3', 'c=secret-4'],
    accept: '*/*',
  }
  logger.info({ req: { raw: { headers } } }, 'deep')
  const line = JSON.parse(lines[0] as string)
  expect(line.req.raw.headers).toEqual({
    authorization: '[redacted]',
    Cookie: '[redacted]',
    'set-cookie': '[redacted]',
    accept: '*/*',
  })
  expect(lines[0]).not.toMatch(/secret-\d/)
})

it('the row that PostgreSQL shows with an error is hidden, in the error, in its cause and in errors within', () => {
  const { lines, logger } = logging()
  const failing = () =>
    Object.assign(new Error('null value in column "name"'), {
      code: '23502',
      constraint: 'individuals_name',
      detail: 'Failing row contains (1, "Ada \\ Byron", scrypt$secret-1).',
      where: "unnamed portal parameter $3 = 'secret-2'",
    })
  logger.error({ err: failing() }, 'top')
  logger.error(failing())
  logger.child({}).error({ err: new Error('outer', { cause: failing() }) }, 'cause')
  logger.error({ problem: { cause: { ...failing() } } }, 'deep')
  logger.error({ err: new AggregateError([failing()], 'several') }, 'within')
  expect(lines).toHaveLength(5)
  expect(lines.join('')).not.toMatch(/secret-\d|Byron/)
  // What helps to find the fault stays, and the line is still JSON.
  const { err } = JSON.parse(lines[0] as string)
  expect(err).toMatchObject({
    code: '23502',
    constraint: 'individuals_name',
    detail: '[redacted]',
    where: '[redacted]',
  })
  for (const line of lines.slice(1)) expect(() => JSON.parse(line)).not.toThrow()
})
