import type { ExampleRequest } from './curl.ts'

/** A request for Node or a browser. `$TOKEN` comes from the environment. */
export function javascript(
  baseUrl: string,
  { method, path, headers = {}, body }: ExampleRequest,
  answersJson: boolean,
): string {
  const lines = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)},`]),
    ...(Object.keys(headers).length === 0
      ? []
      : [`headers: { ${Object.entries(headers).map(javascriptHeader).join(', ')} },`]),
    ...(body === undefined
      ? []
      : [`body: ${typeof body === 'string' ? quoted(body) : `JSON.stringify(${literal(body, javascriptWords)})`},`]),
  ]
  const options =
    lines.length === 0 ? '' : `, {\n${lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}\n`).join('')}}`
  return (
    `const response = await fetch(${quoted(baseUrl + path)}${options})\nconsole.log(await ` +
    `response.${answersJson ? 'json' : 'text'}())`
  )
}

const javascriptHeader = ([name, value]: [string, string]): string => {
  const key = /^\w+$/.test(name) ? name : quoted(name)
  const isToken = value.includes('$TOKEN')
  return `${key}: ${isToken ? `\`${value.replace('$TOKEN', '$\u007bprocess.env.TOKEN}')}\`` : quoted(value)}`
}

/** A request with the package that everybody has. */
export function python(
  baseUrl: string,
  { method, path, headers = {}, body }: ExampleRequest,
  answersJson: boolean,
): string {
  const isJson = body !== undefined && typeof body !== 'string'
  const shown = Object.entries(headers).filter(
    ([name, value]) => !(isJson && name === 'Content-Type' && value === 'application/json'),
  )
  const lines = [
    quoted(baseUrl + path),
    ...(shown.length === 0 ? [] : [`headers={${shown.map(pythonHeader).join(', ')}}`]),
    ...(body === undefined ? [] : [isJson ? `json=${literal(body, pythonWords)}` : `data=${quoted(body)}.encode()`]),
  ]
  const indented = lines.map((line) => `    ${line.replaceAll('\n', '\n    ')},\n`)
  const call = `requests.${method.toLowerCase()}(\n${indented.join('')})`
  const imports = shown.some(([, value]) => value.includes('$TOKEN'))
    ? 'import os\n\nimport requests'
    : 'import requests'
  return `${imports}\n\nresponse = ${call}\nprint(response.${answersJson ? 'json()' : 'text'})`
}

const pythonHeader = ([name, value]: [string, string]): string => {
  const isToken = value.includes('$TOKEN')
  return `${quoted(name)}: ${isToken ? `f"${value.replace('$TOKEN', "{os.environ['TOKEN']}")}"` : quoted(value)}`
}

interface Words {
  readonly true: string
  readonly false: string
  readonly null: string
}
const javascriptWords: Words = { true: 'true', false: 'false', null: 'null' }
const pythonWords: Words = { true: 'True', false: 'False', null: 'None' }

/** Both languages read JSON's strings as they stand. */
const quoted = (text: string): string => (/['\\\n]/.test(text) ? JSON.stringify(text) : `'${text}'`)

/** A value of JSON in either language. */
function literal(value: unknown, words: Words, indent = ''): string {
  if (value === null || typeof value === 'boolean') return words[String(value) as keyof Words]
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object') return String(value)
  const inner = `${indent}  `
  const entries = Array.isArray(value)
    ? value.map((item) => literal(item, words, inner))
    : Object.entries(value).map(([key, item]) => `"${key}": ${literal(item, words, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return entries.length === 0
    ? `${open}${close}`
    : `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}${close}`
}
