import { verifyAudit } from '../db/audit.ts'
import { findOrganization } from '../identity/organizations.ts'
import { CommandError, defineCommand } from './command.ts'
import { withExistingDatabase } from './database.ts'

export const auditVerify = defineCommand({
  name: 'audit verify',
  summary: 'Checks that no entry of the audit log was altered, removed or reordered.',
  details: 'Exits with 1 and names the first bad entry of each organization that has one.',
  positionals: [],
  options: { organization: { type: 'string', value: 'NAME', description: 'Only this organization' } },
  async run({ config, out }, { organization }) {
    return withExistingDatabase(config, async (engine) => {
      const found = organization === undefined ? undefined : await findOrganization(engine, organization)
      if (organization !== undefined && !found) throw new CommandError(`There is no organization "${organization}".`)
      const all = found
        ? [found]
        : await engine.reader.all<{ key: number; name: string }>('select key, name from organizations order by key', [])
      let isIntact = true
      for (const { key, name } of all) {
        const { rows, fault } = await verifyAudit(engine, key)
        if (fault) isIntact = false
        out(fault ? `${name}: entry ${fault.sequence}: ${fault.fault}` : `${name}: ${rows} ${rows === 1 ? 'entry' : 'entries'}, intact`)
      }
      return isIntact ? undefined : 1
    })
  },
})
