import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { BuildError, buildPortal, canBuild } from '../portal-build/build.ts'
import { portalDigest } from '../portal-build/digest.ts'
import { buildFolder, isWhole, ourPortal } from '../portal-build/place.ts'
import { CommandError, defineCommand } from './command.ts'

export const portalBuild = defineCommand({
  name: 'portal build',
  summary: 'Builds the portal, unless the build fits its sources already. The service does the same when it starts.',
  positionals: [],
  options: {},
  async run({ say }) {
    if (!existsSync(ourPortal.sources)) throw new CommandError('There is no portal here.')
    const started = performance.now()
    const digest = portalDigest(ourPortal)
    const folder = buildFolder(ourPortal, digest)
    const name = relative(process.cwd(), folder)
    if (isWhole(folder)) {
      say(`The portal is built already: ${name}`)
      return undefined
    }
    if (!canBuild()) throw new CommandError('Vite is not installed: run npm install without --omit=dev.')
    try {
      await buildPortal(ourPortal, digest)
    } catch (error) {
      if (error instanceof BuildError)
        throw new CommandError(`The portal could not be built:\n${error.message}`, { cause: error })
      throw error
    }
    say(`Built the portal in ${((performance.now() - started) / 1000).toFixed(1)} s: ${name}`)
    return undefined
  },
})
