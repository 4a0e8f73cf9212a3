import { miscounts, recount } from '../db/along/tallies.ts'
import { defineCommand } from './command.ts'
import { withExistingDatabase } from './database.ts'

export const verify = defineCommand({
  name: 'verify',
  summary: 'Recounts everything that is kept as a number beside the rows it counts, and names differences.',
  details: `Exits with 1 where a number differs. With --mend it is counted anew and kept; the service may run meanwhile.
The audit log is checked by audit verify.`,
  positionals: [],
  options: { mend: { type: 'boolean', description: 'Counts anew what differs' } },
  async run({ config, out }, { mend = false }) {
    return withExistingDatabase(config, async (engine) => {
      const found = await miscounts(engine.unhurried)
      const names = new Map(
        (await engine.reader.all<{ key: number; name: string }>('select key, name from organizations', [])).map(
          (row) => [row.key, row.name],
        ),
      )
      for (const { org, name, value, kept, counted } of found)
        out(
          `${names.get(org) ?? org}: ${name}${value === '' ? '' : ` "${value}"`}: ${kept} is kept, ` +
            `there are ${counted}`,
        )
      if (found.length === 0) out('Every number is right.')
      if (found.length === 0 || !mend) return found.length === 0 ? undefined : 1
      await recount(engine)
      out('Counted anew.')
      return undefined
    })
  },
})
