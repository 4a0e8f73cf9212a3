import { UUID_PATTERN } from '../core/fields.ts'
// A role may be limited to one of these: they must be known to be looked up.
import '../resources/buildings/schema.ts'
import '../resources/locations/schema.ts'
import { createToken, type NewToken } from '../identity/tokens/issue.ts'
import { defineCommand, UsageError } from './command.ts'
import { commandLine, withDatabase } from './database.ts'
import { checkName } from './name.ts'

export const tokenCreate = defineCommand({
  name: 'token create',
  summary: 'Makes a service user with a role, and prints a token for it, alone, on standard output.',
  details: 'The token is shown this once and stored nowhere. Use it as: Authorization: Token <token>',
  positionals: [],
  options: {
    organization: { type: 'string', value: 'NAME', description: 'The organization (required)' },
    role: {
      type: 'string',
      value: 'ROLE',
      description: 'Owner, Administrator, Facility manager, Operator, Auditor, Integration or your own (required)',
    },
    name: { type: 'string', value: 'NAME', description: 'Name of the service user and its token' },
    expires: {
      type: 'string',
      value: 'DATE',
      description: 'Last day of the token, such as 2027-03-31 (90 days from now)',
    },
    location: { type: 'string', value: 'ID', description: 'Limits the role to a location and everything below it' },
    building: { type: 'string', value: 'ID', description: 'Limits the role to a building and everything below it' },
  },
  async run({ config, clock, out, say }, values) {
    const { organization, role, name, expires, location, building } = values
    if (!organization) throw new UsageError('--organization is missing: the name of the organization the token is for.')
    if (!role) throw new UsageError('--role is missing: what the token may do, such as Owner or Auditor.')
    if (location !== undefined && building !== undefined)
      throw new UsageError('Give --location or --building, not both.')
    if (name !== undefined) checkName('--name', name)
    const wanted: NewToken = {
      organization,
      role,
      ...(name === undefined ? {} : { name }),
      ...(expires === undefined ? {} : { expires }),
    }
    if (location !== undefined) wanted.place = { location_id: readId('--location', location) }
    if (building !== undefined) wanted.place = { building_id: readId('--building', building) }
    const { value, expiresAt } = await withDatabase(config, (engine) =>
      createToken(engine, clock.now(), commandLine, wanted),
    )
    out(value)
    say(`Valid until ${expiresAt}. It is not shown again.`)
    return undefined
  },
})

function readId(option: string, text: string): string {
  if (!new RegExp(UUID_PATTERN).test(text)) throw new UsageError(`${option} must be an id (a UUID); "${text}" is none.`)
  return text
}
