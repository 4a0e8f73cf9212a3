import { pipeline } from 'node:stream/promises'
import type { Gatehouse } from '../../../packages/client/src/client.ts'
import { UsageError } from '../command.ts'
import { importFile, save, writing } from './import-file.ts'
import { textOf } from './items.ts'
import type { Item } from './references.ts'
import { listPath, pathOf, remoteCommand } from './remote-command.ts'
import { rowsOf, upsert } from './upsert.ts'

export const apply = remoteCommand({
  name: 'apply',
  summary: 'Makes a service as a file says: items are created or changed by their external_id.',
  details: `FILE has one JSON object a line, or an array of them: {"resource": "individuals", "external_id":
"hr-1", …}. What is already so is left. Instead of an id a row may name an item by its own key:
"building_id": {"buildings": "hq"}. It is there already, or stands further up. Resources are worked
through in the order of the file. With faults it goes on, names each, and ends with 1.`,
  positionals: ['FILE'],
  options: { 'dry-run': { type: 'boolean', description: 'Everything is checked and nothing kept' } },
  run: async (client, context, values, [file = '']) =>
    upsert(client, context, values, rowsOf(await textOf(context, file))),
})

export const importItems = remoteCommand({
  name: 'import',
  summary: 'Takes items from a file into a resource of a service, by their external_id.',
  details: `FILE is a CSV or XLSX file whose first row names the columns, or has one JSON object a line, or an
array of them, as export writes them. What the service alone sets is left out. Rows that fail are
told, and leave the others as they are.`,
  positionals: ['RESOURCE', 'FILE'],
  options: {
    'dry-run': { type: 'boolean', description: 'Everything is checked and nothing kept' },
    mapping: {
      type: 'string',
      value: 'JSON',
      description: 'Which field each column of a CSV or XLSX file is: {"Vorname": "given_name"}',
    },
    failed: {
      type: 'string',
      value: 'FILE',
      description: 'Where to write the rows of a CSV or XLSX file that failed, as CSV',
    },
  },
  async run(client, context, values, [noun = '', file = '']) {
    if (/\.(csv|xlsx)$/i.test(file)) return importFile(client, context, values, noun, file)
    for (const name of ['mapping', 'failed'] as const)
      if (values[name] !== undefined) throw new UsageError(`--${name} is for files that end in .csv or .xlsx.`)
    const fields = await writableFields(client, noun)
    const rows = rowsOf(await textOf(context, file)).map((row) => ({
      ...Object.fromEntries(Object.entries(row).filter(([name]) => fields.has(name))),
      resource: noun,
    }))
    return upsert(client, context, values, rows)
  },
})

const LIMITED = 'Your role is limited to places: there may be more elsewhere.'

export const exportItems = remoteCommand({
  name: 'export',
  summary: 'Writes all items of a resource of a service: one JSON object a line, or CSV or XLSX.',
  positionals: ['RESOURCE'],
  options: {
    where: { type: 'string', value: 'FILTERS', description: 'Filters as in the address, joined by &' },
    format: { type: 'string', value: 'FORMAT', description: 'ndjson, csv or xlsx (ndjson)' },
    output: { type: 'string', value: 'FILE', description: 'Where to; standard output unless given' },
  },
  async run(client, { out, say }, { where, format = 'ndjson', output }, [noun = '']) {
    if (!['ndjson', 'csv', 'xlsx'].includes(format)) throw new UsageError('--format is ndjson, csv or xlsx.')
    if (output === undefined && format === 'xlsx')
      throw new UsageError('Give --output: where the workbook should be written.')
    const path = `${listPath(noun)}${where ? `?${where}` : ''}`
    const file = output === undefined ? undefined : await writing(output)
    if (format === 'ndjson') {
      const told = { count: 0, isLimited: false }
      const lines = walked(client, path, told)
      if (file) await pipeline(lines, file)
      else for await (const line of lines) out(line.trimEnd())
      say(`${told.count} items`)
      if (told.isLimited) say(LIMITED)
      return undefined
    }
    const { body, headers } = await client.send('GET', path, { query: { format }, headers: { accept: '*/*' } })
    if (file) await save(body, file)
    else await eachLine(body, out)
    if (headers.has('limited-to')) say(LIMITED)
    return undefined
  },
})

/** All items, a line each, and how many there were. */
async function* walked(
  client: Gatehouse,
  path: string,
  told: { count: number; isLimited: boolean },
): AsyncGenerator<string> {
  for await (const { items, meta } of client.walk<Item, { limited_to?: unknown }>(path)) {
    told.count += items.length
    told.isLimited ||= meta.limited_to !== undefined
    for (const item of items) yield `${JSON.stringify(item)}\n`
  }
}

async function eachLine(body: Response['body'], out: (line: string) => void): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const bytes of body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) out(line)
  }
  if (rest !== '') out(rest)
}

/** What a creation takes, as the service itself says. */
async function writableFields(client: Gatehouse, noun: string): Promise<ReadonlySet<string>> {
  const openapi = (await (await client.send('GET', '/api/v1/openapi.json')).json()) as {
    paths: Record<string, { post?: { requestBody?: { content: Record<string, { schema: { $ref: string } }> } } }>
    components: { schemas: Record<string, { properties?: object }> }
  }
  const ref = openapi.paths[pathOf(noun)]?.post?.requestBody?.content['application/json']?.schema.$ref ?? ''
  const fields = Object.keys(openapi.components.schemas[ref.slice(ref.lastIndexOf('/') + 1)]?.properties ?? {})
  if (fields.length === 0) throw new UsageError(`${noun} cannot be created by this service.`)
  return new Set(fields)
}
