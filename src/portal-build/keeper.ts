import { existsSync } from 'node:fs'
import { messageOf } from '../core/errors.ts'
import type { Portal, PortalState } from '../docs/portal.ts'
import { PortalFiles } from '../docs/portal-files.ts'
import { buildPortal, canBuild } from './build.ts'
import { portalDigest } from './digest.ts'
import { buildFolder, builds, isWhole, ourPortal, type PortalPlace } from './place.ts'

export interface PortalKeeper {
  readonly portal: Portal
  /** Builds it where that is needed. The service answers meanwhile. */
  build(say: (line: string) => void): Promise<void>
  /** Ends a build under way. */
  stop(): Promise<void>
}

/** Finds the build that fits the sources, in a few milliseconds; without one, there is something to build. */
export function openPortal(place: PortalPlace = ourPortal): PortalKeeper {
  const aborter = new AbortController()
  const { state, missing } = look(place)
  const portal: Portal = { state }

  const work = async (say: (line: string) => void): Promise<void> => {
    if (missing === undefined) return
    if (!missing.canBuild) {
      const isThere = portal.state.is === 'built'
      say(
        'The portal was not built from these sources, and Vite is not installed: ' +
          `${isThere ? 'an older build is served' : 'there is none'}.`,
      )
      return
    }
    const started = performance.now()
    say('The portal is being built, as after every update; the API answers meanwhile.')
    try {
      portal.state = built(await buildPortal(place, missing.digest, aborter.signal))
      say(`The portal is ready, after ${((performance.now() - started) / 1000).toFixed(1)} s.`)
    } catch (error) {
      if (aborter.signal.aborted) return
      portal.state = { is: 'failed' }
      say(
        `The portal could not be built; everything else works. To try again: npm run portal:build\n  ` +
          `${messageOf(error).replaceAll('\n', '\n  ')}`,
      )
    }
  }
  let working: Promise<void> | undefined
  const build: PortalKeeper['build'] = (say) => {
    working ??= work(say)
    return working
  }
  const stop = async () => {
    aborter.abort()
    await working
  }
  return { portal, build, stop }
}

interface Missing {
  digest: string
  canBuild: boolean
}

function look(place: PortalPlace): { state: PortalState; missing?: Missing } {
  if (!existsSync(place.sources)) return { state: { is: 'absent' } }
  const digest = portalDigest(place)
  const folder = buildFolder(place, digest)
  if (isWhole(folder)) return { state: built(folder) }
  if (canBuild()) return { state: { is: 'building' }, missing: { digest, canBuild: true } }
  const [newest] = builds(place)
  return { state: newest === undefined ? { is: 'failed' } : built(newest), missing: { digest, canBuild: false } }
}

const built = (folder: string): PortalState => ({ is: 'built', files: new PortalFiles(folder) })
