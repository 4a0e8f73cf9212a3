import { existsSync } from 'node:fs'
import { buildPortal } from '../../../src/portal-build/build.ts'
import { portalDigest } from '../../../src/portal-build/digest.ts'
import { buildFolder, isWhole, ourPortal } from '../../../src/portal-build/place.ts'

/** Once for all tests: the servers they start find the portal built. */
export async function setup(): Promise<void> {
  if (!existsSync(ourPortal.sources)) return
  const digest = portalDigest(ourPortal)
  if (!isWhole(buildFolder(ourPortal, digest))) await buildPortal(ourPortal, digest)
}
