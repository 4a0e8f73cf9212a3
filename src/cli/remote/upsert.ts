import type { Operation } from '../../../packages/client/src/batch.ts'
import type { Gatehouse } from '../../../packages/client/src/client.ts'
import { GatehouseError } from '../../../packages/client/src/errors.ts'
import { messageOf } from '../../core/errors.ts'
import { isRecord, sure } from '../../core/typed.ts'
import { type Context, UsageError } from '../command.ts'
import { TRIED } from './import-file.ts'
import { type Item, nameOf, References, referencesIn } from './references.ts'
import { pathOf } from './remote-command.ts'

/** One JSON object a line, or an array of them. */
export function rowsOf(text: string): Item[] {
  try {
    const rows: Item[] = text.trimStart().startsWith('[')
      ? JSON.parse(text)
      : text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]))
    if (rows.every((row) => typeof row === 'object' && row !== null)) return rows
  } catch (error) {
    throw new UsageError(`That is neither an array of JSON objects nor one a line: ${messageOf(error)}`)
  }
  throw new UsageError('Every line, or every item of the array, must be a JSON object.')
}

type Options = { 'dry-run'?: boolean; json?: boolean }

/** In batches, in the order of the file: what stands below may refer to what stands above. */
export async function upsert(
  client: Gatehouse,
  { out, say }: Context,
  values: Options,
  rows: readonly Item[],
): Promise<number | undefined> {
  const isDryRun = values['dry-run'] === true
  const isOfOne = new Set(rows.map(nounOf)).size <= 1
  const sum = { created: 0, changed: 0, unchanged: 0, failed: 0 }
  const references = new References(client)
  /** What rows before make; in a dry run it is not there. */
  const made = new Set<string>()
  let untried = 0
  for (let from = 0; from < rows.length; ) {
    const { noun, to } = stretchOf(rows, from)
    await references.find(rows.slice(from, to))
    const sent: number[] = []
    for (let at = from; at < to; at++) {
      const row = sure(rows[at])
      const missing = references.missingIn(row)
      if (!missing) sent.push(at)
      else if (isDryRun && made.has(nameOf(missing))) untried++
      else {
        sum.failed++
        say(`Row ${at + 1}: there is nothing among ${missing.noun} with the external_id "${missing.key}"`)
      }
      const key = keyOf(row)
      if (key !== undefined) made.add(nameOf({ noun, key }))
    }
    const operations = sent.map((at) => operationOf(references.resolved(sure(rows[at]))))
    const batch = await client
      .batch(`${pathOf(noun)}/batch`, operations, { dryRun: isDryRun })
      .catch((error: unknown) => {
        // What is refused altogether (no such resource, no permission) is no fault of the rows of others.
        if (
          isOfOne ||
          !(error instanceof GatehouseError) ||
          error.status < 400 ||
          error.status >= 500 ||
          error.status === 401
        )
          throw error
        return {
          created: 0,
          changed: 0,
          unchanged: 0,
          failed: sent.length,
          results: sent.map(() => refusal(noun, error)),
        }
      })
    for (const name of ['created', 'changed', 'unchanged', 'failed'] as const) sum[name] += batch[name]
    for (const [index, { status, msg, data }] of batch.results.entries()) {
      const at = sure(sent[index])
      const key = keyOf(sure(rows[at]))
      if (status >= 400) say(`Row ${at + 1}: ${msg ?? status}`)
      else if (!isDryRun && key !== undefined && isRecord(data)) references.note({ noun, key }, String(data.id))
    }
    from = to
  }
  const words =
    `${sum.created} created, ${sum.changed} changed, ` + `${sum.unchanged} left as they are, ${sum.failed} failed`
  if (isDryRun) say(TRIED)
  if (untried > 0) say(`${untried} not tried: they refer to what the file itself would create.`)
  out(values.json ? JSON.stringify(isDryRun ? { ...sum, untried } : sum) : words)
  return sum.failed > 0 ? 1 : undefined
}

const keyOf = ({ external_id }: Item): string | undefined => (typeof external_id === 'string' ? external_id : undefined)

function nounOf({ resource }: Item, index: number): string {
  if (typeof resource === 'string') return resource
  throw new UsageError(`Row ${index + 1} does not name its resource; nothing was done.`)
}

const refusal = (noun: string, { status, message }: GatehouseError) => ({
  status,
  msg: `${noun}: ${message}`,
  data: undefined,
})

/** Rows of one resource, one after the other, of which none refers to another. */
function stretchOf(rows: readonly Item[], from: number): { noun: string; to: number } {
  const noun = nounOf(sure(rows[from]), from)
  const own = new Set<string>()
  let to = from
  for (let row = rows[to]; row?.resource === noun; row = rows[++to]) {
    if (referencesIn(row).some((reference) => own.has(nameOf(reference)))) break
    const key = keyOf(row)
    if (key !== undefined) own.add(nameOf({ noun, key }))
  }
  return { noun, to }
}

function operationOf({ resource: _, ...body }: Item): Operation {
  const key = keyOf(body)
  return key === undefined ? { op: 'create', body } : { op: 'upsert', external_id: key, body }
}
