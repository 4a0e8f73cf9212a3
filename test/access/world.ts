import type { TestHouse } from '../support/app.ts'
import type { Asked, CredentialSpec, GrantSpec, KeySpec, PersonSpec, TargetName, World } from './case.ts'
import { Live } from './live.ts'
import { calendarDays, scheduleSpecs } from './schedules.ts'

interface Item {
  id: string
}

/** What all worlds share: systems, schedules, a locking system. */
export class Ground {
  readonly house: TestHouse
  readonly live: Live
  readonly schedules = new Map<string, string>()
  readonly systems: { main: string; other: string } = { main: '', other: '' }
  lockingSystem = ''
  private calendar = ''
  private made = 0

  constructor(house: TestHouse) {
    this.house = house
    this.live = new Live(house)
  }

  async lay(): Promise<void> {
    const { owner } = this.house
    for (const name of ['main', 'other'] as const)
      this.systems[name] = (await owner.create('/api/v1/access-control-systems', { name: `System ${name}` })).id
    this.lockingSystem = (await owner.create('/api/v1/locking-system', { name: 'Keys' })).id
    this.calendar = (await owner.create('/api/v1/calendars', { name: 'Holidays', days: calendarDays })).id
  }

  async scheduleOf(name: string | undefined): Promise<string | null> {
    if (name === undefined) return null
    let id = this.schedules.get(name)
    if (id === undefined) {
      const spec = scheduleSpecs[name]
      if (!spec) throw new Error(`No schedule ${name}`)
      const calendar_id = spec.on_holiday ? this.calendar : null
      const made: Item = await this.house.owner.create('/api/v1/schedules', { name, calendar_id, ...spec })
      id = made.id
      this.schedules.set(name, id)
    }
    return id
  }

  /** A number of its own for everything that needs one. */
  next(): number {
    this.made += 1
    return this.made
  }
}

/** A world as it was made: the ids behind its names. */
export class MadeWorld {
  readonly ids = new Map<string, string>()
  readonly grants: string[] = []
  /** The numbers of its credentials, as they were given. */
  readonly numbers = new Map<string, string>()
  private readonly emergencies: string[] = []
  private readonly ground: Ground
  readonly spec: World

  constructor(ground: Ground, spec: World) {
    this.ground = ground
    this.spec = spec
  }

  id(name: string): string {
    const id = this.ids.get(name)
    if (id === undefined) throw new Error(`Nothing here is called ${name}`)
    return id
  }

  async make(): Promise<this> {
    const { people = { ada: {} }, groups = {}, grants = [], keys = [] } = this.spec
    await this.makePlaces()
    for (const [name, person] of Object.entries(people)) await this.makePerson(name, person)
    for (const [name, members] of Object.entries(groups)) {
      const group = await this.create(name, '/api/v1/access-groups', { name: `${name} ${this.ground.next()}` })
      for (const [member, window] of Object.entries(members))
        await this.post(`/api/v1/access-groups/${group}/members`, { individual_id: this.id(member), ...window }, 201)
    }
    for (const grant of grants) await this.makeGrant(grant)
    for (const key of keys) await this.makeKey(key)
    for (const [name, { action }] of Object.entries(people))
      if (action) await this.post(`/api/v1/individuals/${this.id(name)}/${action}`, undefined, 200)
    await this.makeLiveFacts()
    for (const { kind, on, expires_at } of this.spec.emergencies ?? []) {
      const target = on === 'organization' ? {} : this.targetOf(on)
      this.emergencies.push(
        await this.create(`${kind} ${on}`, '/api/v1/lockdowns', { kind, ...target, expires_at, reason: 'Alarm' }),
      )
    }
    return this
  }

  async release(): Promise<void> {
    for (const id of this.emergencies) await this.post(`/api/v1/lockdowns/${id}/release`, undefined, 200)
  }

  private async makePlaces(): Promise<void> {
    const { zone = 'Europe/Zurich', door = {}, room = {} } = this.spec
    const region = await this.create('region', '/api/v1/locations', { name: 'Region', time_zone: zone })
    const site = await this.create('site', '/api/v1/locations', { name: 'Site', parent_id: region })
    const building = await this.create('building', '/api/v1/buildings', { name: 'Building', location_id: site })
    const wing = await this.create('wing', '/api/v1/buildings', {
      name: 'Wing',
      location_id: site,
      parent_id: building,
    })
    const space = await this.create('room', '/api/v1/spaces', { name: 'Room', building_id: wing, ...room })
    await this.create('elsewhere', '/api/v1/spaces', { name: 'Elsewhere', building_id: wing })
    const { unlock, mechanical, ...fields } = door
    await this.create('door', '/api/v1/access-points', {
      name: 'Door',
      space_id: space,
      access_control_system_id: mechanical ? null : this.ground.systems.main,
      unlock_schedule_id: await this.ground.scheduleOf(unlock),
      ...fields,
    })
  }

  private async makePerson(name: string, person: PersonSpec): Promise<void> {
    const {
      action: _,
      credentials = { [name === 'ada' ? 'card' : `${name}’s card`]: {} },
      seen: __,
      ...fields
    } = person
    const id = await this.create(name, '/api/v1/individuals', {
      display_name: `${name} ${this.ground.next()}`,
      ...fields,
    })
    for (const [called, spec] of Object.entries(credentials)) await this.makeCredential(called, spec, id)
  }

  private async makeCredential(
    called: string,
    { uses, system, unassigned, ...spec }: CredentialSpec,
    holder: string,
  ): Promise<void> {
    const type = spec.type ?? 'card'
    const number = spec.number ?? (type === 'pin' ? null : String(100_000 + this.ground.next()))
    const id = await this.create(called, '/api/v1/credentials', {
      ...spec,
      type,
      number,
      individual_id: unassigned ? null : holder,
      access_control_system_id: system ? this.ground.systems[system] : null,
    })
    if (number !== null) this.numbers.set(called, number)
    if (uses !== undefined) await this.ground.live.setUses(id, uses)
  }

  private async makeGrant(grant: GrantSpec): Promise<void> {
    const id = await this.create(`grant ${this.grants.length}`, '/api/v1/access-grants', await this.grantBody(grant))
    this.grants.push(id)
    if (grant.revoked) await this.post(`/api/v1/access-grants/${id}/revoke`, undefined, 200)
  }

  private async grantBody({ to, on, schedule, revoked: _, ...fields }: GrantSpec): Promise<object> {
    const subject = this.spec.groups?.[to] ? { access_group_id: this.id(to) } : { individual_id: this.id(to) }
    return { ...subject, ...this.targetOf(on), schedule_id: await this.ground.scheduleOf(schedule), ...fields }
  }

  private targetOf(on: TargetName): object {
    const fields = {
      door: 'access_point_id',
      room: 'space_id',
      elsewhere: 'space_id',
      wing: 'building_id',
      building: 'building_id',
    }
    return { [on === 'site' || on === 'region' ? 'location_id' : fields[on]]: this.id(on) }
  }

  private async makeKey({ holder, action, cylinder = 'installed', isInPlan = true }: KeySpec): Promise<void> {
    const n = this.ground.next()
    const system = { locking_system_id: this.ground.lockingSystem }
    const type = await this.create(`type ${n}`, '/api/v1/key-types', { ...system, code: `T${n}` })
    const isIn = cylinder === 'installed' || cylinder === 'defective'
    const barrel = await this.create(`cylinder ${n}`, '/api/v1/cylinders', {
      ...system,
      number: String(n),
      status: cylinder === 'defective_out' ? 'defective' : cylinder,
      access_point_id: isIn ? this.id('door') : null,
    })
    const cells = [{ key_type_id: type, cylinder_id: barrel }]
    if (isInPlan) await this.post(`/api/v1/locking-system/${system.locking_system_id}/plan/cells`, { set: cells }, 200)
    const key = await this.create(`key ${n}`, '/api/v1/keys', { key_type_id: type, number: '1', status: 'in_stock' })
    if (holder) await this.post(`/api/v1/keys/${key}/issue`, { individual_id: this.id(holder) }, 200)
    if (action) await this.post(`/api/v1/keys/${key}/${action}`, {}, 200)
  }

  private async makeLiveFacts(): Promise<void> {
    const { people = {}, mode, entries = [] } = this.spec
    const { live } = this.ground
    const door = this.id('door')
    for (const [name, { seen }] of Object.entries(people))
      if (seen) await live.see(this.id(name), this.id(seen.in), door, seen.since)
    if (mode) await live.setMode(door, mode)
    for (const { at, direction = null } of entries) await live.letIn(door, at, direction)
  }

  /** A question as the API takes it. */
  async question({
    who = 'ada',
    card,
    read,
    at,
    direction,
    with: others,
    assume,
  }: Asked): Promise<Record<string, unknown>> {
    const subject = card
      ? { credential_id: this.id(card) }
      : read
        ? { credential: this.reading(read) }
        : { individual_id: this.id(who) }
    return {
      ...subject,
      access_point_id: this.id('door'),
      ...(at ? { at } : {}),
      ...(direction ? { direction } : {}),
      ...(others ? { with: others.map((name) => this.id(name)) } : {}),
      ...(assume ? { assume: await Promise.all(assume.map((grant) => this.grantBody(grant))) } : {}),
    }
  }

  private reading({ of, ...read }: NonNullable<Asked['read']>): object {
    return of === undefined ? read : { ...read, number: this.numbers.get(of) }
  }

  private async create(name: string, path: string, body: object): Promise<string> {
    const item: Item = await this.ground.house.owner.create(path, body)
    this.ids.set(name, item.id)
    return item.id
  }

  private async post(path: string, body: object | undefined, status: number): Promise<void> {
    const answer = await this.ground.house.owner.post(path, body)
    if (answer.status !== status) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
  }
}
