import { change } from '../db/change.ts'
import { OrgHandle } from '../db/org.ts'
import { getRow } from '../db/rows.ts'
import { sql } from '../db/sql.ts'
import { findOrganization } from '../identity/organizations.ts'
import { makeResetLink } from '../identity/users/queries.ts'
import { users } from '../identity/users/schema.ts'
import { CommandError, defineCommand, UsageError } from './command.ts'
import { commandLine, withDatabase } from './database.ts'

export const userResetLink = defineCommand({
  name: 'user reset-link',
  summary: 'Prints a link to a new password for a user who cannot log in: works once, for an hour.',
  details:
    'For whoever runs the service, when nobody who could do it in the portal is left. It is on the record. BASE_URL ' +
    'must be that of the service.',
  positionals: ['EMAIL'],
  options: {
    organization: { type: 'string', value: 'NAME', description: 'The organization (required where there are several)' },
  },
  async run({ config, clock, out, say }, { organization }, [email = '']) {
    await withDatabase(config, async (engine) => {
      const names = await engine.reader.all<{ name: string }>('select name from organizations order by key', [])
      const name = organization ?? (names.length === 1 ? names[0]?.name : undefined)
      if (name === undefined)
        throw new UsageError(
          `--organization is missing; there are ${names.map((one) => one.name).join(', ') || 'none'}.`,
        )
      const found = await findOrganization(engine, name)
      if (!found) throw new CommandError(`There is no organization "${name}".`)
      const handle = new OrgHandle(engine, found.key, clock.now())
      const row = await handle.one<{ id: string }>(
        sql`select t.id from users t where t.org = :org and lower(t.email) = ${email.toLowerCase()}`,
      )
      if (!row) throw new CommandError(`Nobody in ${name} has the address ${email}.`)
      const made = await change(engine, found.key, clock.now(), commandLine, async (tx) => {
        const user = await getRow(tx, users, row.id, 'all')
        return makeResetLink(tx, user, 'viewer')
      })
      out(`${config.baseUrl}/reset#${made.token}`)
      say(`Valid until ${made.expiresAt}. It is not shown again.`)
    })
    return undefined
  },
})
