import type { Engine } from '../db/engine.ts'
import { type FillResult, fillDemo, isFilled } from '../demo/fill.ts'
import { createOrganization, findOrganization } from '../identity/organizations.ts'
import { createToken } from '../identity/tokens/issue.ts'
import { CommandError, type Context, defineCommand, UsageError } from './command.ts'
import { commandLine, withDatabase } from './database.ts'
import { renewDemoUser } from './demo-user.ts'
import { tokenCommand } from './organization.ts'
import { createProgress } from './progress.ts'

export const ORGANIZATION = 'Demo'
const SEED = 1
const SPACES = 400
const MAX_SPACES = 10_000_000
const TOKEN_DAYS = 30

export const demo = defineCommand({
  name: 'demo',
  summary: 'Fills an organization with a made-up estate: places, doors, locks, keys, people, access.',
  details: `The same seed gives the same estate. It is all or nothing: one transaction, and nothing when the
organization has data already. A fill of 10,000 spaces or more rebuilds indexes; other writers wait
until it is done.`,
  positionals: [],
  options: {
    organization: {
      type: 'string',
      value: 'NAME',
      description: `The organization, made if there is none (${ORGANIZATION})`,
    },
    spaces: { type: 'string', value: 'N', description: `How many spaces; the rest grows with them (${SPACES})` },
    seed: { type: 'string', value: 'N', description: `A number that decides everything random (${SEED})` },
  },
  async run(context, { organization = ORGANIZATION, spaces, seed }) {
    const size = wholeNumber('--spaces', spaces, SPACES, 1, MAX_SPACES)
    const from = wholeNumber('--seed', seed, SEED, 0, 0xffff_ffff)
    const result = await withDatabase(context.config, (engine) => fill(context, engine, organization, size, from))
    const rows = Object.values(result.counts).reduce((sum, n) => sum + n, 0)
    context.say(`Filled "${organization}" with ${result.counts.spaces} spaces, ${rows} rows in all. A token for it:
  ${tokenCommand(organization)}`)
    return undefined
  },
})

/** For `serve --demo`: fills the organization the first time, and leaves it alone ever after. */
export async function fillDemoOnce(context: Context, engine: Engine): Promise<void> {
  const organization = await findOrganization(engine, ORGANIZATION)
  if (organization && (await isFilled(engine, organization.key))) return
  await fill(context, engine, ORGANIZATION, SPACES, SEED)
}

/** A token is shown once only, so every start with --demo makes a fresh one. */
export async function announceDemo(
  { clock, say }: Context,
  engine: Engine,
  { address, baseUrl }: { address: string; baseUrl: string },
): Promise<void> {
  const now = clock.now()
  const expires = new Date(Date.parse(now) + TOKEN_DAYS * 86_400_000).toISOString()
  const { value } = await createToken(engine, now, commandLine, {
    organization: ORGANIZATION,
    role: 'Owner',
    name: 'Demo',
    expires,
  })
  const organization = await findOrganization(engine, ORGANIZATION)
  if (!organization) throw new CommandError(`The organization "${ORGANIZATION}" is gone.`)
  const login = await renewDemoUser(engine, organization.key, now)
  say(`The organization "${ORGANIZATION}" is there to play with. A token for it, valid for ${TOKEN_DAYS} days:
  ${value}
Try:
  curl -s -H 'Authorization: Token ${value}' '${address}/api/v1/spaces?limit=2'
A login for the portal at ${baseUrl}, with a password for this start (the next start with --demo makes another):
  ${login.email}  ${login.password}`)
}

async function fill(context: Context, engine: Engine, name: string, spaces: number, seed: number): Promise<FillResult> {
  const now = context.clock.now()
  const organization =
    (await findOrganization(engine, name)) ??
    (await createOrganization(engine, now, commandLine, name, 'Europe/Zurich'))
  if (await isFilled(engine, organization.key)) {
    throw new CommandError(
      `The organization "${name}" has data already; nothing was changed. Name another with --organization.`,
    )
  }
  const progress = createProgress(context)
  const result = await fillDemo(engine, organization.key, now, commandLine, { spaces, seed, onProgress: progress.show })
  progress.end()
  return result
}

function wholeNumber(
  option: string,
  text: string | undefined,
  fallback: number,
  minimum: number,
  maximum: number,
): number {
  if (text === undefined) return fallback
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= minimum && value <= maximum))
    throw new UsageError(`${option} must be a whole number from ${minimum} to ${maximum}.`)
  return value
}
