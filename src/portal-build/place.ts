import { readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FILE_LIST } from '../docs/portal-files.ts'

/** Where the portal's sources lie, and the file that names the versions of its packages. */
export interface PortalPlace {
  readonly sources: string
  readonly packageFile: string
}

export const ourPortal: PortalPlace = {
  sources: fileURLToPath(new URL('../../portal', import.meta.url)),
  packageFile: fileURLToPath(new URL('../../package.json', import.meta.url)),
}

/** The portal speaks to the service through the client of everybody, and takes nothing else from outside its folder. */
export const clientSources = fileURLToPath(new URL('../../packages/client/src', import.meta.url))

/**
 * Builds lie in this folder of the sources, each in one named by its digest; one that is being made has a dot before
 * its name.
 */
export const DIST = 'dist'

/** A process that serves an earlier build reads from it until it ends. */
const KEPT = 3
const ABANDONED_MS = 3_600_000

export const buildFolder = ({ sources }: PortalPlace, digest: string): string => join(sources, DIST, digest)

export const isWhole = (folder: string): boolean =>
  statSync(join(folder, FILE_LIST), { throwIfNoEntry: false }) !== undefined

/** Newest first. */
export function builds(place: PortalPlace): string[] {
  return entries(place)
    .filter(({ path, isHidden }) => !isHidden && isWhole(path))
    .sort((a, b) => b.at - a.at)
    .map(({ path }) => path)
}

/** Takes away builds that are no longer of use, and what a build that was cut off has left. */
export async function tidy(place: PortalPlace, current: string): Promise<void> {
  const superseded = builds(place)
    .filter((path) => path !== current)
    .slice(KEPT - 1)
  const abandoned = entries(place).filter(({ isHidden, at }) => isHidden && at < Date.now() - ABANDONED_MS)
  for (const path of [...superseded, ...abandoned.map((entry) => entry.path)])
    await rm(path, { recursive: true, force: true })
}

function entries({ sources }: PortalPlace): Array<{ path: string; isHidden: boolean; at: number }> {
  const dist = join(sources, DIST)
  if (!statSync(dist, { throwIfNoEntry: false })) return []
  return readdirSync(dist).flatMap((name) => {
    const path = join(dist, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat?.isDirectory() ? [{ path, isHidden: name.startsWith('.'), at: stat.mtimeMs }] : []
  })
}
