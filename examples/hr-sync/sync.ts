import { readFileSync } from 'node:fs'
import { Gatehouse } from '../../packages/client/src/client.ts'
import { syncPeople } from './people.ts'

/**
 * A nightly job: what the personnel system exports is what Gatehouse has. Run it with cron, as often as you like; it
 * may be interrupted at any moment and simply be run again.
 *
 *   GATEHOUSE_SERVER=https://gatehouse.example GATEHOUSE_TOKEN=acs_pat_… node sync.ts people.ndjson
 */
const [file] = process.argv.slice(2)
// biome-ignore lint/style/noProcessEnv: a program of its own
const { GATEHOUSE_SERVER: server, GATEHOUSE_TOKEN: token } = process.env
if (file === undefined || !server || !token) {
  process.stderr.write('Usage: GATEHOUSE_SERVER=… GATEHOUSE_TOKEN=… node sync.ts people.ndjson\n')
  process.exit(2)
}
const people = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))
const done = await syncPeople(new Gatehouse({ server, token }), people, (line) => process.stderr.write(`${line}\n`))
process.stdout.write(`${JSON.stringify(done)}\n`)
process.exit(done.failed > 0 ? 1 : 0)
