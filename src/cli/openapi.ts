import { pino } from 'pino'
import { allResources } from '../all-resources.ts'
import { buildApp } from '../app.ts'
import { IN_MEMORY, openSqlite } from '../db/sqlite/sqlite.ts'
import { openApiOf } from '../docs/openapi/document.ts'
import { defineCommand } from './command.ts'

export const openapi = defineCommand({
  name: 'openapi',
  summary: 'Prints the OpenAPI document of this version, under the address of BASE_URL.',
  positionals: [],
  options: {},
  async run({ config, clock, out }) {
    // The document follows from the routes alone: the database beneath is empty and in memory.
    const engine = openSqlite(IN_MEMORY)
    const app = await buildApp({ config, engine, clock, logger: pino({ level: 'silent' }), resources: allResources })
    await app.ready()
    out(JSON.stringify(openApiOf(app), null, 2))
    await app.close()
    await engine.close()
    return undefined
  },
})
