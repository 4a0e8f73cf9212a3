import { parentPort, workerData } from 'node:worker_threads'
import { SqliteConnection } from './connection.ts'

// A thread that copies the write-ahead log into the database (sqlite/wal.ts): it waits for the disk, and so would the
// event loop.

const CACHE_KIB = 500

/** Gives how many pages the log has. */
function copy(path: string): number {
  const connection = new SqliteConnection(path, { cacheKiB: CACHE_KIB })
  try {
    const [row] = connection.all<{ log: number }>('pragma wal_checkpoint(passive)', [])
    return row?.log ?? 0
  } finally {
    connection.db.close()
  }
}

const port = parentPort
if (port) port.on('message', () => port.postMessage(copy(workerData as string)))
