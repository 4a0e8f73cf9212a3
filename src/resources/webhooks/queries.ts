import { AppError, invalid } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import { newWebhookSecret } from '../../core/secrets/webhook-signature.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow } from '../../db/resource.ts'
import { type Resources, resourcesOf } from '../../db/resources.ts'
import { createRow, type Made, updateRow } from '../../db/rows.ts'
import { seal, unseal } from '../../db/sealing.ts'
import { sql } from '../../db/sql.ts'
import { canHave, checkCursor, typeHint } from '../../live/feed.ts'
import { allFeeds } from '../../live/feeds.ts'
import type { FeedName } from '../../live/news.ts'
import type { Policy } from '../../net/policy.ts'
import { type Webhook, webhooks } from './schema.ts'

/** How long a secret that was replaced is still signed with. */
const BOTH_VALID_MS = 24 * 3_600_000
/** So many that were replaced sign along at most: each is a part of every message. */
const REPLACED = 5
const PATTERN = /^[a-z*][a-z0-9_.*-]*$/

/** A sealed secret opens in its own row only. */
const contextOf = (id: string): string => `webhook ${id}`

type Prepare = (tx: Tx, next: Webhook, current: Webhook | undefined) => Promise<AnyRow | undefined>

/**
 * Whoever says where it sends what, or wakes it, is who it sends for: nobody has others' rights send to an address of
 * their own.
 */
export const prepareWebhook =
  (policy: Policy): Prepare =>
  async (tx, next, current) => {
    const url = checkedUrl(next.url)
    const hasOtherTypes = JSON.stringify(next.types) !== JSON.stringify(current?.types)
    // Those that it has may be from before: it can be disabled all the same.
    if (hasOtherTypes) checkTypes(resourcesOf(tx.engine), next.types)
    const isElsewhere = next.url !== current?.url
    const isWoken = next.status === 'active' && current?.status === 'disabled'
    if (!isElsewhere && !hasOtherTypes && !isWoken) return undefined
    if (isElsewhere || isWoken) checkReach(policy, url)
    Object.assign(next, ownerOf(tx))
    if (isWoken) await checkSecret(tx, next.id)
    // What failed at the address of before says nothing of this one.
    if (isWoken || (current && isElsewhere)) await forgetFailures(tx, next.id)
    return { ...ownerOf(tx), ...(isWoken ? { disabled_reason: null } : {}) }
  }

const ownerOf = ({ actor: { kind, id } }: Tx): Pick<Webhook, 'user_id' | 'service_user_id'> => ({
  user_id: kind === 'user' ? id : null,
  service_user_id: kind === 'service_user' ? id : null,
})

function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isGood = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === ''
  if (!isGood)
    throw invalid(
      'url',
      'webhook.url',
      'url: an address with https:// is expected, without a name and password in it and without "#"',
    )
  return url
}

/**
 * What could never arrive is told at once, not after three days of attempts; what a name stands for is looked up at
 * each.
 */
function checkReach(policy: Policy, url: URL): void {
  const obstacle = policy.findObstacle(url)
  if (obstacle !== undefined) throw invalid('url', 'webhook.unreachable', `url: ${obstacle}`)
}

/** A type that nothing has would never be sent, and nobody would notice. */
function checkTypes(resources: Resources, types: readonly string[]): void {
  const odd = types.find((type) => !PATTERN.test(type) || !allFeeds.some((feed) => canHave(feed, resources, type)))
  if (odd !== undefined)
    throw invalid(
      'types',
      'webhook.types',
      `types: nothing has the type ${odd}${typeHint(allFeeds, resources, odd)}; expected a noun and a verb ` +
        'such as access-grant.created, with * for any characters',
    )
}

export const createWebhook =
  (prepare: Prepare) =>
  async (tx: Tx, body: AnyRow, scope: Scope): Promise<Made> => {
    const row = await createRow(tx, webhooks, body, scope, { prepare })
    const secret = await beginSending(tx, row.id)
    return {
      row: { ...row, failure_count: 0 },
      secret: { secret },
      msg: 'Created webhook; its secret is shown this once',
    }
  }

/** Its place in every feed is where that is now: it sends what comes. */
export async function beginSending(tx: Tx, id: string): Promise<string> {
  const secret = newWebhookSecret()
  await tx.update('webhooks', id, { secret: await seal(tx, secret, contextOf(id)) })
  const cursors = Object.fromEntries(
    await Promise.all(allFeeds.map(async (feed) => [feed.name, (await feed.bounds(tx)).last])),
  )
  await tx.aside(sql`insert into webhook_states (org, webhook_id, cursors, generation, failure_count, next_at)
    values (:org, ${id}, ${JSON.stringify(cursors)}, 0, 0, ${tx.now})`)
  return secret
}

export async function rotateSecret(tx: Tx, webhook: Webhook): Promise<{ row: AnyRow; secret: string }> {
  const secret = newWebhookSecret()
  const stored = await secretsIn(tx, webhook.id)
  const until = new Date(Date.parse(tx.now) + BOTH_VALID_MS).toISOString()
  const before = replacedIn(stored, tx.now)
  const oldest = before[REPLACED - 1]
  if (oldest)
    throw new AppError(
      'INVALID_STATE',
      `The secret was rotated ${REPLACED} times within a day, and each that was replaced stays valid for one: rotate ` +
        `it again after ${oldest.until}`,
      { reason: 'webhook.rotated_often' },
    )
  const replaced = stored?.secret ? [{ secret: stored.secret, until }, ...before] : before
  const row = await updateRow(tx, webhooks, webhook, {}, 'secret_rotated')
  await tx.update('webhooks', webhook.id, {
    secret: await seal(tx, secret, contextOf(webhook.id)),
    previous_secret: replaced.length > 0 ? JSON.stringify(replaced) : null,
    previous_until: until,
  })
  return { row, secret }
}

interface Secrets {
  secret: string | null
  previous_secret: string | null
  previous_until: string | null
}

const secretsIn = (handle: OrgHandle, id: string): Promise<Secrets | undefined> =>
  handle.one<Secrets>(
    sql`select t.secret, t.previous_secret, t.previous_until from webhooks t where t.org = :org and t.id = ${id}`,
  )

interface Replaced {
  /** Sealed. */
  readonly secret: string
  readonly until: string
}

/** Those that were replaced and are valid still, the newest first. An earlier version kept one, as it is. */
function replacedIn(stored: Secrets | undefined, now: string): Replaced[] {
  const { previous_secret: text = null, previous_until: until = null } = stored ?? {}
  if (text === null || until === null) return []
  const all: Replaced[] = text.startsWith('[') ? JSON.parse(text) : [{ secret: text, until }]
  return all.filter((one) => one.until > now)
}

/** Those that sign now, the newest first. */
export async function secretsOf(handle: OrgHandle, id: string): Promise<string[]> {
  const stored = await secretsIn(handle, id)
  const sealed = [stored?.secret, ...replacedIn(stored, handle.instant).map(({ secret }) => secret)]
  return sealed.flatMap((value) => (value == null ? [] : [unseal(handle, value, contextOf(id))]))
}

/** Its secret may have gone with a key that was lost: what it would send nobody could verify. */
async function checkSecret(tx: Tx, id: string): Promise<void> {
  if ((await secretsIn(tx, id))?.secret == null)
    throw new AppError(
      'INVALID_STATE',
      'The webhook has no secret any more: rotate its secret first, then make it active',
      {
        reason: 'webhook.no_secret',
      },
    )
}

/** Failures of before do not count: it is tried at once. */
async function forgetFailures(tx: Tx, id: string): Promise<void> {
  await tx.aside(sql`update webhook_states as t set failure_count = 0, failing_since = null, next_at = ${tx.now},
    generation = t.generation + 1
    where t.org = :org and t.webhook_id = ${id}`)
}

/** Those that it may send something of, by its types. */
function feedsOf(tx: Tx, { types }: Webhook) {
  const resources = resourcesOf(tx.engine)
  return allFeeds.filter((feed) => types.some((type) => canHave(feed, resources, type)))
}

/**
 * Gives the feed: the one that is named, else the first that it sends of. What would send nothing is refused, not
 * begun.
 */
export async function replayFrom(
  tx: Tx,
  webhook: Webhook,
  named: string | undefined,
  after: number,
): Promise<FeedName> {
  if (webhook.status !== 'active')
    throw new AppError('INVALID_STATE', 'The webhook is disabled and sends nothing: make it active first', {
      reason: 'webhook.disabled',
    })
  const sent = feedsOf(tx, webhook)
  const feed = named === undefined ? sent[0] : sent.find((one) => one.name === named)
  if (!feed)
    throw invalid(
      'feed',
      'webhook.feed',
      `feed: by its types this webhook sends of ${sent.map((one) => one.name).join(' and ') || 'none'}`,
    )
  const { name } = feed
  const bounds = await feed.bounds(tx)
  // Whoever may not read the feed learns nothing of where it begins and ends, not even by trying: beyond that nothing
  // is sent again.
  if (tx.actor.rights?.can(feed.permission) ?? true) checkCursor(after, bounds)
  const row = await tx.one<{ cursors: string | Record<string, number> }>(
    sql`select t.cursors from webhook_states t where t.org = :org and t.webhook_id = ${webhook.id}`,
  )
  const cursors = {
    ...(typeof row?.cursors === 'string' ? JSON.parse(row.cursors) : row?.cursors),
    [name]: Math.min(Math.max(after, bounds.first - 1), bounds.last),
  }
  await tx.aside(sql`update webhook_states as t set cursors = ${JSON.stringify(cursors)}, generation = t.generation + 1,
    next_at = ${tx.now}
    where t.org = :org and t.webhook_id = ${webhook.id}`)
  tx.event({
    action: 'webhook.replayed',
    resource: webhooks.noun,
    resourceId: webhook.id,
    before: null,
    after: { ...webhook, feed: name, after },
  })
  return name
}
