import type { FastifyRequest } from 'fastify'
import type { Permission } from '../../core/permissions.ts'
import type { Caller, Scope } from '../../core/rights.ts'
import { LaterSchema, type TSchema } from '../../core/schema.ts'
import type { Tx } from '../../db/change.ts'
import type { Engine } from '../../db/engine.ts'
import type { OrgHandle } from '../../db/org.ts'
import { type AnyRow, type Item, type Resource, visibleNames } from '../../db/resource.ts'
import { createLater, createRow, type Made, type Rules } from '../../db/rows.ts'
import { unfit } from '../answers/errors.ts'
import type { Parent } from '../items/item.ts'
import { createSchema, itemSchema, patchSchema, upsertSchema } from '../schemas.ts'
import { type Validator, validatorOf } from '../validation.ts'

type Kind = 'create' | 'patch' | 'upsert'

export type WriteOperation = 'create' | 'patch' | 'delete'

/** Takes out of a body what nothing further in should ever see, such as a PIN. */
export type Conceal = (engine: Engine, org: number, body: AnyRow) => Promise<void>

/** How an item is made of which more comes than its row: a secret, a letter, a change of something else. */
export interface Creation {
  make(tx: Tx, body: AnyRow, scope: Scope): Promise<Made>
  /**
   * The same without what is shown once, where nobody would see it. Undefined: what is shown makes the item worth
   * having.
   */
  makeUnseen?(tx: Tx, body: AnyRow, scope: Scope): Promise<Made>
  summary?: string
  description: string
  /**
   * What the answer holds besides the fields of the item, of all of them or of some, and how such an item is called in
   * components.
   */
  shows?: { name: string; properties: Readonly<Record<string, TSchema>>; isOfSome?: true }
}

/** Fields that a body says in other words than an answer does: what it may say, and what that means. */
export interface Wording {
  properties: Readonly<Record<string, TSchema>>
  read(body: AnyRow): AnyRow
}

interface WritableOptions extends Rules {
  parent?: Parent
  conceal?: Conceal
  creation?: Creation
  wording?: Wording
  /** What an item is called in messages, where it is not what its resource is called: an evacuation is no lockdown. */
  called?(row: Item): string
  /** Refuses a creation or change before its body is read, for what its permission alone does not decide. */
  beforeWrite?: (request: FastifyRequest) => Promise<void>
  decorate?(handle: OrgHandle, rows: Item[], caller: Caller, names: readonly string[]): Promise<void>
}

/** A resource as it is written: what single calls, upserts, batches and imports all go by. */
export class Writable {
  readonly resource: Resource
  readonly options: WritableOptions
  readonly permission: Permission
  readonly operations: ReadonlySet<string>
  readonly bodies: Readonly<Record<Kind, LaterSchema>>
  private readonly validators: Readonly<Record<Kind, Validator>>

  constructor(resource: Resource, options: WritableOptions, permission: Permission, operations: ReadonlySet<string>) {
    this.resource = resource
    this.options = options
    this.permission = permission
    this.operations = operations
    const inherited = options.parent ? [options.parent.field] : []
    const worded = (schema: TSchema): TSchema =>
      options.wording ? { ...schema, properties: { ...schema.properties, ...options.wording.properties } } : schema
    this.bodies = {
      create: new LaterSchema(() => worded(createSchema(resource, inherited))),
      patch: new LaterSchema(() => worded(patchSchema(resource, inherited))),
      upsert: new LaterSchema(() => worded(upsertSchema(resource, inherited))),
    }
    this.validators = {
      create: validatorOf(this.bodies.create),
      patch: validatorOf(this.bodies.patch),
      upsert: validatorOf(this.bodies.upsert),
    }
  }

  /**
   * As it is written from files: the parent is a field like any other, since rows are of many, and nobody sees what is
   * shown once.
   */
  fromFiles(): Writable {
    const { parent: _, creation, ...options } = this.options
    const make = creation?.makeUnseen ?? creation?.make
    return new Writable(
      this.resource,
      creation && make ? { ...options, creation: { ...creation, make } } : options,
      this.permission,
      this.operations,
    )
  }

  /** Whether what is made is of use only to whoever sees what is shown once. */
  get isShownOnce(): boolean {
    const { shows, makeUnseen } = this.options.creation ?? {}
    return shows !== undefined && !shows.isOfSome && !makeUnseen
  }

  has(...operations: readonly WriteOperation[]): boolean {
    return operations.every((operation) => this.operations.has(operation))
  }

  /**
   * The one way in which an item is made, whether by itself, by its key, in a batch or from a file. Of one that is
   * gathered the id is known.
   */
  async make(tx: Tx, body: AnyRow, scope: Scope): Promise<Made> {
    if (this.options.creation) return this.options.creation.make(tx, body, scope)
    if (tx.isGathering) return { row: { id: await createLater(tx, this.resource, body, scope, this.options) } }
    return { row: await createRow(tx, this.resource, body, scope, this.options) }
  }

  /** Whether many are stored together. */
  get isGathered(): boolean {
    return !this.options.creation
  }

  /** What an item is called in messages. */
  called(row: Item): string {
    return this.options.called?.(row) ?? this.resource.singular
  }

  /** A body that fits, as it is meant. */
  read(body: AnyRow): AnyRow {
    return this.options.wording?.read(body) ?? body
  }

  /** Whether a field is set at creation and not changed from then on. */
  isFixed(name: string): boolean {
    return !this.has('patch') || this.resource.fields[name]?.spec.mode === 'create'
  }

  /** Throws where the body does not fit. */
  check(kind: Kind, body: AnyRow): void {
    const validate = this.validators[kind]
    if (!validate(body)) throw unfit(validate.errors ?? [], itemSchema(this.resource).properties ?? {})
  }

  /** The same of a body that fits an upsert and is to create; what is concealed was checked before it was. */
  checkCreation(body: AnyRow): void {
    const { fields } = this.resource
    this.check('create', Object.fromEntries(Object.entries(body).filter(([name]) => fields[name]?.spec.mode !== 'wo')))
  }

  async conceal(engine: Engine, org: number, body: AnyRow): Promise<void> {
    await this.options.conceal?.(engine, org, body)
  }

  async decorate(tx: Tx, rows: Item[], caller: Caller): Promise<void> {
    await this.options.decorate?.(tx, rows, caller, visibleNames(this.resource))
  }
}
