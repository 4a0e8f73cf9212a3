import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixturePortal } from '../../test/support/files/portal-fixture.ts'
import { buildPortal } from './build.ts'
import { portalDigest } from './digest.ts'
import { openPortal } from './keeper.ts'
import { buildFolder, builds, DIST, type PortalPlace } from './place.ts'

/** Opens and builds as a start does, and gives what was said. */
async function start(place: PortalPlace): Promise<{ said: string[]; before: string; after: string }> {
  const said: string[] = []
  const keeper = openPortal(place)
  const before = keeper.portal.state.is
  await keeper.build((line) => said.push(line))
  return { said, before, after: keeper.portal.state.is }
}

const leftovers = ({ sources }: PortalPlace) => readdirSync(join(sources, DIST)).filter((name) => name.startsWith('.'))

describe('a start', () => {
  it('builds a portal that was never built, says so and how long it took; the next one finds it ready', async () => {
    const place = await fixturePortal()
    const first = await start(place)
    expect(first).toMatchObject({ before: 'building', after: 'built' })
    expect(first.said[0]).toBe('The portal is being built, as after every update; the API answers meanwhile.')
    expect(first.said[1]).toMatch(/^The portal is ready, after \d+\.\d s\.$/)
    expect(await start(place)).toEqual({ said: [], before: 'built', after: 'built' })
    expect(leftovers(place)).toEqual([])
  })

  it.each([
    ['a source that changed', 'portal/style.css', 'body { color: green }\n'],
    ['a new source', 'portal/more/new.ts', 'export const more = 1\n'],
    ['another version of a package', 'package.json', '{"devDependencies":{"react":"19.3.2"}}'],
  ])('builds anew after %s', async (_, path, content) => {
    const place = await fixturePortal()
    const digest = portalDigest(place)
    await place.write(path, content)
    expect(portalDigest(place)).not.toBe(digest)
  })

  it('does not build anew because of times, tests or what else package.json says', async () => {
    const place = await fixturePortal()
    const digest = portalDigest(place)
    await utimes(join(place.sources, 'main.ts'), 0, 0)
    await place.write('portal/main.test.ts', 'export {}\n')
    await place.write('package.json', '{"name":"x","devDependencies":{"react":"19.3.1"}}')
    expect(portalDigest(place)).toBe(digest)
  })

  it('whose build fails says why, leaves nothing behind, and the next one tries again', async () => {
    const place = await fixturePortal()
    await place.write('portal/main.ts', "import './gone.ts'\n")
    const failed = await start(place)
    expect(failed.after).toBe('failed')
    expect(failed.said.at(-1)).toMatch(/^The portal could not be built; everything else works.*gone\.ts/s)
    expect(readdirSync(join(place.sources, DIST))).toEqual([])
    await place.write('portal/main.ts', 'document.title = String(1)\n')
    expect((await start(place)).after).toBe('built')
  })

  it('that cannot write says so and goes on', async () => {
    const place = await fixturePortal()
    // Nobody, root included, makes a folder below a file.
    await place.write(`portal/${DIST}`, '')
    const { said, after } = await start(place)
    expect(after).toBe('failed')
    expect(said.at(-1)).toMatch(/could not be built; everything else works.*(ENOTDIR|EEXIST)/s)
  })

  it('without a portal is silent', async () => {
    const place = await fixturePortal()
    await rm(place.sources, { recursive: true })
    expect(await start(place)).toEqual({ said: [], before: 'absent', after: 'absent' })
  })

  it('that is stopped while it builds says no more and leaves nothing behind', async () => {
    const place = await fixturePortal()
    const said: string[] = []
    const keeper = openPortal(place)
    const building = keeper.build((line) => said.push(line))
    await expect.poll(() => existsSync(join(place.sources, DIST)) && leftovers(place).length).toBe(1)
    await keeper.stop()
    await building
    expect(said).toHaveLength(1)
    expect(leftovers(place)).toEqual([])
  })
})

describe('a build', () => {
  it('is not spoilt by another of the same sources at the same time', async () => {
    const place = await fixturePortal()
    const digest = portalDigest(place)
    const folders = await Promise.all([buildPortal(place, digest), buildPortal(place, digest)])
    expect(folders).toEqual([buildFolder(place, digest), buildFolder(place, digest)])
    expect((await start(place)).said).toEqual([])
    expect(leftovers(place)).toEqual([])
  })

  it('takes nothing but types from outside its folder, which its digest would not notice', async () => {
    const place = await fixturePortal()
    await place.write('src/permissions.ts', 'export const permissions = ["spaces:read"]\n')
    await place.write(
      'portal/main.ts',
      "import { permissions } from '../src/permissions.ts'\ndocument.body.append(permissions.join())\n",
    )
    await expect(buildPortal(place, portalDigest(place))).rejects.toThrow(/takes types alone.*permissions\.ts/)
  })

  it('keeps the two before it, for processes that still serve them, and takes older ones away', async () => {
    const place = await fixturePortal()
    const latest = await buildPortal(place, portalDigest(place))
    for (const [index, name] of ['one', 'two', 'three', 'four'].entries()) {
      await cp(latest, buildFolder(place, name), { recursive: true })
      await utimes(buildFolder(place, name), index + 1, index + 1)
    }
    await mkdir(join(place.sources, DIST, '.cut-off'))
    await utimes(join(place.sources, DIST, '.cut-off'), 1, 1)
    await place.write('portal/style.css', 'body { color: green }\n')
    const next = await buildPortal(place, portalDigest(place))
    expect(builds(place)).toEqual([next, latest, buildFolder(place, 'four')])
    expect(leftovers(place)).toEqual([])
  })
})
