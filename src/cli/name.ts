import { lineFault } from '../core/line.ts'
import { UsageError } from './command.ts'

/** The same rule as for a name in a body. */
export function checkName(what: string, name: string): void {
  const fault = name === '' || name.length > 200 ? `${name.length} characters` : lineFault(name)
  if (fault !== undefined)
    throw new UsageError(`${what} is one line of visible text of 1 to 200 characters; this has ${fault}.`)
}
