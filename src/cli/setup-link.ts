import { isEmpty, makeSetupLink } from '../identity/setup/queries.ts'
import { CommandError, defineCommand } from './command.ts'
import { withDatabase } from './database.ts'

export const setupLink = defineCommand({
  name: 'setup-link',
  summary: 'Prints a fresh link to set up an empty database: works once, for 15 minutes.',
  details:
    'What follows "#" is also the "token" of POST /api/v1/setup. BASE_URL (or HOST and PORT) must be that of the ' +
    'running service.',
  positionals: [],
  options: {},
  async run({ config, clock, out }) {
    const link = await withDatabase(config, async (engine) => {
      if (!(await isEmpty(engine.reader)))
        throw new CommandError(
          'There is an organization already; its users are invited by one another (POST /api/v1/users).',
        )
      return makeSetupLink(engine, clock.now(), config.baseUrl)
    })
    out(link)
    return undefined
  },
})
