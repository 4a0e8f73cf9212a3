import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/free-port.ts'
import { startServer } from '../support/processes.ts'

/**
 * What code generators make of docs/openapi.json compiles, and works: `npm run check:clients`. They do not install
 * beside our TypeScript, so they are installed in a folder of their own, which costs half a minute and needs the
 * registry.
 */
const here = fileURLToPath(new URL('kit', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-clients-'))
const programs = ['with-openapi-typescript', 'with-hey-api']

const run = (name: string, command: string, args: readonly string[], env: Record<string, string> = {}): void => {
  const started = performance.now()
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } })
  process.stdout.write(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
}
const tool = (name: string, file: string, ...args: string[]): void =>
  run(name, process.execPath, [join(folder, 'node_modules', file), ...args])

try {
  for (const file of ['package.json', 'tsconfig.json', ...programs.map((name) => `${name}.ts`)])
    copyFileSync(join(here, file), join(folder, file))
  copyFileSync(join(root, 'docs/openapi.json'), join(folder, 'openapi.json'))
  run('install', 'npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--silent'])
  tool('openapi-typescript', 'openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'generated/openapi-typescript.d.ts')
  tool('hey-api', '@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'generated/hey-api')
  tool('compile', 'typescript/bin/tsc', '-p', '.')
  for (const file of ['openapi-typescript.d.ts', 'hey-api/types.gen.ts'])
    process.stdout.write(`${file}: ${readFileSync(join(folder, 'generated', file), 'utf8').split('\n').length} lines\n`)
  const port = await freePort()
  const env = { DATA_DIR: join(folder, 'data'), PORTAL: 'off' }
  const command = (...args: string[]) =>
    execFileSync(process.execPath, [join(root, 'src/main.ts'), ...args], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    }).trim()
  command('organization', 'create', 'Generated')
  const token = command('token', 'create', '--organization', 'Generated', '--role', 'Owner')
  const server = await startServer({
    script: [join(root, 'src/main.ts'), 'serve'],
    env,
    probe: '/readyz',
    port,
  })
  try {
    for (const name of programs)
      run(name, process.execPath, [join(folder, 'out', `${name}.js`)], {
        SERVER: `http://127.0.0.1:${port}`,
        TOKEN: token,
      })
  } finally {
    await server.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
