import type { FastifyInstance } from 'fastify'
import { type Client, TEST_SESSION } from './app.ts'

export interface SentFile {
  file: string | Buffer
  name: string
  fields: Record<string, string>
  query?: string
  to?: string
  scheme?: 'Token' | 'Bearer'
  headers?: Record<string, string>
  /** With the token's rights, as by a session. */
  isLoggedIn?: boolean
}

const BOUNDARY = 'a-line-that-no-file-has'

/** Sends a file to be imported, in a form as a browser sends it. */
export async function uploadTo(
  app: FastifyInstance,
  client: Pick<Client, 'token'>,
  {
    file,
    name,
    fields,
    query = '',
    to = '/api/v1/imports',
    scheme = 'Token',
    isLoggedIn = false,
    headers = {},
  }: SentFile,
) {
  const part = (head: string, body: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ])
  const payload = Buffer.concat([
    ...Object.entries(fields).map(([field, value]) => part(`name="${field}"`, value)),
    part(`name="file"; filename="${name}"`, file),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])
  const response = await app.inject({
    method: 'POST',
    url: `${to}${query}`,
    headers: {
      ...headers,
      [isLoggedIn ? TEST_SESSION : 'authorization']: `${scheme} ${client.token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    },
    payload,
  })
  return { status: response.statusCode, body: response.json(), text: response.body, headers: response.headers }
}
