import { parseArgs } from 'node:util'
import { messageOf } from '../core/errors.ts'
import { sure } from '../core/typed.ts'
import { type Command, UsageError, type Values } from './command.ts'
import { commandHelp, overallHelp } from './help.ts'

/** Each command by its name, loaded when it is asked for: most need little of the program, and start the faster. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>

export interface Call {
  command: Command
  values: Values<Command['options']>
  positionals: string[]
}

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h'

/** What was asked: a command to run, or text to print. */
export async function readArguments(
  argv: readonly string[],
  commands: Commands,
  version: string,
): Promise<Call | { text: string }> {
  const help = async (names: readonly string[]) => ({
    text: overallHelp(await Promise.all(names.map((name) => sure(commands[name])())), version),
  })
  const [first, second] = argv
  if (isHelp(first) || first === 'help') return help(Object.keys(commands))
  if (first === '--version') return { text: version }
  const family = Object.keys(commands).filter((name) => name.startsWith(`${first} `))
  if (family.length > 0 && isHelp(second)) return help(family)
  const { load, rest } = findCommand(argv, commands, family)
  const command = await load()
  return rest.some(isHelp) ? { text: commandHelp(command) } : readCall(command, rest)
}

function findCommand(
  argv: readonly string[],
  commands: Commands,
  family: readonly string[],
): { load: Commands[string]; rest: readonly string[] } {
  const [first, second] = argv
  // Without a command it serves.
  const name = first === undefined || first.startsWith('-') ? 'serve' : first
  const one = commands[name]
  if (one) return { load: one, rest: name === first ? argv.slice(1) : argv }
  const two = commands[`${first} ${second}`]
  if (two) return { load: two, rest: argv.slice(2) }
  if (family.length > 0) throw new UsageError(`"${first}" needs to be told what to do: ${family.join(', ')}.`)
  throw new UsageError(`There is no command "${first}". See: gatehouse --help`)
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

function parse(
  command: Command,
  args: readonly string[],
): { values: Values<Command['options']>; positionals: string[] } {
  try {
    const options = Object.fromEntries(Object.entries(command.options).map(([name, { type }]) => [name, { type }]))
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true }) as ReturnType<typeof parse>
  } catch (error) {
    // parseArgs explains itself in its first sentence and then gives advice that does not fit here.
    const [sentence = ''] = messageOf(error).split(/\. |\n/)
    throw new UsageError(`${sentence.replace(/\.$/, '')}. ${seeHelp(command)}`)
  }
}

const seeHelp = (command: Command) => `See: gatehouse ${command.name} --help`
