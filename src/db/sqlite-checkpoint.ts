import { parentPort, workerData } from 'node:worker_threads'
import { SqliteConnection } from './sqlite-connection.ts'

// A thread that copies the write-ahead log into the database (sqlite-wal.ts): it waits for the disk, and so would the event loop.

/** How many pages the log has, and how many of them are in the database. */
export interface Checkpointed {
  pages: number
  copied: number
}

const CACHE_KIB = 500

function copy(path: string): Checkpointed {
  const connection = new SqliteConnection(path, { cacheKiB: CACHE_KIB })
  try {
    const [row] = connection.all<{ log: number; checkpointed: number }>('pragma wal_checkpoint(passive)', [])
    return { pages: row?.log ?? 0, copied: row?.checkpointed ?? 0 }
  } finally {
    connection.db.close()
  }
}

const port = parentPort
if (port) port.on('message', () => port.postMessage(copy(workerData as string)))
