import { execFile, spawn } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { type Ended, migratedHouse, root, surroundings } from './child.ts'

const LOADER =
  'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file ' +
  'or directory'

/** A checkout of its own whose Node is this script, and a machine whose own Node is that one. */
function machine(installed: string | undefined, own: string | undefined): { folder: string; path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-launch-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const write = (path: string, script: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, path), 0o755)
  }
  mkdirSync(join(folder, 'src'))
  copyFileSync(join(root, 'src/launch.sh'), join(folder, 'src/launch.sh'))
  if (installed !== undefined) write('node_modules/.bin/node', installed)
  if (own !== undefined) write('machine/node', own)
  return { folder, path: `${join(folder, 'node_modules/.bin')}:${join(folder, 'machine')}:/usr/bin:/bin` }
}

const launch = ({ folder, path }: { folder: string; path: string }): Promise<Ended> =>
  new Promise((resolve) => {
    const args = ['src/launch.sh', 'src/main.ts', 'serve', '--name', 'a b']
    execFile('/bin/sh', args, { cwd: folder, env: { PATH: path } }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
  })

const node = (name: string, version: string) =>
  `[ "$1" = --version ] && echo v${version} || { echo "${name}:"; printf '<%s>' "$@"; }`
const broken = `echo "${LOADER}" >&2; exit 127`
const given = '<src/main.ts><serve><--name><a b>'

describe.skipIf(process.env.ENGINE === 'postgres')('the launcher', () => {
  it('runs the Node that npm installed, with the arguments as they are', async () => {
    expect(await launch(machine(node('installed', '26.1.0'), node('own', '30.0.0')))).toEqual({
      code: 0,
      out: `installed:\n${given}`,
      err: '',
    })
  })

  it('runs the machine’s own Node where that one does not load, if it is 26 or newer', async () => {
    for (const version of ['26.0.0', '31.2.1'])
      expect(await launch(machine(broken, node('own', version)))).toEqual({ code: 0, out: `own:\n${given}`, err: '' })
    expect((await launch(machine(undefined, node('own', '26.0.0')))).out).toContain('own:')
  })

  it.each([
    ['an old one', node('own', '20.20.2')],
    ['one that does not load either', broken],
  ])('otherwise (%s) says in one line what to install, and nothing of the loader', async (_name, own) => {
    const { code, out, err } = await launch(machine(broken, own))
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^[^\n]*libatomic: install it \(Debian, Ubuntu: apt-get install libatomic1;[^\n]*\n$/)
    expect(err).not.toContain('shared object')
  })

  it('says what else is wrong with it', async () => {
    const { code, err } = await launch(machine('echo "Exec format error" >&2; exit 126', 'exit 1'))
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^[^\n]*install Node 26 or newer. It says: Exec format error\n$/),
    ])
  })

  it('every script of npm that needs Node goes through it', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const direct = Object.entries(scripts).filter(([, line]) =>
      /(^|[\s&])(node|vitest) /.test(line.replaceAll('sh src/launch.sh', '')),
    )
    expect(direct).toEqual([])
    expect(scripts.start).toBe('exec sh src/launch.sh src/main.ts serve')
  })

  it('npm start: the signal reaches the service, which stops in order', async () => {
    const env = await migratedHouse()
    const child = spawn('npm', ['start'], {
      cwd: root,
      env: { ...surroundings, PORT: '0', ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    atEnd(() => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL')
    })
    let out = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += chunk))
    await expect.poll(() => out).toContain('is ready at')
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await ended
    expect(out).toContain('"msg":"stopped"')
  })
})
