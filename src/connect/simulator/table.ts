import { type GrantRow, grantsFor } from '../../access/grants.ts'
import { grouped } from '../../access/grouped.ts'
import { readsAs } from '../../access/present.ts'
import type { Door, Facts } from '../../core/decide/facts.ts'
import type { ScheduleFacts } from '../../core/time/schedule.ts'
import { parsed } from '../../db/assignments.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'
import type { LiveTx } from '../../live/live-transaction.ts'
import {
  type Bodies,
  type CardBody,
  type DoorBody,
  type Entry,
  type EntryKind,
  type GrantBody,
  keyOf,
  type ScheduleBody,
} from '../entry.ts'
import type { DoorState } from './memory.ts'

/** What was held to a reader. */
export interface Reading {
  readonly type: string
  readonly number: string | null
  readonly facility_code: string | null
  /** The keyed hashes of the PIN that was typed. */
  readonly pin_keys: readonly string[]
}

interface EntryRow {
  body: string
  uses: number
}

/** The table in the memory of one virtual controller: all that it knows of the rules. */
export class Table {
  private readonly tx: LiveTx
  private readonly system: string

  constructor(tx: LiveTx, system: string) {
    this.tx = tx
    this.system = system
  }

  async put(entry: Entry): Promise<void> {
    const { key, kind, item_id, fingerprint, body } = entry
    await this.tx.send(sql`
      insert into simulator_entries (org, access_control_system_id, entry_key, kind, item_id, fingerprint, lookup, body,
        uses)
      values (:org, ${this.system}, ${key}, ${kind}, ${item_id}, ${fingerprint}, ${lookupOf(entry)},
      ${JSON.stringify(body)}, ${await this.usesBeside(entry)})
      on conflict (org, access_control_system_id, entry_key) do update
      set fingerprint = excluded.fingerprint, lookup = excluded.lookup, body = excluded.body, uses = excluded.uses`)
  }

  /** Uses that it has counted and whoever gives it the card has not heard of yet: they are not forgotten by that. */
  private async usesBeside({ key, kind, body }: Entry): Promise<number> {
    const { credential } = body as CardBody
    if (kind !== 'card' || credential.max_uses === null) return 0
    const [known] = await this.all<CardBody>('card', sql`t.entry_key = ${key}`)
    return known ? Math.max(0, known.body.credential.use_count + known.uses - credential.use_count) : 0
  }

  async remove(keys: readonly string[]): Promise<void> {
    await this.tx.run(sql`delete from simulator_entries as t where t.org = :org
      and t.access_control_system_id = ${this.system}
      and ${this.tx.dialect.inList('t.entry_key', keys, 'text')}`)
  }

  /** Those of these keys that are there. */
  async held(keys: readonly string[]): Promise<Set<string>> {
    const rows = await this.tx.all<{ entry_key: string }>(sql`
      select t.entry_key from simulator_entries t
      where t.org = :org and t.access_control_system_id = ${this.system}
      and ${this.tx.dialect.inList('t.entry_key', keys, 'text')}`)
    return new Set(rows.map(({ entry_key }) => entry_key))
  }

  async counts(): Promise<Record<EntryKind, number>> {
    const rows = await this.tx.all<{ kind: EntryKind; n: number }>(sql`
      select t.kind, count(*) as n from simulator_entries t
      where t.org = :org and t.access_control_system_id = ${this.system} group by t.kind`)
    return {
      schedule: 0,
      door: 0,
      grant: 0,
      card: 0,
      ...Object.fromEntries(rows.map(({ kind, n }) => [kind, Number(n)])),
    }
  }

  async noteUse(credential: string): Promise<void> {
    await this.tx.run(sql`update simulator_entries as t set uses = t.uses + 1
      where t.org = :org and t.access_control_system_id = ${this.system}
      and t.entry_key = ${keyOf('card', credential)}`)
  }

  async findDoor(id: string): Promise<DoorBody | undefined> {
    return (await this.all<DoorBody>('door', sql`t.entry_key = ${keyOf('door', id)}`))[0]?.body
  }

  /**
   * By the canonical form of its number, whatever zeros the reader gives; a PIN by itself by its keyed hash. Of several
   * of one number the newest, as the rules have it: an id begins with when it was made.
   */
  async findCard(reading: Reading): Promise<CardBody | undefined> {
    const condition = reading.number === null ? this.byPin(reading) : readsAs(reading, raw('t.lookup'))
    const found = condition && (await this.all<CardBody>('card', condition)).at(-1)
    if (!found) return undefined
    const { credential } = found.body
    return { ...found.body, credential: { ...credential, use_count: credential.use_count + found.uses } }
  }

  private byPin({ type, pin_keys }: Reading): Sql | undefined {
    return type === 'pin' && pin_keys.length > 0 ? this.tx.dialect.inList('t.lookup', pin_keys, 'text') : undefined
  }

  /** The facts of whoever holds this card to the reader of a door, as far as the device knows them. */
  async factsOf(body: DoorBody, state: DoorState, card: CardBody | undefined): Promise<Facts> {
    const rows = card ? await this.grantsOn(body) : []
    const schedules = await this.schedules(
      new Set([...rows.map(({ schedule_id }) => schedule_id), body.door.unlock_schedule_id]),
    )
    // What the device has no hours of opens nothing there, and keeps out at every hour.
    const usable = rows.filter(
      ({ schedule_id, effect }) => schedule_id === null || schedules.has(schedule_id) || effect === 'deny',
    )
    const grants = usable.map(
      (row): GrantRow => ({
        ...row,
        revoked_at: null,
        is_assumed: false,
        schedule: schedules.get(row.schedule_id ?? '') ?? null,
      }),
    )
    const person = card && {
      person: card.person,
      credentials: [card.credential],
      groups: new Map(card.groups.map((group) => [group.id, { ...group, name: '' }])),
    }
    return {
      door: doorFacts(body, state, schedules),
      emergencies: body.emergencies,
      individual: card?.person ?? null,
      credentials: card ? [card.credential] : [],
      keys: [],
      grants: person
        ? grantsFor(
            person,
            body.targets,
            grouped(grants, (grant) => grant.target),
          )
        : [],
      presence: { space_id: null, since: null, occupants: 0 },
      companions: [],
    }
  }

  private async grantsOn({ targets }: DoorBody): Promise<GrantBody[]> {
    const lookups = targets.map(({ id }) => targetLookup(id))
    return (await this.all<GrantBody>('grant', this.tx.dialect.inList('t.lookup', lookups, 'text'))).map(
      ({ body }) => body,
    )
  }

  private async schedules(ids: ReadonlySet<string | null>): Promise<Map<string, ScheduleFacts>> {
    const keys = [...ids].flatMap((id) => (id === null ? [] : keyOf('schedule', id)))
    if (keys.length === 0) return new Map()
    const rows = await this.all<ScheduleBody>('schedule', this.tx.dialect.inList('t.entry_key', keys, 'text'))
    return new Map(rows.map(({ body }) => [body.id, { ...body, holidays: new Set(body.holidays) }]))
  }

  private async all<B extends Bodies[EntryKind]>(
    kind: EntryKind,
    condition: Sql,
  ): Promise<Array<{ body: B; uses: number }>> {
    const rows = await this.tx.all<EntryRow>(sql`
      select t.body, t.uses from simulator_entries t
      where t.org = :org and t.access_control_system_id = ${this.system} and t.kind = ${kind} and ${condition}
      order by t.entry_key`)
    return rows.map(({ body, uses }) => ({ body: parsed<B>(body), uses }))
  }
}

const targetLookup = (id: string): string => `target:${id}`

function lookupOf({ kind, body }: Entry): string | null {
  if (kind === 'card') return (body as CardBody).lookup
  return kind === 'grant' ? targetLookup((body as GrantBody).target) : null
}

function doorFacts({ door }: DoorBody, state: DoorState, schedules: ReadonlyMap<string, ScheduleFacts>): Door {
  const { unlock_schedule_id, ...rest } = door
  return {
    ...rest,
    override: state.override,
    override_until: state.override_until,
    last_entry_at: state.last_entry_at,
    unlock_schedule: schedules.get(unlock_schedule_id ?? '') ?? null,
  }
}
