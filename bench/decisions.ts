import { join } from 'node:path'
import { Bundle } from '../src/access/facts.ts'
import { Settings } from '../src/access/settings.ts'
import { decide } from '../src/core/decide/decide.ts'
import { OrgHandle } from '../src/db/org.ts'
import { openSqlite } from '../src/db/sqlite/sqlite.ts'
import { findOrganization } from '../src/identity/organizations.ts'
import { type Server, serveGatehouse } from '../test/support/processes.ts'
import { type Crowd, makeCrowd, ORGANIZATION } from './crowd.ts'
import { load, median } from './load/load.ts'
import { startBare } from './load/reference.ts'
import { ask, type Call, type Watched, watch } from './load/watched.ts'
import type { Claim } from './report.ts'

const ROUNDS = 3
const CONNECTIONS = 16
const REPEATS = 15
/** Questions that are asked over and over: the people and doors of a busy hour. */
const HOUR = 1000
const DECISIONS = '/api/v1/access-decisions'

/** Who may open what, among so many people and among a tenth of them. */
export async function benchDecisions(people: number, seconds: number, scratch: string): Promise<Claim[]> {
  const small = await benchCrowd(await makeCrowd(scratch, people / 10), seconds, scratch)
  const large = await benchCrowd(await makeCrowd(scratch, people), seconds, scratch)
  return large.map((claim, index) => {
    const before = small[index]?.value ?? Number.NaN
    const growth = `${(claim.value / before).toFixed(2)} times what it is with a tenth of them, ${before.toFixed(2)}`
    return { ...claim, detail: [claim.detail, growth].filter(Boolean).join('; ') }
  })
}

async function benchCrowd(crowd: Crowd, seconds: number, scratch: string): Promise<Claim[]> {
  const itself = await decideItself(crowd)
  const server = await serveGatehouse(crowd.env)
  try {
    return [
      itself,
      await byHttp(server, crowd, seconds, scratch),
      await neverAsked(server, crowd),
      ...(await afterChanges(server, crowd)),
      ...(await firstPages(server, crowd)),
      ...(await dryRuns(server, crowd)),
    ]
  } finally {
    await server.stop()
  }
}

/** Evenly over all: with steps that share no divisor with the counts. */
const pairOf = ({ individuals, accessPoints, cards }: Crowd, index: number) => ({
  individual_id: individuals[(index * 7919) % individuals.length] as string,
  access_point_id: accessPoints[(index * 6871) % accessPoints.length] as string,
  card: cards[(index * 7919) % cards.length] as string,
})

/** Every other question names the person, the others the card that was held to the reader. */
function questionOf(crowd: Crowd, index: number) {
  const { individual_id, access_point_id, card } = pairOf(crowd, index)
  return index % 2 === 0
    ? { individual_id, access_point_id }
    : { credential: { type: 'card', number: card }, access_point_id }
}

async function decideItself(crowd: Crowd): Promise<Claim> {
  const engine = openSqlite(join(crowd.env.DATA_DIR as string, 'gatehouse.db'))
  const now = new Date().toISOString()
  const handle = new OrgHandle(engine, (await findOrganization(engine, ORGANIZATION))?.key ?? 0, now)
  const facts = []
  for (let index = 0; index < HOUR; index++) {
    const { individual_id, access_point_id } = pairOf(crowd, index)
    const bundle = await Bundle.load(new Settings(handle), {
      doors: [access_point_id],
      people: [individual_id],
      at: now,
    })
    facts.push(bundle.factsOf(access_point_id, individual_id))
  }
  await engine.close()
  const times: number[] = []
  for (let round = 0; round < 20; round++) {
    const started = performance.now()
    for (const one of facts) if (one) decide(one, { by: 'individual', at: now, direction: 'in', pin: 'none' })
    times.push(((performance.now() - started) / facts.length) * 1000)
  }
  return { name: 'decide() itself', value: median(times), unit: 'µs', atMost: 50 }
}

async function byHttp(server: Server, crowd: Crowd, seconds: number, scratch: string): Promise<Claim> {
  const bodies = Array.from({ length: HOUR }, (_, index) => questionOf(crowd, index))
  const reference = await startBare(server, crowd.token, DECISIONS, scratch, bodies[0])
  const asked = { token: crowd.token, paths: [DECISIONS], bodies, connections: CONNECTIONS }
  const ours: number[] = []
  const theirs: number[] = []
  // The first time each is loaded, the second time looked at: that counts below, as a question never asked before.
  await load({ ...asked, url: server.url, seconds: 6 }, scratch)
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push((await load({ ...asked, url: reference.url, seconds }, scratch)).perSecond)
    const result = await load({ ...asked, url: server.url, seconds }, scratch)
    if (result.failed > 0) throw new Error(`${result.failed} decisions failed`)
    ours.push(result.perSecond)
  }
  await reference.stop()
  return {
    name: `POST ${DECISIONS}, ${HOUR} questions in turn`,
    value: median(ours) / median(theirs),
    unit: 'of bare node:http',
    atLeast: 0.4,
    detail: `${Math.round(median(ours))}/s against ${Math.round(median(theirs))}/s`,
  }
}

const decision = (body: object): Call => ({ method: 'POST', path: DECISIONS, route: DECISIONS, body })

async function neverAsked(server: Server, crowd: Crowd): Promise<Claim> {
  const found: Watched[] = []
  for (let index = 0; index < 4 * REPEATS; index++)
    found.push(await watch(server, crowd.token, decision(questionOf(crowd, HOUR + index))))
  return {
    name: 'A question never asked before',
    value: median(found.map(({ ms }) => ms)),
    unit: 'ms',
    detail: cpu(found),
  }
}

/** The first decision after each kind of change; the slowest kind counts. */
async function afterChanges(server: Server, crowd: Crowd): Promise<Claim[]> {
  const { building, group, token } = crowd
  const changes: Array<[string, (round: number, asked: ReturnType<typeof pairOf>) => Omit<Call, 'route'>]> = [
    [
      'the person',
      (round, { individual_id }) => ({
        method: 'PATCH',
        path: `/api/v1/individuals/${individual_id}`,
        body: { family_name: `Round ${round}`, display_name: `Ada Round ${round}` },
      }),
    ],
    [
      'the door',
      (round, { access_point_id }) => ({
        method: 'PATCH',
        path: `/api/v1/access-points/${access_point_id}`,
        body: { name: `Door of round ${round}` },
      }),
    ],
    [
      'a building',
      (round) => ({
        method: 'PATCH',
        path: `/api/v1/buildings/${building}`,
        body: { name: `House of round ${round}` },
      }),
    ],
    [
      "somebody else's membership",
      (round) => ({
        method: 'POST',
        path: `/api/v1/access-groups/${group}/members`,
        body: { individual_id: crowd.individuals[round * 10 + 1] },
      }),
    ],
    [
      'the grants on the door',
      (_, { access_point_id }) => ({
        method: 'POST',
        path: '/api/v1/access-grants',
        body: { access_group_id: group, access_point_id },
      }),
    ],
  ]
  const claims: Claim[] = []
  for (const [name, change] of changes) {
    const found: Watched[] = []
    for (let round = 0; round < REPEATS; round++) {
      await ask(server, token, change(round, pairOf(crowd, round)))
      found.push(await watch(server, token, decision(questionOf(crowd, round))))
    }
    claims.push({ name: `The first decision after a change of ${name}`, ...timed(found), atMost: 5 })
  }
  return claims
}

/** First pages that nobody has in memory: after a person came each. */
async function firstPages(server: Server, { token, busiestDoor, guard }: Crowd): Promise<Claim[]> {
  const pages: Array<[string, string, string]> = [
    [
      'who-can-open of the busiest door',
      `/api/v1/access-points/${busiestDoor}/who-can-open`,
      '/api/v1/access-points/:id/who-can-open',
    ],
    [
      'can-open of somebody who opens every door',
      `/api/v1/individuals/${guard}/can-open`,
      '/api/v1/individuals/:id/can-open',
    ],
  ]
  const claims: Claim[] = []
  for (const [name, path, route] of pages) {
    const found: Watched[] = []
    for (let round = 0; round < REPEATS; round++) {
      await ask(server, token, {
        method: 'POST',
        path: '/api/v1/individuals',
        body: { display_name: `${name} ${round}` },
      })
      found.push(await watch(server, token, { method: 'GET', path, route }))
    }
    const { meta } = (found[0] as Watched).body as { meta: { pagination: { total: number } } }
    const { detail, ...rest } = timed(found)
    claims.push({
      name: `The first page of ${name}`,
      ...rest,
      atMost: 20,
      detail: `${meta.pagination.total} rows in all; ${detail}`,
    })
  }
  return claims
}

async function dryRuns(server: Server, { token, group, building }: Crowd): Promise<Claim[]> {
  const route = '/api/v1/access-grants'
  const body = { access_group_id: group, building_id: building }
  const found: Watched[] = []
  for (let round = 0; round < REPEATS; round++)
    found.push(await watch(server, token, { method: 'POST', path: `${route}?dry_run=true`, route, body }))
  const { meta } = (found[0] as Watched).body as { meta: { access: { gained: { people: number; doors: number } } } }
  const { people, doors } = meta.access.gained
  const { detail, ...rest } = timed(found)
  return [
    {
      name: 'A dry run of a grant on a building',
      ...rest,
      atMost: 300,
      detail: `${people} people gain ${doors} doors; ${detail}`,
    },
    {
      name: 'The longest stall of the loop meanwhile',
      value: median(found.map(({ stallMs }) => stallMs)),
      unit: 'ms',
      atMost: 50,
    },
  ]
}

const timed = (found: readonly Watched[]) => ({
  value: median(found.map(({ ms }) => ms)),
  unit: 'ms',
  detail: cpu(found),
})

const cpu = (found: readonly Watched[]): string =>
  `${median(found.map(({ cpuMs }) => cpuMs)).toFixed(1)} ms of CPU, ` +
  `at most ${Math.max(...found.map(({ ms }) => ms)).toFixed(1)} ms`
