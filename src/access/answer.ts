import { type Decision, decide } from '../core/decide/decide.ts'
import type { Companion, CredentialFact, Question } from '../core/decide/facts.ts'
import { Bundle } from './facts.ts'
import { addSchedules, type GrantRow } from './grants.ts'
import { grouped } from './grouped.ts'
import { credentialsWhere } from './people.ts'
import { checkPin, findPresented, type Presented } from './present.ts'
import type { Settings } from './settings.ts'

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
}

/** Loads the facts of a question and decides it. Undefined: there is no such door under these settings. */
export async function answer(settings: Settings, ask: Ask): Promise<Decision | undefined> {
  const held = await credentialOf(settings, ask)
  const individual = ask.individual_id ?? held?.individual_id ?? null
  const assumed = [...(ask.assume ?? [])]
  await addSchedules(settings, assumed)
  const companions = [...new Set(ask.with ?? [])]
  const bundle = await Bundle.load(settings, {
    doors: [ask.access_point_id],
    people: [...(individual === null ? [] : [individual]), ...companions],
    at: ask.at,
    assumed: grouped(assumed, (grant) => grant.target),
  })
  const question = await questionOf(settings, ask, held, bundle)
  const facts = bundle.factsOf(ask.access_point_id, individual, {
    ...(held ? { credential: held } : {}),
    companions: companions.flatMap((id) => companionOf(bundle, ask, id, question)),
  })
  return facts && decide(facts, question)
}

async function credentialOf(settings: Settings, { credential_id, credential }: Ask): Promise<CredentialFact | undefined> {
  if (credential_id !== undefined) return (await credentialsWhere(settings, 'id', [credential_id]))[0]
  return credential && findPresented(settings, credential)
}

async function questionOf(settings: Settings, ask: Ask, held: CredentialFact | undefined, bundle: Bundle): Promise<Question> {
  const { credential, access_point_id, at } = ask
  const door = bundle.doors.get(access_point_id)?.door
  return {
    by: ask.individual_id === undefined ? 'credential' : 'individual',
    at,
    direction: ask.direction ?? (door?.direction === 'out' ? 'out' : 'in'),
    pin: await checkPin(settings, held, credential?.pin),
    ...(credential ? { unknown: [credential.facility_code, credential.number].filter(Boolean).join('-') || credential.type } : {}),
  }
}

/** What a second person lacks only for being alone is no matter: the two are there for each other. */
const MUTUAL = new Set(['second_person_required', 'no_escort', 'pin_required'])

function companionOf(bundle: Bundle, ask: Ask, id: string, question: Question): Companion[] {
  const facts = bundle.factsOf(ask.access_point_id, id)
  if (!facts?.individual) return []
  const { obstacles } = decide({ ...facts, keys: [] }, { ...question, by: 'individual', pin: 'none' })
  const { display_name, kind } = facts.individual
  return [{ id, display_name, kind, may_open: obstacles.every(({ reason }) => MUTUAL.has(reason)) }]
}
