import { parseArgs } from 'node:util'
import { type Command, UsageError, type Values } from './command.ts'
import { commandHelp, overallHelp } from './help.ts'

export interface Call {
  command: Command
  values: Values<Command['options']>
  positionals: string[]
}

/** What was asked: a command to run, or text to print. */
export type Request = Call | { text: string }

export function readArguments(argv: readonly string[], commands: readonly Command[], version: string): Request {
  const first = argv[0]
  if (first === '--help' || first === '-h' || first === 'help') return { text: overallHelp(commands, version) }
  if (first === '--version') return { text: version }
  const { command, rest } = findCommand(argv, commands, version)
  if (typeof command === 'string') return { text: command }
  if (rest.includes('--help') || rest.includes('-h')) return { text: commandHelp(command) }
  return readCall(command, rest)
}

function findCommand(
  argv: readonly string[],
  commands: readonly Command[],
  version: string,
): { command: Command | string; rest: readonly string[] } {
  const named = (name: string) => commands.find((command) => command.name === name)
  const [first, second = ''] = argv
  // Without a command it serves.
  if (first === undefined || first.startsWith('-')) return { command: named('serve') ?? '', rest: argv }
  const one = named(first)
  if (one) return { command: one, rest: argv.slice(1) }
  const two = named(`${first} ${second}`)
  if (two) return { command: two, rest: argv.slice(2) }
  const family = commands.filter((command) => command.name.startsWith(`${first} `))
  if (family.length === 0) throw new UsageError(`There is no command "${first}". See: gatehouse --help`)
  if (second === '--help' || second === '-h') return { command: overallHelp(family, version), rest: [] }
  throw new UsageError(`"${first}" needs to be told what to do: ${family.map((command) => command.name).join(', ')}.`)
}

function readCall(command: Command, args: readonly string[]): Call {
  const parsed = parse(command, args)
  const required = command.positionals.filter((name) => !name.startsWith('['))
  const missing = required[parsed.positionals.length]
  if (missing) throw new UsageError(`${missing} is missing. ${seeHelp(command)}`)
  const extra = parsed.positionals[command.positionals.length]
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many. ${seeHelp(command)}`)
  return { command, ...parsed }
}

function parse(command: Command, args: readonly string[]): { values: Values<Command['options']>; positionals: string[] } {
  try {
    const options = Object.fromEntries(Object.entries(command.options).map(([name, { type }]) => [name, { type }]))
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true }) as ReturnType<typeof parse>
  } catch (error) {
    // parseArgs explains itself in its first sentence and then gives advice that does not fit here.
    const [sentence = ''] = (error as Error).message.split(/\. |\n/)
    throw new UsageError(`${sentence.replace(/\.$/, '')}. ${seeHelp(command)}`)
  }
}

const seeHelp = (command: Command) => `See: gatehouse ${command.name} --help`
