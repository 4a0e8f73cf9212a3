import { AppError } from '../core/errors.ts'
import type { Sealer } from '../core/sealed.ts'
import type { Tx } from './change.ts'
import type { Engine, Session } from './engine.ts'
import type { OrgHandle } from './org.ts'
import { perEngine } from './per-engine.ts'
import { sql } from './sql.ts'

interface Sealing {
  open: (() => Sealer) | undefined
  sealer: Sealer | undefined
}

const sealings = perEngine((): Sealing => ({ open: undefined, sealer: undefined }))

/** Where the key comes from, once one is needed. */
export function sealWith(engine: Engine, open: () => Sealer): void {
  sealings(engine).open = open
}

function sealerOf(engine: Engine): Sealer {
  const sealing = sealings(engine)
  if (!sealing.open) throw new Error('nothing can be sealed or opened here: no key was given')
  sealing.sealer ??= sealing.open()
  return sealing.sealer
}

/** A secret as it may be stored; `context` says what it is and whose (`totp <user id>`), and must be the same when it is opened. */
export async function seal(tx: Tx, text: string, context: string): Promise<string> {
  const sealer = sealerOf(tx.engine)
  await agree(tx, sealer)
  return sealer.seal(text, contextIn(tx, context))
}

export const unseal = (handle: OrgHandle, sealed: string, context: string): string =>
  sealerOf(handle.engine).open(sealed, contextIn(handle, context))

/** A secret of the service as a whole, of no organization. */
export async function sealForAll(engine: Engine, session: Session, text: string, context: string): Promise<string> {
  const sealer = sealerOf(engine)
  await session.run('insert into seal_key (only_one, id) values (1, $1) on conflict (only_one) do nothing', [sealer.keyId])
  const [row] = await session.all<{ id: string }>('select id from seal_key', [])
  const fault = strangerFault(sealer, row?.id)
  if (fault !== undefined) throw new Error(fault)
  if (row?.id !== sealer.keyId) await session.run('update seal_key set id = $1', [sealer.keyId])
  return sealer.seal(text, `all ${context}`)
}

export const unsealForAll = (engine: Engine, sealed: string, context: string): string => sealerOf(engine).open(sealed, `all ${context}`)

/**
 * Something that we hand out and read again ourselves, and that is stored nowhere: the key binds nobody, and whoever has lost it has
 * lost nothing. Undefined: there is no key.
 */
export function sealToHandOut(engine: Engine, text: string, context: string): string | undefined {
  try {
    return sealerOf(engine).seal(text, `handed out ${context}`)
  } catch {
    return undefined
  }
}

/** Undefined: it is not ours, or not for this. */
export function openHandedOut(engine: Engine, sealed: string, context: string): string | undefined {
  try {
    return sealerOf(engine).open(sealed, `handed out ${context}`)
  } catch {
    return undefined
  }
}

/** A row moved into another organization does not open there. */
const contextIn = ({ org }: OrgHandle, context: string): string => `${org} ${context}`

/** All processes of a database seal with one key: whoever has another one finds out before it seals anything. */
async function agree(tx: Tx, sealer: Sealer): Promise<void> {
  await tx.aside(sql`insert into seal_key (only_one, id) values (1, ${sealer.keyId}) on conflict (only_one) do nothing`)
  const row = await tx.one<{ id: string }>(sql`select id from seal_key`)
  if (row?.id === sealer.keyId) return
  const fault = strangerFault(sealer, row?.id)
  if (fault !== undefined) throw new Error(fault)
  await tx.aside(sql`update seal_key set id = ${sealer.keyId}`)
}

/** At the start: throws when what is stored was sealed with a key that is not here. */
export async function checkSealKey(engine: Engine): Promise<void> {
  const [row] = await engine.reader.all<{ id: string }>('select id from seal_key', [])
  const fault = row && strangerFault(sealerOf(engine), row.id)
  if (fault !== undefined) throw new AppError('INTERNAL', fault)
}

const strangerFault = (sealer: Sealer, known = ''): string | undefined =>
  sealer.has(known)
    ? undefined
    : `The secrets in this database are sealed with the key ${known}, and the key here is ${sealer.keyId}. Set SECRET_KEY to the same in every process, or bring back the file secret-key of the data folder.`
