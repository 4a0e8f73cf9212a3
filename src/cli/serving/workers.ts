import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type Config, FURTHER_WORKER } from '../../config.ts'
import type { Context } from '../command.ts'
import { STOP } from './stop-message.ts'
import { relayMetrics } from './worker-metrics.ts'

/** What ends by itself is replaced after so long, so that one that cannot start does not take all there is. */
const PAUSE_MS = 1000

/** Whether this process only starts and watches those that serve. */
export const startsWorkers = ({ workers }: Config): boolean => workers > 1 && cluster.isPrimary

/**
 * Serves in several processes that share the port; connections are given to them in turn. The first one prepares the
 * database and speaks to people; the others come when it listens. One that ends by itself is replaced.
 */
export async function serveInWorkers({ say, untilStopped }: Context, config: Config): Promise<number> {
  const alive = new Set<Worker>()
  const listening = new Set<Worker>()
  let isStopping = false
  if (config.metrics) relayMetrics(listening)
  const fork = (isFirst: boolean): Worker => {
    const worker = cluster.fork({ PORT: String(config.port), [FURTHER_WORKER]: isFirst ? 'off' : 'on' })
    alive.add(worker)
    worker.once('listening', () => listening.add(worker))
    worker.once('exit', () => {
      alive.delete(worker)
      listening.delete(worker)
    })
    return worker
  }
  const keep = async (isFirst: boolean, worker: Worker): Promise<void> => {
    for (let current = worker; ; current = fork(isFirst)) {
      const [code, signal] = await ended(current)
      if (isStopping) return
      say(`A worker has ended with ${signal ?? code}; another one takes its place.`)
      await delay(PAUSE_MS)
      if (isStopping) return
    }
  }
  const stopped = untilStopped().then(() => {
    isStopping = true
    for (const worker of alive) stop(worker, listening.has(worker))
  })
  const first = fork(true)
  const failed = await Promise.race([
    once(first, 'listening').then(() => undefined),
    ended(first).then(([code]) => code ?? 1),
  ])
  if (failed !== undefined) return failed
  const kept = [keep(true, first), ...Array.from({ length: config.workers - 1 }, () => keep(false, fork(false)))]
  await stopped
  await Promise.all(kept)
  return 0
}

const ended = async (worker: Worker): Promise<[code: number | null, signal: string | null]> =>
  worker.isDead()
    ? [worker.process.exitCode, worker.process.signalCode]
    : (once(worker, 'exit') as Promise<[number | null, string | null]>)

/**
 * A signal from the terminal reaches all of them: those that serve would take ours for a second one. Those that do not
 * yet hear no message.
 */
function stop(worker: Worker, isListening: boolean): void {
  if (!isListening) worker.process.kill('SIGTERM')
  else if (worker.isConnected()) worker.send(STOP)
}
