import { Worker } from 'node:worker_threads'
import { tooSlow } from '../core/errors.ts'
import { Turns } from '../core/turns.ts'

/** Each takes a thread and some memory, one at a time; so many may wait. */
const MAX_WAITING = 10
const HEAP_MB = 256
const LIMIT_MS = 10_000

/** A program that reads or makes a file, each in a thread of its own, which ends with the answer or when its time or memory is up. */
export class FileThread<Question, Reply> {
  private readonly program: URL
  private readonly turns = new Turns(1, MAX_WAITING, tooSlow)

  constructor(program: URL) {
    this.program = program
  }

  ask(question: Question, signal?: AbortSignal): Promise<Reply> {
    return this.turns.run(() => this.run(question), signal)
  }

  private run(workerData: Question): Promise<Reply> {
    const worker = new Worker(this.program, { workerData, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
    return new Promise<Reply>((resolve, reject) => {
      const late = setTimeout(() => reject(tooSlow()), LIMIT_MS)
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => {
        clearTimeout(late)
        reject(new Error(`the thread of ${this.program.pathname} ended without an answer`))
      })
    }).finally(() => worker.terminate())
  }
}

/** What a file held did not fit into the thread's memory. */
export const isOutOfMemory = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
