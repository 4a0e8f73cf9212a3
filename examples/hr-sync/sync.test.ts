import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshHouse } from '../../test/cli/child.ts'
import { startHouse } from '../../test/support/app.ts'
import type { Employee } from './people.ts'

const house = await startHouse()
const server = await house.app.listen({ port: 0, host: '127.0.0.1' })
const folder = (await freshHouse()).DATA_DIR as string
const script = new URL('./sync.ts', import.meta.url).pathname

const employees = Array.from(
  { length: 5000 },
  (_, index): Employee => ({
    number: String(index).padStart(5, '0'),
    first: index % 7 === 0 ? 'Zoë' : 'Ada',
    last: `Müller-${index}`,
    email: `p${index}@example.com`,
    department: index % 2 === 0 ? 'Research' : null,
  }),
)

/** Runs the job as cron would; `until`: it is killed once it has said this. */
function run(
  people: readonly Employee[],
  until?: RegExp,
): Promise<{ code: number | null; done: unknown; said: string }> {
  const file = join(folder, 'people.ndjson')
  writeFileSync(file, people.map((person) => JSON.stringify(person)).join('\n'))
  const env = { PATH: process.env.PATH, GATEHOUSE_SERVER: server, GATEHOUSE_TOKEN: house.owner.token }
  const child = spawn(process.execPath, [script, file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let said = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    said += chunk
    if (until?.test(said)) child.kill('SIGKILL')
  })
  return new Promise((resolve) =>
    child.once('close', (code) => resolve({ code, done: out === '' ? undefined : JSON.parse(out), said })),
  )
}

const count = async (query: string): Promise<number> =>
  (await house.owner.get(`/api/v1/individuals?limit=1&${query}`)).body.meta.pagination.total

it('makes 5,000 people, changes 300, sends 40 home, and is taken up again after a kill', {
  timeout: 600_000,
}, async () => {
  await house.owner.create('/api/v1/individuals', { display_name: 'A visitor', kind: 'visitor' })
  const killed = await run(employees, /^2000 of/m)
  expect(killed.code).toBe(null)
  const already = await count('external_id=like.hr-*')
  expect(already).toBeGreaterThanOrEqual(2000)
  expect(already).toBeLessThan(5000)
  const first = await run(employees)
  expect(first).toMatchObject({
    code: 0,
    done: { created: 5000 - already, unchanged: already, changed: 0, left: 0, failed: 0 },
  })
  expect(await count('external_id=like.hr-*')).toBe(5000)

  const audited = async () => (await house.owner.get('/api/v1/audit-log?limit=1')).body.meta.pagination.total
  const before = await audited()
  expect((await run(employees)).done).toEqual({ created: 0, changed: 0, unchanged: 5000, left: 0, failed: 0 })
  expect(await audited()).toBe(before)

  const next = employees
    .slice(40)
    .map((person, index) => (index < 300 ? { ...person, department: 'Operations' } : person))
  const interrupted = await run(next, /^1000 of/m)
  expect(interrupted.code).toBe(null)
  const second = await run(next)
  expect(second).toMatchObject({ code: 0, done: { created: 0, left: 40, failed: 0 } })
  expect(await count('department=eq.Operations')).toBe(300)
  expect(await count('status=eq.offboarded')).toBe(40)
  expect((await run(next)).done).toEqual({ created: 0, changed: 0, unchanged: 4960, left: 0, failed: 0 })

  const back = await run(
    employees.map((person, index) => (index < 340 && index >= 40 ? { ...person, department: 'Operations' } : person)),
  )
  expect(back).toMatchObject({ code: 0, done: { failed: 0 } })
  expect(await count('status=eq.offboarded')).toBe(0)
  const empty = await run(employees.slice(0, 10))
  expect(empty.code).toBe(1)
  expect(empty.said).toContain('look at the export first')
  expect(await count('kind=eq.visitor&status=eq.active')).toBe(1)
})
