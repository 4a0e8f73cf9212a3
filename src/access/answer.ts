import { type Decision, decide, judge } from '../core/decide/decide.ts'
import type { Companion, CredentialFact, Door, Facts, Question } from '../core/decide/facts.ts'
import type { Judgement } from '../core/decide/judgement.ts'
import { nextMoment } from '../core/decide/moments.ts'
import { sure } from '../core/typed.ts'
import { Kept } from '../db/kept/kept.ts'
import { perEngine } from '../db/kept/per-engine.ts'
import type { OrgHandle } from '../db/org.ts'
import { Bundle } from './facts.ts'
import { addSchedules, type GrantRow } from './grants.ts'
import { grouped } from './grouped.ts'
import { credentialsWhere } from './people.ts'
import { checkPin, findAllPresented, findPresented, type Presented } from './present.ts'
import { Settings } from './settings.ts'

export interface Ask {
  /** One of the three. */
  readonly individual_id?: string
  readonly credential_id?: string
  readonly credential?: Presented
  readonly access_point_id: string
  readonly at: string
  readonly direction?: 'in' | 'out'
  /** Who else stands there. */
  readonly with?: readonly string[]
  readonly assume?: readonly GrantRow[]
  /**
   * Whether whoever asks sees the holder of what is held to the reader. A card of anybody else is one that is not known
   * here.
   */
  knows?(individual: string | null): Promise<boolean>
  /** The facts as whoever asks may be told of them; it changes nothing about what is decided. */
  asSeen?(facts: Facts): Facts | Promise<Facts>
}

/** The facts of whoever stands before a door. */
interface Standing {
  readonly held: CredentialFact | undefined
  readonly individual: string | null
  readonly bundle: Bundle
  /** For which moment and later ones: what had ended by then is not in it. */
  readonly from: string
}

/** The same people come to the same doors: so many are known, as long as nothing that they were loaded from changes. */
const standings = perEngine((engine) => new Kept<Standing>(engine, { name: 'decisions', max: 4000 }))

/** Loads the facts of a question and decides it. Undefined: there is no such door under these settings. */
export async function answer(settings: Settings, ask: Ask): Promise<Decision | undefined> {
  const { held, individual, bundle } = await standingFor(settings, ask)
  const question: Question = {
    ...questionOf(ask, bundle.doors.get(ask.access_point_id)?.door),
    pin: await checkPin(settings, held, ask.credential?.pin),
  }
  const facts = bundle.factsOf(ask.access_point_id, individual, {
    ...(held ? { credential: held } : {}),
    companions: [...new Set(ask.with ?? [])].flatMap((id) => companionOf(bundle, ask, id, question)),
  })
  return facts && decide((await ask.asSeen?.(facts)) ?? facts, question)
}

/** One of many questions, such as events ask: about a holder, a card, or what a reader reads. */
export type PlainAsk = Pick<
  Ask,
  'individual_id' | 'credential_id' | 'credential' | 'access_point_id' | 'at' | 'direction'
>

export interface Answered {
  readonly decision: Decision
  readonly facts: Facts
}

/** The facts of somebody before a door, but for what follows from events; none: there is no such door. */
interface Settled {
  readonly facts: Facts | undefined
  /** For which moment and later ones. */
  readonly from: string
}

const settled = perEngine((engine) => new Kept<Settled>(engine, { name: 'event_decisions', max: 5000 }))

/**
 * The same for many at once, under the settings of now; what is not known is loaded with a fixed number of statements.
 * Left out is what follows from events themselves, and no PIN is looked at. Undefined: there is no such door.
 */
export async function answerAll(handle: OrgHandle, asks: readonly PlainAsk[]): Promise<Array<Answered | undefined>> {
  const keys = asks.map((ask) => settledKey(handle.org, ask))
  const byKey = new Map(keys.map((key, index) => [key, asks[index]]))
  const [earliest = handle.instant] = asks.map(({ at }) => at).sort()
  const load = async (own: OrgHandle, missing: Iterable<string>) =>
    loadSettled(own, new Map([...missing].map((key) => [key, sure(byKey.get(key))])), earliest)
  const known = await settled(handle.engine).getAll(handle, byKey.keys(), load)
  // Some tell of what happened before it was loaded.
  const late = keys.filter((key, index) => (known.get(key)?.from ?? '') > (asks[index]?.at ?? ''))
  const before = late.length > 0 ? await load(handle, new Set(late)) : new Map<string, Settled>()
  return asks.map((ask, index) => {
    const key = keys[index] ?? ''
    const { facts } = before.get(key) ?? known.get(key) ?? {}
    return facts && { facts, decision: decide(facts, { ...questionOf(ask, facts.door), pin: 'none' }) }
  })
}

const settledKey = (org: number, { access_point_id, individual_id, credential_id, credential }: PlainAsk): string =>
  JSON.stringify([org, access_point_id, individual_id, credential_id, credential])

async function loadSettled(
  handle: OrgHandle,
  asks: ReadonlyMap<string, PlainAsk>,
  from: string,
): Promise<Map<string, Settled>> {
  const settings = new Settings(handle, undefined, 'none')
  const list = [...asks.values()]
  const read = await findAllPresented(settings, new Set(list.flatMap(({ credential }) => credential ?? [])))
  const cardOf = ({ credential_id, credential }: PlainAsk) => credential_id ?? (credential && read.get(credential)?.id)
  const held = new Map(
    (await credentialsWhere(settings, 'id', [...new Set(list.flatMap((ask) => cardOf(ask) ?? []))])).map((card) => [
      card.id,
      card,
    ]),
  )
  const personOf = (ask: PlainAsk) => ask.individual_id ?? held.get(cardOf(ask) ?? '')?.individual_id ?? null
  const bundle = await Bundle.load(settings, {
    doors: [...new Set(list.map(({ access_point_id }) => access_point_id))],
    people: [...new Set(list.flatMap((ask) => personOf(ask) ?? []))],
    at: from,
  })
  return new Map(
    [...asks].map(([key, ask]) => {
      const credential = held.get(cardOf(ask) ?? '')
      return [
        key,
        { facts: bundle.factsOf(ask.access_point_id, personOf(ask), credential ? { credential } : {}), from },
      ]
    }),
  )
}

/** What is known is the same for all who ask; whom they may be told of is not, and is looked at each time. */
async function standingFor(settings: Settings, ask: Ask): Promise<Standing> {
  const standing = (await knownStanding(settings, ask)) ?? (await stand(settings, ask))
  const { credential, knows, ...rest } = ask
  if (!credential || !knows || !standing.held || (await knows(standing.held.individual_id))) return standing
  return stand(settings, rest)
}

/**
 * Undefined where it is about another day, an event, others too, about what does not exist, or about what is over.
 */
async function knownStanding({ handle, asOf, events }: Settings, ask: Ask): Promise<Standing | undefined> {
  const { individual_id, credential_id, credential, access_point_id, assume = [], with: others = [] } = ask
  if (asOf !== undefined || events !== 'all' || assume.length > 0 || others.length > 0) return undefined
  // A PIN by itself is no name to keep something under.
  if (credential && !credential.number) return undefined
  const presented = credential && [credential.type, credential.facility_code, credential.number]
  const key = JSON.stringify([handle.org, access_point_id, individual_id, credential_id, presented])
  const from = handle.instant
  const standing = await standings(handle.engine).get(handle, key, (own) =>
    stand(new Settings(own), { ...ask, at: from }),
  )
  return standing.from <= ask.at ? standing : undefined
}

async function stand(settings: Settings, ask: Ask): Promise<Standing> {
  const held = await credentialOf(settings, ask)
  const individual = ask.individual_id ?? held?.individual_id ?? null
  const assumed = [...(ask.assume ?? [])]
  await addSchedules(settings, assumed)
  const bundle = await Bundle.load(settings, {
    doors: [ask.access_point_id],
    people: [...new Set([...(individual === null ? [] : [individual]), ...(ask.with ?? [])])],
    at: ask.at,
    assumed: grouped(assumed, (grant) => grant.target),
  })
  return { held, individual, bundle, from: ask.at }
}

async function credentialOf(
  settings: Settings,
  { credential_id, credential }: Ask,
): Promise<CredentialFact | undefined> {
  if (credential_id !== undefined) return (await credentialsWhere(settings, 'id', [credential_id]))[0]
  return credential && findPresented(settings, credential)
}

function questionOf(ask: PlainAsk, door: Door | undefined): Omit<Question, 'pin'> {
  const { credential, at } = ask
  return {
    by: ask.individual_id === undefined ? 'credential' : 'individual',
    at,
    direction: ask.direction ?? (door?.direction === 'out' ? 'out' : 'in'),
    ...(credential
      ? {
          unknown: {
            type: credential.type,
            number: [credential.facility_code, credential.number].filter(Boolean).join('-'),
          },
        }
      : {}),
  }
}

/** What a second person lacks only for being alone is no matter: the two are there for each other. */
const MUTUAL = new Set(['second_person_required', 'no_escort', 'pin_required'])

function companionOf(bundle: Bundle, ask: Ask, id: string, question: Question): Companion[] {
  const facts = bundle.factsOf(ask.access_point_id, id)
  if (!facts?.individual) return []
  const { display_name, kind } = facts.individual
  const asked: Question = { ...question, by: 'individual', pin: 'none' }
  const alone = (at: string): Judgement => {
    const judged = judge({ ...facts, keys: [] }, asked, at)
    const obstacles = judged.obstacles.filter(({ reason }) => !MUTUAL.has(reason))
    return { ...judged, isGranted: obstacles.length === 0, obstacles }
  }
  return [{ id, display_name, kind, mayOpen: (at) => alone(at).isGranted, turnsAfter: (at) => nextMoment(alone(at)) }]
}
