import type { DoorMode } from '../../src/core/doors/door-state.ts'
import { sql } from '../../src/db/sql.ts'
import { ingest } from '../../src/live/intake/ingest.ts'
import { changeLive, type LiveTx } from '../../src/live/live-transaction.ts'
import type { TestHouse } from '../support/app.ts'

/**
 * Live facts of the first organization: where people are, what a door's mode is, how often a credential was used, who
 * was let in.
 */
export class Live {
  private readonly house: TestHouse

  constructor(house: TestHouse) {
    this.house = house
  }

  setMode(access_point_id: string, mode: DoorMode): Promise<unknown> {
    return this.write((tx) =>
      tx.run(sql`insert into door_overrides (org, access_point_id, override, since)
        values (:org, ${access_point_id}, ${mode}, ${tx.instant})`),
    )
  }

  setUses(credential: string, use_count: number): Promise<unknown> {
    return this.write((tx) =>
      tx.run(sql`insert into credential_uses (org, id, use_count, is_used_up) select t.org, t.id, ${use_count},
          coalesce(t.max_uses <= ${use_count}, false) from credentials t where t.org = :org and t.id = ${credential}
        on conflict (org, id) do update set use_count = excluded.use_count, is_used_up = excluded.is_used_up`),
    )
  }

  see(individual_id: string, space_id: string, access_point_id: string, since: string): Promise<unknown> {
    return this.write((tx) =>
      tx.run(sql`insert into presence (org, individual_id, space_id, access_point_id, since)
        values (:org, ${individual_id}, ${space_id}, ${access_point_id}, ${since})`),
    )
  }

  letIn(access_point_id: string, occurred_at: string, direction: 'in' | 'out' | null): Promise<unknown> {
    return ingest(this.house, 1, [{ type: 'access.granted', access_point_id, occurred_at, direction }])
  }

  private write(run: (tx: LiveTx) => Promise<unknown>): Promise<unknown> {
    const { engine, clock } = this.house
    return changeLive(engine, 1, clock.now(), run)
  }
}
