import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { gatehouse } from '../test/support/processes.ts'

const ORGANIZATION = 'Demo'

export interface Estate {
  spaces: number
  env: Record<string, string>
  token: string
}

/** A database filled by the product's own command, and a token for it. `entry`: the product of another checkout. */
export async function makeEstate(
  folder: string,
  spaces: number,
  databaseUrl?: string,
  entry?: string,
): Promise<Estate> {
  const env: Record<string, string> = {
    DATA_DIR: await mkdtemp(join(folder, `${spaces}-spaces-`)),
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  }
  process.stderr.write(`filling ${spaces} spaces on ${databaseUrl ? 'PostgreSQL' : 'SQLite'}…\n`)
  await gatehouse(['demo', '--organization', ORGANIZATION, '--spaces', String(spaces)], env, entry)
  if (databaseUrl) await settle(databaseUrl)
  const token = await gatehouse(['token', 'create', '--organization', ORGANIZATION, '--role', 'Owner'], env, entry)
  return { spaces, env, token }
}

/** By the time so much has come, PostgreSQL has looked after it by itself: here it would while we measure. */
async function settle(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('vacuum (analyze)').finally(() => client.end())
}

/** Pages of ten spaces that words and ids are taken from. */
const SAMPLES = 100

interface Space {
  id: string
  slug: string
}

/** Paths to ask: every one valid, drawn evenly from the whole estate. */
export async function pathsOf(url: string, { token, spaces }: Estate) {
  const pages = Math.ceil(spaces / 10)
  const some = Array.from({ length: SAMPLES }, (_, index) => 1 + Math.floor((index * (pages - 1)) / SAMPLES))
  const sample: Space[] = []
  for (const page of some) {
    const response = await fetch(`${url}/api/v1/spaces?limit=10&page=${page}`, {
      headers: { authorization: `Token ${token}` },
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    sample.push(...((await response.json()) as { data: Space[] }).data)
  }
  return {
    repeated: ['/api/v1/spaces?limit=10'],
    // Deep pages are as likely as early ones.
    random: Array.from(
      { length: Math.min(pages, 20_000) },
      () => `/api/v1/spaces?limit=10&page=${1 + Math.floor(Math.random() * pages)}`,
    ),
    item: sample.map(({ id }) => `/api/v1/spaces/${id}`),
    search: [...new Set(sample.map(({ slug }) => slug))]
      .filter((slug) => slug.length >= 3)
      .map((slug) => `/api/v1/spaces?limit=10&search=${encodeURIComponent(slug)}`),
    lockingSystems: ['/v1/core/locking-system?limit=10&order=name.desc.nullslast'],
  }
}

export type Paths = Awaited<ReturnType<typeof pathsOf>>
