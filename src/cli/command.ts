import type { Config } from '../config.ts'
import type { Clock } from '../core/time/clock.ts'

/** What a command may do to the world; src/main.ts gives it, so that no command touches the process itself. */
export interface Context {
  readonly config: Config
  readonly clock: Clock
  /** Results, on standard output. */
  out(line: string): void
  /** All of standard input. */
  input(): Promise<string>
  /** Words for people, on standard error. */
  say(line: string): void
  /** Replaces the last line that was replaced; only where somebody watches. */
  readonly replaceLine: ((line: string) => void) | undefined
  /** Resolves at the first SIGTERM or SIGINT. */
  untilStopped(): Promise<void>
  /** Runs when the process ends, however it ends. */
  atExit(work: () => void): void
}

interface Option {
  readonly type: 'string' | 'boolean'
  /** How help names the value. */
  readonly value?: string
  readonly description: string
}

export type Options = Readonly<Record<string, Option>>
export type Values<O extends Options> = { [K in keyof O]?: O[K]['type'] extends 'boolean' ? boolean : string }

export interface Command<O extends Options = Options> {
  /** One or two words: "serve", "token create". */
  readonly name: string
  readonly summary: string
  readonly details?: string
  /** Names of the arguments that are no options; one in brackets may be left out. */
  readonly positionals: readonly string[]
  readonly options: O
  /** Gives the exit code when it is not 0. */
  run(context: Context, values: Values<O>, positionals: readonly string[]): Promise<number | undefined>
}

/** Keeps the types of a command's options for its `run`, and forgets them for the list of commands. */
export const defineCommand = <const O extends Options>(command: Command<O>): Command => command

/** It cannot be done, and the message says why: exit 1. */
export class CommandError extends Error {}

/** It was not asked properly: exit 2. */
export class UsageError extends Error {}
