import { describe, expect, it } from 'vitest'
import { actor, openEngine } from '../../test/support/app.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { change } from '../db/change.ts'
import { sql } from '../db/sql.ts'
import { createOrganization } from '../identity/organizations.ts'
import { type FeedName, newsOf } from './news.ts'

const now = '2027-06-15T12:00:00.000Z'
const { engine, open, drop } = await openEngine()
const there = await open()
atEnd(async () => {
  await engine.close()
  await there.close()
  await drop()
})
const { key: org } = await createOrganization(engine, now, actor, 'Here')
const { key: other } = await createOrganization(engine, now, actor, 'Elsewhere')

const listening = (on: typeof engine, of: number, feed: FeedName) => {
  const heard = { times: 0 }
  const stop = newsOf(on).listen(of, feed, () => {
    heard.times += 1
  })
  return { heard, stop }
}

const changeSomething = () =>
  change(engine, org, now, actor, async (tx) => {
    await tx.run(sql`update locations as t set name = t.name where t.org = :org`)
    tx.record({ action: 'organization.updated', resource: 'organization', resourceId: null, before: null, after: null })
  })

describe('news', () => {
  it('of this process is heard at once, by those who listen to it and nobody else', () => {
    const own = listening(engine, org, 'access-events')
    const foreign = listening(engine, other, 'access-events')
    const another = listening(engine, org, 'changes')
    newsOf(engine).told(org, 'access-events')
    expect([own.heard.times, foreign.heard.times, another.heard.times]).toEqual([1, 0, 0])
    own.stop()
    newsOf(engine).told(org, 'access-events')
    expect(own.heard.times).toBe(1)
    foreign.stop()
    another.stop()
  })

  it('of a change is told by the change itself, here and in every other process', async () => {
    const here = listening(engine, org, 'changes')
    const away = listening(there, org, 'changes')
    await changeSomething()
    expect(here.heard.times).toBeGreaterThan(0)
    await expect.poll(() => away.heard.times).toBeGreaterThan(0)
    here.stop()
    away.stop()
  })

  it('of what was written past change() reaches every other process', async () => {
    const away = listening(there, org, 'access-events')
    await engine.transaction((session) =>
      session.run('update organizations set changed_at = $1 where key = $2', ['2027-06-15T12:00:01.000Z', org]),
    )
    newsOf(engine).told(org, 'access-events')
    await expect.poll(() => away.heard.times).toBeGreaterThan(0)
    away.stop()
  })

  it('nobody listens any more: nothing is heard', async () => {
    const { heard, stop } = listening(there, org, 'changes')
    stop()
    stop()
    await changeSomething()
    const last = listening(there, org, 'changes')
    await changeSomething()
    await expect.poll(() => last.heard.times).toBeGreaterThan(0)
    expect(heard.times).toBe(0)
    last.stop()
  })
})
