import { auditVerify } from './cli/audit.ts'
import { backup } from './cli/backup.ts'
import { type Command, CommandError, type Context, UsageError } from './cli/command.ts'
import { demo } from './cli/demo.ts'
import { migrate } from './cli/migrate.ts'
import { openapi } from './cli/openapi.ts'
import { organizationCreate } from './cli/organization.ts'
import { readArguments } from './cli/parse.ts'
import { serve } from './cli/serve.ts'
import { tokenCreate } from './cli/token.ts'
import { ConfigError, readConfig } from './config.ts'
import { systemClock } from './core/clock.ts'
import { AppError } from './core/errors.ts'
import { version } from './version.ts'

// The command line, and the only file that touches the process: what commands may do, they are given here.

const commands: readonly Command[] = [serve, demo, organizationCreate, tokenCreate, migrate, backup, auditVerify, openapi]

const atExit: Array<() => void> = []
process.on('exit', () => {
  for (const work of atExit) work()
})

const context = (): Context => ({
  config: readConfig(),
  clock: systemClock,
  out: (line) => void process.stdout.write(`${line}\n`),
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
      process.on('SIGTERM', onSignal)
      process.on('SIGINT', onSignal)
    }),
  atExit: (work) => void atExit.push(work),
})

async function run(argv: readonly string[]): Promise<number> {
  const request = readArguments(argv, commands, version)
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

process.exit(await run(process.argv.slice(2)).catch(report))
