import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPortal } from '../../../src/portal-build/build.ts'
import { portalDigest } from '../../../src/portal-build/digest.ts'
import { buildFolder, isWhole, ourPortal } from '../../../src/portal-build/place.ts'
import { gatehouse } from '../../support/processes.ts'

/** Once for all tests: the servers they start find the portal built, and the demo organization filled. */
export async function setup(): Promise<() => Promise<void>> {
  await buildOnce()
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-demo-'))
  await gatehouse(['demo'], { DATA_DIR: folder })
  // Processes that are started from here know it: site.ts.
  process.env.FILLED_DEMO = folder
  return () => rm(folder, { recursive: true, force: true })
}

export async function buildOnce(): Promise<void> {
  if (!existsSync(ourPortal.sources)) return
  const digest = portalDigest(ourPortal)
  if (!isWhole(buildFolder(ourPortal, digest))) await buildPortal(ourPortal, digest)
}
