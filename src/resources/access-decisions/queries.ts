import { type Ask, answer } from '../../access/answer.ts'
import { settingsAt } from '../../access/as-of.ts'
import type { GrantRow } from '../../access/grants.ts'
import type { Decision } from '../../core/decide/decide.ts'
import { invalid } from '../../core/errors.ts'
import type { Rights, Scope } from '../../core/rights.ts'
import { instantIn } from '../../core/time/instant.ts'
import { checkWindow } from '../../core/time/window.ts'
import { isKeyOf } from '../../core/typed.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { Resource } from '../../db/resource.ts'
import { resourcesOf } from '../../db/resources.ts'
import { isSeen } from '../../db/rows.ts'
import { noSuch } from '../../db/scope.ts'
import { accessGrants } from '../access-grants/schema.ts'
import { accessPoints } from '../access-points/schema.ts'
import { credentials } from '../credentials/schema.ts'
import { individuals } from '../individuals/schema.ts'
import type { AccessQuestion } from './schema.ts'
import { asSeenBy } from './sight.ts'

type Assumed = NonNullable<AccessQuestion['assume']>[number]

/** Where they may ask about doors, and what else they may. */
export interface Asker {
  scope: Scope
  rights: Rights
}

/** A PIN that was changed is gone: nothing keeps what it was, so nothing can tell whether it was right then. */
export function refusePinThen({ credential, as_of }: AccessQuestion): void {
  if (!credential?.pin || as_of === undefined) return
  const text =
    'credential.pin: PINs of earlier are not kept, so as_of cannot check one; ask by individual_id, credential_id or ' +
    'number'
  throw invalid('credential.pin', 'as_of.pin', text)
}

/** Decides one question for a caller who may ask about the doors of these places. */
export async function decideQuestion(handle: OrgHandle, question: AccessQuestion, asker: Asker): Promise<Decision> {
  const { scope, rights } = asker
  const clock = normal('at', question.at)
  const settings = await settingsAt(handle, normal('as_of', question.as_of))
  const isNow = settings.asOf === undefined
  // Whoever sees everything is told by the answer what is not there: that takes no statement.
  if (scope !== 'all' || !isAboutOne(question)) {
    await refer(handle, accessPoints, 'access_point_id', question.access_point_id, scope)
    await refer(handle, individuals, 'individual_id', question.individual_id, scope)
    await refer(handle, credentials, 'credential_id', question.credential_id, scope)
  }
  for (const [index, id] of (question.with ?? []).entries())
    await refer(handle, individuals, `with[${index}]`, id, scope, isNow)
  const assumedGrants = await Promise.all(
    (question.assume ?? []).map((grant, index) => assumed(handle, grant, index, scope)),
  )
  checkWho(question)
  const { assume: _, as_of: __, at: ___, ...rest } = question
  const ask: Ask = {
    ...withIdsAsKept(rest),
    at: clock ?? settings.asOf ?? handle.now,
    assume: assumedGrants,
    ...(isAllSeen(rights) ? {} : { asSeen: (facts) => asSeenBy(handle, rights, facts) }),
    ...(scope === 'all' ? {} : { knows: async (id) => id !== null && isSeen(handle, individuals, id, scope) }),
  }
  const decision = await answer(settings, ask)
  if (!decision) throw noSuch('access_point_id', accessPoints, question.access_point_id, scope)
  // Under the settings of another day there may be nobody, and nothing, by that name yet.
  if (isNow) refuseUnknown(question, decision, scope)
  return decision
}

function refuseUnknown(
  { individual_id, credential_id }: AccessQuestion,
  { case: { facts } }: Decision,
  scope: Scope,
): void {
  if (individual_id !== undefined && !facts.individual) throw noSuch('individual_id', individuals, individual_id, scope)
  if (credential_id !== undefined && facts.credentials.length === 0)
    throw noSuch('credential_id', credentials, credential_id, scope)
}

/** Ids are kept in lower case, and known by that. */
function withIdsAsKept<Q extends Pick<AccessQuestion, 'access_point_id' | 'individual_id' | 'credential_id' | 'with'>>(
  question: Q,
): Q {
  const { access_point_id, individual_id, credential_id, with: others } = question
  return {
    ...question,
    access_point_id: access_point_id.toLowerCase(),
    ...(individual_id === undefined ? {} : { individual_id: individual_id.toLowerCase() }),
    ...(credential_id === undefined ? {} : { credential_id: credential_id.toLowerCase() }),
    ...(others === undefined ? {} : { with: others.map((id) => id.toLowerCase()) }),
  }
}

const isAllSeen = (rights: Rights): boolean =>
  rights.scopeOf('credentials:read') === 'all' && rights.scopeOf('keys:read') === 'all'

const normal = (path: string, instant: string | null | undefined): string | undefined =>
  instant === undefined || instant === null ? undefined : instantIn(path, instant)

const isAboutOne = ({ individual_id, credential_id, credential }: AccessQuestion): boolean =>
  [individual_id, credential_id, credential].filter((one) => one !== undefined).length === 1

function checkWho(question: AccessQuestion): void {
  if (!isAboutOne(question))
    throw invalid(
      'individual_id',
      'decision.who',
      'Say who asks by exactly one of individual_id, credential_id and credential',
    )
  const { credential } = question
  if (!credential || credential.number || (credential.type === 'pin' && credential.pin)) return
  const missing = credential.type === 'pin' ? 'pin' : 'number'
  throw invalid(
    `credential.${missing}`,
    'body.required',
    `credential.${missing} is required: what the reader read of a ${credential.type}`,
  )
}

/** A reference to what the caller may not see is one to nothing. */
async function refer(
  handle: OrgHandle,
  resource: Resource,
  path: string,
  id: string | null | undefined,
  scope: Scope,
  mustBe = true,
): Promise<void> {
  if (id === undefined || id === null) return
  if (!(await isSeen(handle, resource, id, scope)) && (mustBe || scope !== 'all'))
    throw noSuch(path, resource, id, scope)
}

const TARGETS = ['access_point_id', 'space_id', 'building_id', 'location_id'] as const
const SUBJECTS = ['individual_id', 'access_group_id'] as const

/** A grant that does not exist, as one that does: what it refers to must be there. */
async function assumed(handle: OrgHandle, grant: Assumed, index: number, scope: Scope): Promise<GrantRow> {
  const path = `assume[${index}]`
  for (const [name, { spec }] of Object.entries(accessGrants.fields)) {
    const resource = spec.references === undefined ? undefined : resourcesOf(handle.engine).of(spec.references)
    const id = isKeyOf(grant, name) ? grant[name] : undefined
    if (resource && typeof id === 'string') await refer(handle, resource, `${path}.${name}`, id, scope)
  }
  const target = only(grant, TARGETS, path, 'grant.target')
  only(grant, SUBJECTS, path, 'grant.subject')
  const window = {
    valid_from: normal(`${path}.valid_from`, grant.valid_from) ?? null,
    valid_until: normal(`${path}.valid_until`, grant.valid_until) ?? null,
  }
  checkWindow(window)
  return {
    id: `assumed ${index}`,
    effect: grant.effect ?? 'allow',
    individual_id: grant.individual_id ?? null,
    access_group_id: grant.access_group_id ?? null,
    target,
    schedule_id: grant.schedule_id ?? null,
    ...window,
    revoked_at: null,
    requires_pin: grant.requires_pin ?? false,
    requires_second_person: grant.requires_second_person ?? false,
    during_lockdown: grant.during_lockdown ?? false,
    is_assumed: true,
    schedule: null,
  }
}

/** The one of these that is given. */
function only(grant: Assumed, names: readonly (keyof Assumed)[], path: string, reason: string): string {
  const [one, another] = names.flatMap((name) => grant[name] ?? [])
  if (typeof one !== 'string' || another !== undefined)
    throw invalid(path, reason, `${path}: give exactly one of ${names.join(', ')}`)
  return one.toLowerCase()
}
