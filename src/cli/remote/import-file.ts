import { openAsBlob, type WriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Gatehouse } from '../../../packages/client/src/client.ts'
import { messageOf } from '../../core/errors.ts'
import { type Context, UsageError } from '../command.ts'

const PATH = '/api/v1/imports'
const POLL_MS = 500
const UNDER_WAY = ['reading', 'checking', 'running']
const MOST_TOLD = 20
/** Said with the counts of a dry run. */
export const TRIED = 'This was a trial: nothing was kept. It would be:'

interface Import {
  id: string
  status: string
  rows: number
  row_done: number
  created: number
  changed: number
  unchanged: number
  failed: number
  errors: Array<{ row: number; cell: string | null; message: string }>
}

export interface ImportValues {
  'dry-run'?: boolean
  json?: boolean
  mapping?: string
  failed?: string
}

/** Sends a CSV or XLSX file to be taken in, and follows it until it is. */
export async function importFile(
  client: Gatehouse,
  { out, say }: Context,
  values: ImportValues,
  noun: string,
  file: string,
) {
  const form = new FormData()
  form.set('resource', noun)
  if (values.mapping !== undefined) form.set('mapping', values.mapping)
  form.set('dry_run', String(values['dry-run'] === true))
  form.set('file', await blobOf(file), basename(file))
  // Not repeatable by a key: the file is read as it comes.
  let { data } = await client.request<Import>('POST', PATH, { body: form, idempotencyKey: null })
  while (UNDER_WAY.includes(data.status)) {
    say(`${data.row_done} of ${data.rows} rows`)
    await client.wait(POLL_MS)
    data = (await client.request<Import>('GET', `${PATH}/${data.id}`)).data
  }
  for (const { row, cell, message } of data.errors.slice(0, MOST_TOLD)) say(`${cell ?? `Row ${row}`}: ${message}`)
  if (data.failed > 0 && values.failed !== undefined) await keepFailed(client, data.id, values.failed)
  const { created, changed, unchanged, failed } = data
  if (!['done', 'checked'].includes(data.status)) say(`It was ${data.status}.`)
  if (values['dry-run']) say(TRIED)
  out(
    values.json
      ? JSON.stringify({ created, changed, unchanged, failed })
      : `${created} created, ${changed} changed, ${unchanged} left as they are, ${failed} failed`,
  )
  return failed > 0 || !['done', 'checked'].includes(data.status) ? 1 : undefined
}

async function blobOf(file: string): Promise<Blob> {
  try {
    return await openAsBlob(file)
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}`)
  }
}

async function keepFailed(client: Gatehouse, id: string, file: string): Promise<void> {
  const { body } = await client.send('GET', `${PATH}/${id}/failed-rows`, { headers: { accept: '*/*' } })
  await save(body, await writing(file))
}

/** A file to be written, or why it cannot be. It holds people, mostly: a new one is for whoever asked for it alone. */
export async function writing(file: string): Promise<WriteStream> {
  try {
    return (await open(file, 'w', 0o600)).createWriteStream()
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${messageOf(error)}`)
  }
}

export const save = (body: Response['body'], file: WriteStream): Promise<void> =>
  pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), file)
