import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clientSources, DIST, type PortalPlace } from './place.ts'

/**
 * What a build follows from: the portal's sources and the client's, the versions of packages, and how it is built.
 * Contents, not times: a clone or a checkout sets those anew.
 */
export function portalDigest({ sources, packageFile }: PortalPlace): string {
  const digest = createHash('sha256')
  const add = (name: string, content: string | Buffer) => digest.update(`${name}\n${content.length}\n`).update(content)
  for (const folder of [sources, clientSources])
    for (const file of sourceFiles(folder)) add(relative(folder, file).replaceAll(sep, '/'), readFileSync(file))
  const { dependencies, devDependencies, overrides } = JSON.parse(readFileSync(packageFile, 'utf8'))
  add('packages', JSON.stringify([dependencies, devDependencies, overrides]))
  add('how', readFileSync(howItIsBuilt))
  return digest.digest('base64url').slice(0, 20)
}

export const howItIsBuilt = fileURLToPath(new URL('./child.ts', import.meta.url))

/** In an order of their own, whatever the file system's. */
function sourceFiles(folder: string): string[] {
  const found: string[] = []
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (
      entry.name === DIST ||
      entry.name === 'node_modules' ||
      entry.name.startsWith('.') ||
      /\.test\.tsx?$/.test(entry.name)
    )
      continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) found.push(...sourceFiles(path))
    else if (entry.isFile()) found.push(path)
  }
  return found.sort()
}
