import { randomUUID } from 'node:crypto'
import { constants, copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { allResources } from '../../src/all-resources.ts'
import type { Engine } from '../../src/db/engine.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { declareResources } from '../../src/db/resources.ts'
import { openSqlite } from '../../src/db/sqlite/sqlite.ts'
import { createOrganization, findOrganization } from '../../src/identity/organizations.ts'
import { createToken } from '../../src/identity/tokens/issue.ts'
import { actor } from '../support/app.ts'
import { startGuard } from '../support/guard.ts'
import type { PostgresServer } from '../support/postgres.ts'
import { gatehouse, type Server, serveGatehouse } from '../support/processes.ts'

/** A database of its own and the real server processes on it; everything goes when the test ends. */
export interface Site {
  readonly folder: string
  /** Of a service user with the Owner role. */
  readonly token: string
  serve(options?: { port?: number; through?: readonly string[]; env?: Record<string, string> }): Promise<Server>
  /** A further token with the Owner role; of an organization that is made for it if it is not there. */
  newToken(organization?: string): Promise<string>
  /** Looks into the database, past the service. */
  look<T>(work: (engine: Engine) => Promise<T>): Promise<T>
  /** What `audit verify` prints; throws unless it finds everything intact. */
  verifyAudit(): Promise<string>
}

/** Without a PostgreSQL server it is SQLite in a temporary folder. Empty ones have no schema yet, and no token. */
export async function createSite(postgres?: PostgresServer, { isEmpty = false, folder = '' } = {}): Promise<Site> {
  const home = folder === '' ? await mkdtemp(join(tmpdir(), 'gatehouse-faults-')) : folder
  const guard = folder === '' ? startGuard(home) : undefined
  const env: Record<string, string> = { DATA_DIR: home }
  if (postgres)
    env.DATABASE_URL = await createDatabase(postgres, isEmpty ? undefined : await migratedDatabase(postgres))
  else if (!isEmpty) await copyFile(inject('migratedFile'), join(home, 'gatehouse.db'), constants.COPYFILE_EXCL)
  const open = async () =>
    env.DATABASE_URL
      ? openPostgres(env.DATABASE_URL, { poolSize: 2, onError: () => undefined })
      : openSqlite(join(home, 'gatehouse.db'))
  const look: Site['look'] = async (work) => {
    const engine = await open()
    declareResources(engine, allResources)
    try {
      return await work(engine)
    } finally {
      await engine.close()
    }
  }
  const newToken = (organization = 'Test') =>
    look(async (engine) => {
      const now = new Date().toISOString()
      if (!(await findOrganization(engine, organization)))
        await createOrganization(engine, now, actor, organization, 'Europe/Zurich')
      const { value } = await createToken(engine, now, actor, { organization, role: 'Owner', name: randomUUID() })
      return value
    })

  const servers: Promise<Server>[] = []
  onTestFinished(async () => {
    // Those too that are still starting.
    for (const starting of await Promise.allSettled(servers))
      if (starting.status === 'fulfilled') await starting.value.kill()
    await guard?.release()
  })
  return {
    folder: home,
    token: isEmpty ? '' : await newToken(),
    serve: ({ env: more, ...options } = {}) => {
      const server = serveGatehouse({ ...env, ...more }, options)
      servers.push(server)
      return server
    },
    newToken,
    look,
    verifyAudit: () => gatehouse(['audit', 'verify'], env),
  }
}

/** Of each server, the one with today's schema that the others are copies of: migrating takes most of a second. */
const migrated = new WeakMap<PostgresServer, Promise<string>>()

function migratedDatabase(postgres: PostgresServer): Promise<string> {
  const known = migrated.get(postgres) ?? migrateAnother(postgres)
  migrated.set(postgres, known)
  return known
}

async function migrateAnother(postgres: PostgresServer): Promise<string> {
  const url = await createDatabase(postgres)
  const engine = await openPostgres(url, { poolSize: 2, onError: () => undefined })
  await migrate(engine).finally(() => engine.close())
  return new URL(url).pathname.slice(1)
}

async function createDatabase(postgres: PostgresServer, template = 'template1'): Promise<string> {
  const name = `f_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`create database ${name} template ${template}`)
  await client.end()
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  return url.href
}
