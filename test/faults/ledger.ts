import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Answer, type Caller, NoAnswer } from './caller.ts'
import type { Site } from './site.ts'

const PATCHED = 'Changed street 1'

interface LocationRow {
  id: string
  name: string
  address: string | null
  version: number
}

/** What callers asked for and what they were told, to be held against what is in the database. */
export class Ledger {
  /** Acknowledged creations: name and id. */
  readonly created = new Map<string, string>()
  /** Acknowledged changes, by name. */
  readonly changed = new Set<string>()
  /** Creations that were asked for and not acknowledged. */
  readonly open = new Set<string>()
  /** Every status that was answered, and how often. */
  readonly statuses: Record<number, number> = {}
  /** Refusals that were not in order: 503 must say when to try again. */
  readonly faults: string[] = []
  /** Requests that got no answer at all. */
  unanswered = 0

  /** Creates a location and changes it. False: it was not acknowledged. */
  async write(caller: Caller, name: string): Promise<boolean> {
    this.open.add(name)
    const made = await this.note(caller.create('/api/v1/locations', { name }, name))
    if (made?.status !== 201) return false
    this.open.delete(name)
    this.created.set(name, made.body.data.id)
    const patch = await this.note(caller.call('PATCH', `/api/v1/locations/${made.body.data.id}`, { address: PATCHED }))
    if (patch?.status === 200) this.changed.add(name)
    return true
  }

  /** Counts an answer; undefined when there was none. */
  async note(asked: Promise<Answer>): Promise<Answer | undefined> {
    try {
      const answer = await asked
      this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1
      if (answer.status === 503 && answer.headers['retry-after'] === undefined)
        this.faults.push('503 without Retry-After')
      if (answer.status >= 400 && answer.body?.error?.req_id === undefined)
        this.faults.push(`not our body: ${JSON.stringify(answer.body)}`)
      if (answer.status === 500) this.faults.push(`500: ${JSON.stringify(answer.body)}`)
      return answer
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      this.unanswered += 1
      return undefined
    }
  }

  /** Asks again, with the same key, for everything that was not acknowledged; and once more for something that was. */
  async settle(caller: Caller): Promise<void> {
    for (const name of [...this.open]) {
      for (let tries = 0; tries < 50 && this.open.has(name); tries++) {
        if (!(await this.write(caller, name))) await delay(100)
      }
    }
    expect([...this.open], 'creations that never succeeded').toEqual([])
    for (const [name, id] of [...this.created].slice(-3)) {
      const again = await caller.create('/api/v1/locations', { name }, name)
      expect([again.status, again.body.data.id]).toEqual([201, id])
    }
  }

  /** Everything acknowledged is there exactly once, everything there is in the audit log, and the log is intact. */
  async expectKept(site: Site): Promise<void> {
    await site.look(async ({ reader }) => {
      const rows = await reader.all<LocationRow>('select id, name, address, version from locations', [])
      const byName = Map.groupBy(rows, ({ name }) => name)
      for (const [name, id] of this.created) {
        const found = byName.get(name) ?? []
        expect(
          found.map((row) => row.id),
          name,
        ).toEqual([id])
        if (this.changed.has(name)) expect(found[0]?.address, `the change of ${name}`).toBe(PATCHED)
      }
      expect(rows.length).toBe(this.created.size)

      const entries = await reader.all<{ id: string; n: number }>(
        `select resource_id as id, count(*) as n from audit_log where resource = 'locations' group by resource_id`,
        [],
      )
      const recorded = new Map(entries.map(({ id, n }) => [id, n]))
      // A row's version counts its changes.
      expect(rows.filter(({ id, version }) => recorded.get(id) !== version)).toEqual([])
      expect(recorded.size).toBe(rows.length)

      const [counts] = await reader.all<Record<string, number>>(
        'select (select count(*) from idempotency_keys) as keys',
        [],
      )
      expect(counts?.keys).toBe(this.created.size)
    })
    expect(await site.verifyAudit()).toMatch(/^Test: \d+ entries, intact(, signed up to entry \d+)?$/)
  }
}

/** Writers side by side, each at most `limit` creations, until `isOver`. */
export async function writeSideBySide(
  { writers, limit, prefix, isOver }: { writers: number; limit: number; prefix: string; isOver: () => boolean },
  ledger: Ledger,
  caller: Caller,
): Promise<void> {
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let i = 0; i < limit && !isOver(); i++) {
        const name = `${prefix}-${writer}-${i}`
        // Refused or cut off: it is tried again later, with the same key. Meanwhile the server is not hammered.
        if (!(await ledger.write(caller, name))) await delay(20)
      }
    }),
  )
}
