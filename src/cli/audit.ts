import { readFileSync } from 'node:fs'
import type { Erasure } from '../audit/erasures.ts'
import { findAuditKey, openAuditKey, readTrustedKeys } from '../audit/key.ts'
import type { TrustedKeys } from '../audit/signing.ts'
import { type AuditVerdict, verifyAudit } from '../audit/verify.ts'
import { readWitness } from '../audit/witness.ts'
import { messageOf } from '../core/errors.ts'
import { findOrganization } from '../identity/organizations.ts'
import { CommandError, defineCommand } from './command.ts'
import { withExistingDatabase } from './database.ts'

interface Listed {
  key: number
  id: string
  name: string
}

export const auditVerify = defineCommand({
  name: 'audit verify',
  summary: 'Checks that no entry of the audit log was altered, removed or reordered.',
  details: `Exits with 1 and names the first bad entry of each organization that has one; lists what was erased,
and refuses an erasure that no key signed. Checkpoints must be signed with the key of this
installation (audit key), or with one of FILE; what this installation remembers having signed last
must still be there.`,
  positionals: [],
  options: {
    organization: { type: 'string', value: 'NAME', description: 'Only this organization' },
    'public-key': { type: 'string', value: 'FILE', description: 'Public keys (PEM) to trust instead of the one here' },
  },
  async run({ config, out }, { organization, 'public-key': file }) {
    const keys = file === undefined ? (findAuditKey(config)?.trusted ?? new Map()) : readPublicKeys(file)
    const witnessed = await readWitness(config)
    return withExistingDatabase(config, async (engine) => {
      const found = organization === undefined ? undefined : await findOrganization(engine, organization)
      if (organization !== undefined && !found) throw new CommandError(`There is no organization "${organization}".`)
      const all = found
        ? [found]
        : await engine.reader.all<Listed>('select key, id, name from organizations order by key', [])
      let isIntact = true
      for (const { key, id, name } of all) {
        const verdict = await verifyAudit(engine, key, { keys, witness: witnessed[id] })
        if (verdict.fault) isIntact = false
        out(`${name}: ${describe(verdict)}`)
        for (const erasure of verdict.erasures ?? []) out(`  ${describeErasure(erasure)}`)
      }
      if (found) return isIntact ? undefined : 1
      const known = new Set(all.map(({ id }) => id))
      for (const [id, { sequence }] of Object.entries(witnessed)) {
        if (known.has(id)) continue
        isIntact = false
        out(`${id}: the organization is gone, with at least ${entries(sequence)} of its audit log`)
      }
      return isIntact ? undefined : 1
    })
  },
})

export const auditKey = defineCommand({
  name: 'audit key',
  summary: 'Prints the public key that the checkpoints of the audit log are signed with, made at first need.',
  details:
    'Keep it elsewhere: with it (audit verify --public-key) a copy of the database can be checked on any machine.',
  positionals: [],
  options: {},
  async run({ config, out, say }) {
    const { publicKey, signer } = openAuditKey(config)
    out(publicKey.export({ type: 'spki', format: 'pem' }).toString().trimEnd())
    say(`Key ${signer.keyId}`)
    return undefined
  },
})

const entries = (count: number): string => `${count} ${count === 1 ? 'entry' : 'entries'}`

function describe({ rows, signedUpTo, fault }: AuditVerdict): string {
  if (fault) return `entry ${fault.sequence}: ${fault.fault}`
  return `${entries(rows)}, intact${signedUpTo === undefined ? '' : `, signed up to entry ${signedUpTo}`}`
}

const describeErasure = ({ sequence, occurred_at, actor_name, entries: erased }: Erasure): string =>
  `entry ${sequence} (${occurred_at}, ${actor_name}) erased the contents of ` +
  `${erased.length === 1 ? 'entry' : 'entries'} ${erased.join(', ')}`

export function readPublicKeys(file: string): TrustedKeys {
  try {
    return readTrustedKeys(file, readFileSync(file, 'utf8'))
  } catch (error) {
    throw new CommandError(`--public-key: ${messageOf(error)}`, { cause: error })
  }
}
