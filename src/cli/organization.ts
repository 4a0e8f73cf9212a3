import { checkTimeZone } from '../core/time/time-zone.ts'
import { createOrganization } from '../identity/organizations.ts'
import { defineCommand } from './command.ts'
import { commandLine, withDatabase } from './database.ts'
import { checkName } from './name.ts'

export const organizationCreate = defineCommand({
  name: 'organization create',
  summary: 'Makes an organization with its built-in roles.',
  positionals: ['NAME'],
  options: {
    'time-zone': {
      type: 'string',
      value: 'ZONE',
      description: 'IANA time zone of the organization, such as Europe/Zurich (UTC)',
    },
  },
  async run({ config, clock, say }, values, [name = '']) {
    checkName('The name of an organization', name)
    const zone = values['time-zone'] ?? 'UTC'
    checkTimeZone('--time-zone', zone)
    await withDatabase(config, (engine) => createOrganization(engine, clock.now(), commandLine, name, zone))
    say(`Made the organization "${name}". Next, a token for it:\n  ${tokenCommand(name)}`)
    return undefined
  },
})

/** As it can be pasted into a shell. */
export const tokenCommand = (organization: string): string =>
  `npm run -s gatehouse -- token create --organization ${quote(organization)} --role Owner`

const quote = (text: string) => (/^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`)
