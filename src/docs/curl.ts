export interface ExampleRequest {
  readonly method: string
  /** With its query string. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text goes out as it stands, anything else as JSON. */
  readonly body?: unknown
}

/** A request as a command to paste into a shell. `$TOKEN` in a header is left for the shell to fill in. */
export function curl(baseUrl: string, { method, path, headers = {}, body }: ExampleRequest): string {
  const target = quote(baseUrl + path)
  const parts = [method === 'GET' ? `curl ${target}` : `curl -X ${method} ${target}`]
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`)
  if (body !== undefined)
    parts.push(`-d ${singleQuote(typeof body === 'string' ? body : JSON.stringify(body, null, 2))}`)
  return parts.join(' \\\n  ')
}

const quote = (text: string) => (text.includes('$TOKEN') ? `"${text.replace(/["\\`]/g, '\\$&')}"` : singleQuote(text))
const singleQuote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
