import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { listen } from './listen.ts'

const MANY = 700
const LIMIT = '/proc/sys/net/core/somaxconn'
const limit = existsSync(LIMIT) ? Number(readFileSync(LIMIT, 'utf8')) : 0

/** Says how many of so many connections were made: all, or as many as in two seconds. */
const comeAtOnce = `
  const [port, many] = process.argv.slice(1).map(Number)
  let made = 0
  const say = () => { process.stdout.write(String(made)); process.exit() }
  for (let n = 0; n < many; n++)
    require('node:net').connect(port, '127.0.0.1', () => ++made === many && say()).on('error', () => {})
  setTimeout(say, 2000)
`

it.runIf(limit >= MANY)('whoever comes at the same moment as many others is let in, be we busy just then', async () => {
  const { app } = await startHouse()
  const port = await freePort()
  await listen(app, { host: '127.0.0.1', port })
  // We stand still until it has ended.
  const made = execFileSync(process.execPath, ['-e', comeAtOnce, String(port), String(MANY)], { encoding: 'utf8' })
  expect(Number(made)).toBe(MANY)
})
