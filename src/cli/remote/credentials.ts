import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandError } from '../command.ts'

/** Where somebody is logged in: a token by server, and the server that is meant unless another is named. */
interface Stored {
  current?: string | undefined
  servers: Record<string, { token: string }>
}

export function readStored(file: string): Stored {
  if (!existsSync(file)) return { servers: {} }
  try {
    const stored: Partial<Stored> = JSON.parse(readFileSync(file, 'utf8'))
    return { current: stored.current, servers: stored.servers ?? {} }
  } catch {
    throw new CommandError(`${file} cannot be read; remove it and log in again.`)
  }
}

/** Nobody else on this machine reads it, at no moment. */
export function writeStored(file: string, stored: Stored): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
  chmodSync(fresh, 0o600)
  renameSync(fresh, file)
}
