import { enableCompileCache, registerHooks } from 'node:module'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { CommandError, type Context, UsageError } from './cli/command.ts'
import { type Commands, readArguments } from './cli/parse.ts'
import { STOP } from './cli/serving/stop-message.ts'
import { ConfigError, readConfig } from './config.ts'
import { AppError } from './core/errors.ts'
import { systemClock } from './core/time/clock.ts'
import { version } from './version.ts'

// What was compiled once need not be compiled at every start; where the folder cannot be written, it is.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/gatehouse', import.meta.url)))

// Our files name each other by their whole paths. Node would ask the disk what each of seven hundred is, and where.
registerHooks({
  resolve: (name, context, next) =>
    name.startsWith('.') && name.endsWith('.ts') && context.parentURL?.startsWith('file:')
      ? { url: new URL(name, context.parentURL).href, format: 'module-typescript', shortCircuit: true }
      : next(name, context),
})

// The command line, and the only file that touches the process: what commands may do, they are given here.

const commands: Commands = {
  serve: async () => (await import('./cli/serving/serve.ts')).serve,
  demo: async () => (await import('./cli/demo.ts')).demo,
  'organization create': async () => (await import('./cli/organization.ts')).organizationCreate,
  'organization suspend': async () => (await import('./cli/organization-status.ts')).organizationSuspend,
  'organization resume': async () => (await import('./cli/organization-status.ts')).organizationResume,
  'token create': async () => (await import('./cli/token.ts')).tokenCreate,
  'setup-link': async () => (await import('./cli/setup-link.ts')).setupLink,
  migrate: async () => (await import('./cli/migrate.ts')).migrate,
  backup: async () => (await import('./cli/backup.ts')).backup,
  restore: async () => (await import('./cli/restore.ts')).restore,
  verify: async () => (await import('./cli/verify.ts')).verify,
  copy: async () => (await import('./cli/copy/copy.ts')).copy,
  'user reset-link': async () => (await import('./cli/user.ts')).userResetLink,
  'audit verify-report': async () => (await import('./cli/audit-report.ts')).auditVerifyReport,
  'audit verify': async () => (await import('./cli/audit.ts')).auditVerify,
  'audit key': async () => (await import('./cli/audit.ts')).auditKey,
  'oauth rotate-keys': async () => (await import('./cli/oauth.ts')).oauthRotateKeys,
  'forget-sealed-secrets': async () => (await import('./cli/forget-sealed-secrets.ts')).forgetSealedSecrets,
  compile: async () => (await import('./cli/serving/compile.ts')).compile,
  'portal build': async () => (await import('./cli/portal.ts')).portalBuild,
  login: async () => (await import('./cli/remote/login.ts')).login,
  logout: async () => (await import('./cli/remote/login.ts')).logout,
  whoami: async () => (await import('./cli/remote/login.ts')).whoami,
  get: async () => (await import('./cli/remote/items.ts')).get,
  list: async () => (await import('./cli/remote/items.ts')).list,
  create: async () => (await import('./cli/remote/items.ts')).create,
  update: async () => (await import('./cli/remote/items.ts')).update,
  delete: async () => (await import('./cli/remote/items.ts')).remove,
  apply: async () => (await import('./cli/remote/many.ts')).apply,
  import: async () => (await import('./cli/remote/many.ts')).importItems,
  export: async () => (await import('./cli/remote/many.ts')).exportItems,
  openapi: async () => (await import('./cli/openapi.ts')).openapi,
}

const atExit: Array<() => void> = []
process.on('exit', () => {
  for (const work of atExit) work()
})

const context = (): Context => ({
  config: readConfig(),
  clock: systemClock,
  out: (line) => void process.stdout.write(`${line}\n`),
  input: () => text(process.stdin),
  say: (line) => void process.stderr.write(`${line}\n`),
  replaceLine: process.stderr.isTTY ? (line) => void process.stderr.write(`\r\x1b[2K${line}`) : undefined,
  untilStopped: () =>
    new Promise((resolve) => {
      let isStopping = false
      const onSignal = () => {
        if (isStopping) process.exit(1)
        isStopping = true
        resolve()
      }
      // From the process that started this one as one of several: not counted as a second signal.
      process.on('message', (message) => void (message === STOP && resolve()))
      process.on('SIGTERM', onSignal)
      process.on('SIGINT', onSignal)
    }),
  atExit: (work) => void atExit.push(work),
})

async function run(argv: readonly string[]): Promise<number> {
  const request = await readArguments(argv, commands, version)
  if ('text' in request) {
    process.stdout.write(`${request.text}\n`)
    return 0
  }
  return (await request.command.run(context(), request.values, request.positionals)) ?? 0
}

/** What an operator can act upon is a sentence; anything else is a fault of ours and comes with its stack. */
function report(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n`)
    return 2
  }
  const isExpected = error instanceof CommandError || error instanceof ConfigError || error instanceof AppError
  process.stderr.write(`${isExpected ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  return 1
}

const written = (stream: NodeJS.WriteStream) => new Promise<void>((resolve) => void stream.write('', () => resolve()))

const code = await run(process.argv.slice(2)).catch(report)
// A pipe may not have taken everything yet.
await Promise.all([written(process.stdout), written(process.stderr)])
process.exit(code)
