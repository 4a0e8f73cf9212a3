import type { Transport } from './transport.ts'

export interface Operation {
  op: 'create' | 'upsert' | 'update' | 'delete'
  id?: string
  external_id?: string
  body?: Readonly<Record<string, unknown>>
  if_match?: string
}

export interface RowResult {
  /** The status that a single call would have been answered with. */
  status: number
  outcome?: 'created' | 'changed' | 'unchanged' | 'deleted'
  data?: Record<string, unknown>
  msg?: string
  error?: { code: string; reason?: string; details?: ReadonlyArray<{ path?: string; message?: string }> }
}

export interface Batch {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  /** One for each operation, in their order. */
  results: RowResult[]
}

const MOST = 1000
const TRIES = 5

/** Any number of operations on a resource, in batches. Rows that the service could not take just now are sent again. */
export async function sendBatches(
  transport: Transport,
  path: string,
  operations: readonly Operation[],
  options: { dryRun?: boolean; signal?: AbortSignal; onProgress?: (done: number) => void } = {},
): Promise<Batch> {
  const results: RowResult[] = new Array(operations.length)
  for (let from = 0; from < operations.length; from += MOST) {
    let open = Array.from({ length: Math.min(MOST, operations.length - from) }, (_, index) => from + index)
    for (let tries = 0; open.length > 0; tries++) {
      if (tries > 0) await transport.wait(500 * 2 ** tries, options.signal)
      const body = { operations: open.map((index) => operations[index]) }
      const query = options.dryRun ? { dry_run: true } : {}
      const { data } = await transport.request<{ results: RowResult[] }>('POST', path, {
        body,
        query,
        signal: options.signal,
      })
      for (const [at, index] of open.entries()) results[index] = data.results[at] as RowResult
      open = tries + 1 < TRIES ? open.filter((index) => isTooEarly(results[index])) : []
    }
    options.onProgress?.(Math.min(from + MOST, operations.length))
  }
  const count = (outcome: RowResult['outcome']) => results.filter((result) => result.outcome === outcome).length
  return {
    created: count('created'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    deleted: count('deleted'),
    failed: results.filter(({ status }) => status >= 400).length,
    results,
  }
}

const isTooEarly = (result: RowResult | undefined): boolean => result?.status === 429 || result?.status === 503
