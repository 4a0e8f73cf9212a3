import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { checkpointStatement } from '../../src/audit/signing.ts'
import { verifyAudit } from '../../src/audit/verify.ts'
import { rowHash, sha256 } from '../../src/db/audit.ts'
import { createOrganization } from '../../src/identity/organizations.ts'
import { actor, startHouse } from '../support/app.ts'
import { fixHead, startSigning } from '../support/audit.ts'

const { engine, clock } = await startHouse()
const ROWS = 100_000
const CHUNK = 1000

it(`a log of ${ROWS} entries is verified, and it is said how fast`, { timeout: 120_000 }, async () => {
  const signing = await startSigning(engine, clock)
  const { key: org, id } = await createOrganization(engine, clock.now(), actor, 'Large')
  const signer = signing.signer()
  const occurred_at = clock.now()
  const quoted = (values: unknown[]) =>
    values.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(', ')
  let { hash, sequence } = (
    await engine.reader.all<{ hash: string; sequence: number }>('select hash, sequence from audit_log where org = $1', [
      org,
    ])
  )[0] as { hash: string; sequence: number }
  let number = 0
  await engine.transaction(async (session) => {
    while (sequence < ROWS) {
      const rows: string[] = []
      for (let i = 0; i < CHUNK && sequence < ROWS; i++) {
        sequence += 1
        const content = JSON.stringify({
          before: { name: `Door ${sequence}`, floor: 1 },
          after: { name: `Door ${sequence}`, floor: 2 },
        })
        const row = {
          ...{
            sequence,
            id: randomUUID(),
            occurred_at,
            action: 'access_point.updated',
            resource: 'access-points',
            resource_id: randomUUID(),
          },
          ...{
            actor_kind: 'service_user',
            actor_id: randomUUID(),
            actor_name: 'Nightly job',
            address: '192.0.2.7',
            req_id: 'req_1',
          },
          content_hash: sha256(`s${content}`),
        }
        hash = rowHash(hash, row)
        rows.push(`(${quoted([org, ...Object.values(row), 's', content, hash])})`)
      }
      await session.script(
        `insert into audit_log (org, sequence, id, occurred_at, action, resource, resource_id, actor_kind, actor_id,
          actor_name, address, req_id,
           content_hash, salt, content, hash) values ${rows.join(', ')}`,
      )
      number += 1
      const point = { number, sequence, hash, signed_at: occurred_at }
      await session.script(
        `insert into audit_checkpoints (org, number, sequence, hash, signed_at, key_id, signature)
         values (${quoted([org, ...Object.values(point), signer.keyId, signer.sign(checkpointStatement(id, point, 1))])})`,
      )
    }
    await fixHead(session, org)
  })
  const start = performance.now()
  expect(await verifyAudit(engine, org, await signing.trust(id))).toEqual({ rows: ROWS, signedUpTo: ROWS })
  const ms = performance.now() - start
  console.log(
    `${engine.dialect.name}: ${ROWS} entries verified in ${Math.round(ms)} ms, ${Math.round((ROWS / ms) * 1000)} ` +
      `per second`,
  )
})
