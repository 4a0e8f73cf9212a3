import { change } from '../db/change.ts'
import { changeOrganization, organizationOf } from '../identity/organization/queries.ts'
import { findOrganization } from '../identity/organizations.ts'
import { type Command, CommandError, defineCommand } from './command.ts'
import { commandLine, withDatabase } from './database.ts'

interface Words {
  verb: 'suspend' | 'resume'
  status: 'active' | 'suspended'
  recorded: 'suspended' | 'resumed'
  summary: string
  already: string
  done: string
}

const statusCommand = ({ verb, status, recorded, summary, already, done }: Words): Command =>
  defineCommand({
    name: `organization ${verb}`,
    summary,
    details: 'Holds within a second in every process that serves.',
    positionals: ['NAME'],
    options: {},
    async run({ config, clock, say }, _values, [name = '']) {
      await withDatabase(config, async (engine) => {
        const found = await findOrganization(engine, name)
        if (!found) throw new CommandError(`There is no organization "${name}".`)
        await change(engine, found.key, clock.now(), commandLine, async (tx) => {
          const current = await organizationOf(tx, 'all')
          if (current.status === status) throw new CommandError(`The organization "${name}" ${already}.`)
          await changeOrganization(tx, current, { status }, recorded)
        })
      })
      say(`The organization "${name}" ${done}`)
      return undefined
    },
  })

export const organizationSuspend = statusCommand({
  verb: 'suspend',
  status: 'suspended',
  recorded: 'suspended',
  summary: 'Suspends an organization: nobody logs in, and no token of it works. Nothing is lost.',
  already: 'is suspended already',
  done: 'is suspended. To undo it: organization resume',
})

export const organizationResume = statusCommand({
  verb: 'resume',
  status: 'active',
  recorded: 'resumed',
  summary: 'Lets a suspended organization work again, with the same users and tokens.',
  already: 'is not suspended',
  done: 'works again.',
})
