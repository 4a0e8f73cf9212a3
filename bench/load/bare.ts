import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** The reference: node:http and nothing else, sending the bytes and headers it was given. */
const { headers, body } = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as {
  headers: Record<string, string>
  body: string
}
const bytes = Buffer.from(body)

createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(bytes)
}).listen(Number(process.env.PORT), '127.0.0.1')
