import type { Command } from './command.ts'

const columns = (rows: ReadonlyArray<readonly [string, string]>): string => {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n')
}

const usage = (command: Command): string => {
  const options = Object.keys(command.options).length > 0 ? ' [options]' : ''
  return [command.name, ...command.positionals].join(' ') + options
}

export const overallHelp = (
  commands: readonly Command[],
  version: string,
): string => `Gatehouse ${version}: who may open which door, when and why.

Usage: gatehouse <command> [options]
       (in a clone: npm run -s gatehouse -- <command> [options])

${columns(commands.map((command) => [usage(command), command.summary]))}

gatehouse <command> --help says more. Configuration is by environment variables; see the README.`

export function commandHelp(command: Command): string {
  const parts = [`Usage: gatehouse ${usage(command)}`, command.summary]
  if (command.details) parts.push(command.details)
  const options = Object.entries(command.options).map(
    ([name, option]) =>
      [`--${name}${option.type === 'string' ? ` ${option.value ?? 'TEXT'}` : ''}`, option.description] as const,
  )
  if (options.length > 0) parts.push(`Options:\n${columns(options)}`)
  return parts.join('\n\n')
}
