import { migrate as migrateEngine } from '../db/migrate.ts'
import { defineCommand } from './command.ts'
import { openDatabase } from './database.ts'

export const migrate = defineCommand({
  name: 'migrate',
  summary: 'Brings the database to the schema of this version. serve does it by itself.',
  positionals: [],
  options: {},
  async run({ config, say }) {
    const engine = await openDatabase(config)
    try {
      const { applied } = await migrateEngine(engine)
      say(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`)
    } finally {
      await engine.close()
    }
    return undefined
  },
})
