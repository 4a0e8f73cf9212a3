import cluster, { type Worker } from 'node:cluster'
import type { Siblings } from '../../http/metrics.ts'

// Each worker counts for itself. Whichever is asked for /metrics has the process that started them ask all, and adds
// up.

type Message =
  | { metrics: 'please' }
  | { metrics: 'report'; id: number }
  | { metrics: 'reported'; id: number; values: unknown[] }
  | { metrics: 'gathered'; all: unknown[][] }

/** Whoever has not answered by then is left out. */
const PATIENCE_MS = 3000

const isOurs = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'metrics' in message

/** In the process that started the workers: asks those that listen. */
export function relayMetrics(listening: ReadonlySet<Worker>): void {
  const asked = new Map<number, (values: unknown[]) => void>()
  let last = 0
  const gather = (asker: Worker): void => {
    const id = ++last
    const all: unknown[][] = []
    const workers = [...listening].filter((worker) => worker.isConnected())
    const end = (): void => {
      clearTimeout(timer)
      asked.delete(id)
      if (asker.isConnected()) asker.send({ metrics: 'gathered', all } satisfies Message)
    }
    const timer = setTimeout(end, PATIENCE_MS)
    asked.set(id, (values) => {
      all.push(values)
      if (all.length === workers.length) end()
    })
    for (const worker of workers) worker.send({ metrics: 'report', id } satisfies Message)
  }
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (!isOurs(message)) return
    if (message.metrics === 'please') gather(worker)
    if (message.metrics === 'reported') asked.get(message.id)?.(message.values)
  })
}

/** In a worker. Undefined: it is the only process. */
export function siblingsOf(): Siblings | undefined {
  const { worker } = cluster
  if (!worker) return undefined
  const hear = (fn: (message: Message) => void) => {
    const listener = (message: unknown) => void (isOurs(message) && fn(message))
    worker.on('message', listener)
    return () => worker.off('message', listener)
  }
  let gathering: Promise<unknown[][]> | undefined
  const gather = () =>
    new Promise<unknown[][]>((resolve) => {
      const stop = hear((message) => {
        if (message.metrics !== 'gathered') return
        stop()
        resolve(message.all)
      })
      worker.send({ metrics: 'please' } satisfies Message)
    }).finally(() => {
      gathering = undefined
    })
  return {
    onReport: (report) => {
      hear(async (message) => {
        if (message.metrics !== 'report') return
        const values = await report().catch(() => [])
        if (worker.isConnected()) worker.send({ metrics: 'reported', id: message.id, values } satisfies Message)
      })
    },
    gather: () => {
      gathering ??= gather()
      return gathering
    },
  }
}
