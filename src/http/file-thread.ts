import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { codeOf } from '../core/error-code.ts'
import { tooSlow } from '../core/errors.ts'
import { Turns } from '../core/turns.ts'

/** Each takes a thread and some memory, one at a time; so many may wait. */
const MAX_WAITING = 10
const HEAP_MB = 256
const LIMIT_MS = 10_000

/**
 * A program that reads or makes a file in a thread, which ends when its time or memory is up. One that reads what was
 * sent ends with its answer; one that makes files of our own words may be kept for a while, since starting it takes
 * longer than what it does.
 */
export class FileThread<Question, Reply> {
  private readonly program: URL
  private readonly keptMs: number
  private readonly turns = new Turns(1, MAX_WAITING, tooSlow)
  private kept: { worker: Worker; until: NodeJS.Timeout } | undefined

  constructor(program: URL, keptMs = 0) {
    this.program = program
    this.keptMs = keptMs
  }

  ask(question: Question, signal?: AbortSignal): Promise<Reply> {
    return this.turns.run(() => this.run(question), signal)
  }

  private async run(question: Question): Promise<Reply> {
    const worker = this.taken() ?? this.started()
    const over = new AbortController()
    const late = setTimeout(() => over.abort(tooSlow()), LIMIT_MS)
    worker.once('exit', () => over.abort(new Error(`the thread of ${this.program.pathname} ended without an answer`)))
    try {
      worker.postMessage(question)
      const [reply] = await once(worker, 'message', { signal: over.signal }).catch((error) =>
        Promise.reject(over.signal.reason ?? error),
      )
      this.keep(worker)
      return reply
    } catch (error) {
      void worker.terminate()
      throw error
    } finally {
      clearTimeout(late)
    }
  }

  private started(): Worker {
    const worker = new Worker(this.program, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
    // Whoever waits for an answer is told; while nobody does, it matters to nobody.
    worker.on('error', () => {})
    return worker
  }

  private taken(): Worker | undefined {
    const { kept } = this
    if (!kept) return undefined
    this.kept = undefined
    clearTimeout(kept.until)
    kept.worker.ref()
    return kept.worker
  }

  private keep(worker: Worker): void {
    if (this.keptMs === 0) return void worker.terminate()
    worker.removeAllListeners('exit')
    worker.unref()
    this.kept = { worker, until: setTimeout(() => this.taken()?.terminate(), this.keptMs).unref() }
  }
}

/** What a file held did not fit into the thread's memory. */
export const isOutOfMemory = (error: unknown): boolean => codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY'
