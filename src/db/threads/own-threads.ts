import { Worker } from 'node:worker_threads'

/** Where the database is, for a thread that opens it as another process would. */
export type Place =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** What a thread takes beside the database's own memory: its young objects die at once, and what it keeps is little. */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 }

/** Threads that open the database of the engine that started them, and end with it. */
export class OwnThreads {
  private readonly place: Place
  private readonly workers = new Set<Worker>()

  constructor(place: Place) {
    this.place = place
  }

  get size(): number {
    return this.workers.size
  }

  start(module: URL): Worker {
    const worker = new Worker(module, { workerData: this.place, execArgv: [], resourceLimits: LIMITS })
    this.workers.add(worker)
    return worker.once('exit', () => this.workers.delete(worker))
  }

  async end(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => worker.terminate()))
  }
}
