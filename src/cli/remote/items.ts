import { readFileSync } from 'node:fs'
import { messageOf } from '../../core/errors.ts'
import { type Context, UsageError } from '../command.ts'
import { itemPath, listPath, pathOf, remoteCommand } from './remote-command.ts'
import { record, table } from './table.ts'

type Item = Record<string, unknown>

const body = {
  data: { type: 'string', value: 'JSON', description: 'The fields as a JSON object' },
  file: { type: 'string', value: 'FILE', description: 'The same from a file; - reads standard input' },
  'dry-run': { type: 'boolean', description: 'Everything is checked and nothing kept' },
} as const

const ID = 'ID is its id, or external_id:KEY for your own key.'

export const get = remoteCommand({
  name: 'get',
  summary: 'Shows one item of a service.',
  details: `RESOURCE is named as in the address, such as access-points. ${ID}`,
  positionals: ['RESOURCE', 'ID'],
  options: {},
  async run(client, { out }, { json }, [noun = '', id = '']) {
    const { data } = await client.request<Item>('GET', itemPath(noun, id))
    show(out, data, json)
    return undefined
  },
})

export const list = remoteCommand({
  name: 'list',
  summary: 'Lists the items of a service, one page or all.',
  details:
    'RESOURCE is named as in the address, such as access-points. --where takes the filters of the API: --where ' +
    `'status=eq.active&kind=eq.door'.`,
  positionals: ['RESOURCE'],
  options: {
    where: { type: 'string', value: 'FILTERS', description: 'Filters as in the address, joined by &' },
    search: { type: 'string', value: 'WORDS', description: 'Words that must occur' },
    order: { type: 'string', value: 'TERMS', description: 'Such as name.asc,created_at.desc' },
    columns: { type: 'string', value: 'FIELDS', description: 'The fields to show, separated by commas' },
    limit: { type: 'string', value: 'NUMBER', description: 'How many, at most 100 (20)' },
    all: { type: 'boolean', description: 'All of them; with --json one line each' },
  },
  async run(client, { out, say }, { where, search, order, columns, limit = '20', all, json }, [noun = '']) {
    const filters = new URLSearchParams(where ?? '')
    const query = { ...grouped(filters), search, order, select: columns, limit: all ? '100' : limit }
    if (!all) {
      const { data, meta } = await client.request<Item[], Counted | undefined>('GET', listPath(noun), { query })
      out(json ? JSON.stringify(data, null, 2) : table(data, columns?.split(',')))
      if (!json) say(`${data.length} of ${totalOf(meta)}`)
      return undefined
    }
    for await (const { items } of client.walk<Item>(listPath(noun), { query })) {
      if (json) for (const item of items) out(JSON.stringify(item))
      else if (items.length > 0) out(table(items, columns?.split(',')))
    }
    return undefined
  },
})

export const create = remoteCommand({
  name: 'create',
  summary: 'Creates an item in a service.',
  positionals: ['RESOURCE'],
  options: body,
  async run(client, context, values, [noun = '']) {
    const answer = await client.request<Item>('POST', pathOf(noun), {
      body: await bodyOf(context, values),
      query: tried(values),
    })
    context.say(`${answer.msg}${values['dry-run'] ? ', in a dry run: nothing was kept' : ''}`)
    show(context.out, answer.data, values.json)
    return undefined
  },
})

export const update = remoteCommand({
  name: 'update',
  summary: 'Changes fields of an item of a service: those given are set, null clears, others stay.',
  details: ID,
  positionals: ['RESOURCE', 'ID'],
  options: { ...body, etag: { type: 'string', value: 'ETAG', description: 'Refuse when it has changed since' } },
  async run(client, context, values, [noun = '', id = '']) {
    const method = id.startsWith('external_id:') ? 'PUT' : 'PATCH'
    const options = { body: await bodyOf(context, values), query: tried(values), etag: values.etag }
    const answer = await client.request<Item>(method, itemPath(noun, id), options)
    context.say(answer.msg)
    show(context.out, answer.data, values.json)
    return undefined
  },
})

export const remove = remoteCommand({
  name: 'delete',
  summary: 'Deletes an item of a service.',
  details: ID,
  positionals: ['RESOURCE', 'ID'],
  options: { 'dry-run': body['dry-run'] },
  async run(client, context, values, [noun = '', id = '']) {
    const found = id.startsWith('external_id:') ? (await client.request<Item>('GET', itemPath(noun, id))).data.id : id
    const answer = await client.request<Item>('DELETE', itemPath(noun, String(found)), { query: tried(values) })
    context.say(answer.msg)
    if (values.json) context.out(JSON.stringify(answer.data, null, 2))
    return undefined
  },
})

const tried = (values: { 'dry-run'?: boolean }) => (values['dry-run'] ? { dry_run: true } : {})

const show = (out: (line: string) => void, item: Item, json: boolean | undefined): void =>
  out(json ? JSON.stringify(item, null, 2) : record(item))

/** A field may stand there twice. */
const grouped = (pairs: URLSearchParams): Record<string, string[]> =>
  Object.fromEntries([...new Set(pairs.keys())].map((name) => [name, pairs.getAll(name)]))

interface Counted {
  pagination?: { total?: number; total_items?: number }
}

function totalOf(meta: Counted | undefined): number | string {
  const { total, total_items } = meta?.pagination ?? {}
  return total ?? total_items ?? '?'
}

async function bodyOf(context: Context, { data, file }: { data?: string; file?: string }): Promise<Item> {
  const text = data ?? (file === undefined ? undefined : await textOf(context, file))
  if (text === undefined) throw new UsageError('What should it be? Give --data or --file.')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`That is no JSON: ${messageOf(error)}`)
  }
}

export async function textOf({ input }: Context, file: string): Promise<string> {
  if (file === '-') return input()
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}`)
  }
}
