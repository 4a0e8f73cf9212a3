import { AppError } from '../core/errors.ts'
import type { Sealer } from '../core/secrets/sealed.ts'
import type { Tx } from './change.ts'
import type { Engine, Session } from './engine.ts'
import { perEngine } from './kept/per-engine.ts'
import type { OrgHandle } from './org.ts'
import { sql } from './sql.ts'

/** Where the key comes from. */
export interface SealKeys {
  /** Undefined: there is none. */
  find(): Sealer | undefined
  /** Makes one, where nothing was ever sealed. */
  make(): Sealer
}

const sealings = perEngine((): { keys: SealKeys | undefined; sealer: Sealer | undefined } => ({
  keys: undefined,
  sealer: undefined,
}))

export function sealWith(engine: Engine, keys: SealKeys): void {
  sealings(engine).keys = keys
}

/**
 * The key that is here. `known`: the id of the one that was sealed with; without it, nothing was, and a key is made
 * where there is none.
 */
function sealerOf(engine: Engine, known: string | undefined): Sealer {
  const sealing = sealings(engine)
  if (!sealing.keys) throw new Error('nothing can be sealed or opened here: no key was given')
  sealing.sealer ??= sealing.keys.find()
  // Another one would open nothing, and be taken for the right one by whoever looks.
  if (!sealing.sealer && known !== undefined) throw lostKey(known)
  sealing.sealer ??= sealing.keys.make()
  return sealing.sealer
}

const WAY_OUT =
  'If it is lost for good, gatehouse forget-sealed-secrets says what that costs, and goes on with a new one.'

const lostKey = (known: string) =>
  new AppError(
    'INTERNAL',
    `The secrets in this database are sealed with the key ${known}, and there is no key here: bring back the file ` +
      `secret-key of the data folder, or set SECRET_KEY. ${WAY_OUT} Nothing was written.`,
  )

/**
 * A secret as it may be stored; `context` says what it is and whose (`totp <user id>`), and must be the same when it is
 * opened.
 */
export async function seal(tx: Tx, text: string, context: string): Promise<string> {
  return (await sealAll(tx))(text, context)
}

/** The same for many: by which key is asked once. */
export async function sealAll(tx: Tx): Promise<(text: string, context: string) => string> {
  const sealer = await agreedSealer(tx.engine, keyRowOf(tx))
  return (text, context) => sealer.seal(text, contextIn(tx, context))
}

export const unseal = (handle: OrgHandle, sealed: string, context: string): string =>
  sealerOf(handle.engine, keyOf(sealed)).open(sealed, contextIn(handle, context))

/** What a secret is found by among those of an organization; the first is what is stored of a new one. */
export async function digestsOf(
  engine: Engine,
  org: number,
  text: string,
  context: string,
): Promise<[string, ...string[]]> {
  const sealer = sealings(engine).sealer ?? sealerOf(engine, await knownSealKey(engine.reader))
  return sealer.digests(text, `${org} ${context}`)
}

/** Before a digest is stored: it is of no use to processes with another key. */
export const bindToKey = (tx: Tx): Promise<unknown> => agreedSealer(tx.engine, keyRowOf(tx))

const keyRowOf = (tx: Tx): KeyRow => ({
  read: async () => (await tx.one<{ id: string }>(sql`select id from seal_key`))?.id,
  claim: (id) => tx.aside(sql`insert into seal_key (only_one, id) values (1, ${id}) on conflict (only_one) do nothing`),
  replace: (id) => tx.aside(sql`update seal_key set id = ${id}`),
})

/** A secret of the service as a whole, of no organization. */
export async function sealForAll(engine: Engine, session: Session, text: string, context: string): Promise<string> {
  const sealer = await agreedSealer(engine, {
    read: () => knownSealKey(session),
    claim: (id) =>
      session.run('insert into seal_key (only_one, id) values (1, $1) on conflict (only_one) do nothing', [id]),
    replace: (id) => session.run('update seal_key set id = $1', [id]),
  })
  return sealer.seal(text, `all ${context}`)
}

export const unsealForAll = (engine: Engine, sealed: string, context: string): string =>
  sealerOf(engine, keyOf(sealed)).open(sealed, `all ${context}`)

const keyOf = (sealed: string): string => sealed.split('.')[1] ?? ''

/**
 * Something that we hand out and read again ourselves, and that is stored nowhere: the key binds nobody, and whoever
 * has lost it has lost nothing. Undefined: there is no key.
 */
export function sealToHandOut(engine: Engine, text: string, context: string): string | undefined {
  try {
    return sealerOf(engine, undefined).seal(text, `handed out ${context}`)
  } catch {
    return undefined
  }
}

/** The same for what is handed out as part of an answer: the same answer has it the same again. */
export const sealAlikeToHandOut = (engine: Engine, text: string, context: string): string =>
  sealerOf(engine, undefined).sealAlike(text, `handed out ${context}`)

/** Undefined: it is not ours, or not for this. */
export function openHandedOut(engine: Engine, sealed: string, context: string): string | undefined {
  try {
    return sealerOf(engine, keyOf(sealed)).open(sealed, `handed out ${context}`)
  } catch {
    return undefined
  }
}

/** A row moved into another organization does not open there. */
const contextIn = ({ org }: OrgHandle, context: string): string => `${org} ${context}`

/** The id of the key that the database was sealed with; undefined: nothing was. */
export async function knownSealKey(session: Session): Promise<string | undefined> {
  const [row] = await session.all<{ id: string }>('select id from seal_key', [])
  return row?.id
}

/** All processes of a database seal with one key: whoever has another one finds out before it seals anything. */
async function agreedSealer(engine: Engine, row: KeyRow): Promise<Sealer> {
  const sealer = sealerOf(engine, await row.read())
  await row.claim(sealer.keyId)
  const known = await row.read()
  const fault = strangerFault(sealer, known)
  if (fault !== undefined) throw new Error(fault)
  if (known !== sealer.keyId) await row.replace(sealer.keyId)
  return sealer
}

/** The one row that says which key it is. */
interface KeyRow {
  read(): Promise<string | undefined>
  /** Unless another process was first. */
  claim(id: string): Promise<unknown>
  replace(id: string): Promise<unknown>
}

/** At the start: throws when what is stored was sealed with a key that is not here. */
export async function checkSealKey(engine: Engine): Promise<void> {
  const known = await knownSealKey(engine.reader)
  const fault = known === undefined ? undefined : strangerFault(sealerOf(engine, known), known)
  if (fault !== undefined) throw new AppError('INTERNAL', fault)
}

const strangerFault = (sealer: Sealer, known = ''): string | undefined =>
  sealer.has(known)
    ? undefined
    : `The secrets in this database are sealed with the key ${known}, and the key here is ${sealer.keyId}. Set ` +
      `SECRET_KEY to the same in every process, or bring back the file secret-key of the data folder. ${WAY_OUT}`
