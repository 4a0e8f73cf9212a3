import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { messageOf } from '../core/errors.ts'
import { howItIsBuilt } from './digest.ts'
import { buildFolder, isWhole, type PortalPlace, tidy } from './place.ts'

/** It could not be built, and the message says why. */
export class BuildError extends Error {}

/** Vite is a tool of development; an image for production has the finished build instead. */
export function canBuild(): boolean {
  try {
    createRequire(import.meta.url).resolve('vite')
    return true
  } catch {
    return false
  }
}

/**
 * Builds the portal in a process of its own and gives the folder. It appears at once and whole: of any number that
 * build the same at a time, the first to finish puts its own in place.
 */
export async function buildPortal(place: PortalPlace, digest: string, signal?: AbortSignal): Promise<string> {
  const folder = buildFolder(place, digest)
  const work = join(dirname(folder), `.${digest}-${randomUUID()}`)
  try {
    await mkdir(work, { recursive: true })
    await run(place, work, signal)
    await rename(work, folder)
  } catch (error) {
    await rm(work, { recursive: true, force: true }).catch(() => undefined)
    if (!isWhole(folder)) throw error instanceof BuildError ? error : new BuildError(messageOf(error), { cause: error })
  }
  await tidy(place, folder).catch(() => undefined)
  return folder
}

function run({ sources }: PortalPlace, out: string, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [howItIsBuilt, sources, out], {
      stdio: ['ignore', 'pipe', 'pipe'],
      killSignal: 'SIGKILL',
      ...(signal ? { signal } : {}),
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output = (output + chunk).slice(-4000)
      })
    }
    child.once('error', reject)
    child.once('close', (code, by) =>
      code === 0 ? resolve() : reject(new BuildError(output.trim() || `It ended with ${code ?? by}`)),
    )
  })
}
