import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { listen } from '../../../test/support/raw-http.ts'

const house = await startHouse()
const { app, owner } = house
const port = await listen(app)
const HEAD = 'given_name,family_name,external_id\r\n'
const END = '\r\n--line--\r\n'

/** Begins to send a file of so many bytes, whose rows come as the caller writes them. */
async function begin(name: string, bytes: number) {
  const part = (head: string, body: string) => `--line\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}`
  const opening = `${part('name="resource"', 'individuals')}\r\n${part(`name="file"; filename="${name}"`, HEAD)}`
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => undefined)
  socket.write(
    `POST /api/v1/imports HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Token ${owner.token}\r\n` +
      `Content-Type: multipart/form-data; ` +
      `boundary=line\r\nContent-Length: ${opening.length + bytes + END.length}\r\n\r\n${opening}`,
  )
  return { socket, closed: once(socket, 'close').then(() => answer) }
}

const lines = (mark: string, count: number) =>
  Array.from({ length: count }, (_, n) => `A,B,${mark}-${String(n).padStart(6, '0')}\r\n`).join('')
const imports = async (file: string) => (await owner.get(`/api/v1/imports?file_name=eq.${file}`)).body.data[0]
const until = async (file: string, status: string) => {
  while ((await imports(file))?.status !== status) await delay(50)
}

// Time passes on the line, whatever the database: on one engine is enough.
const onOneEngine = it.skipIf(process.env.ENGINE === 'postgres')

const slowly = { timeout: 60_000 }
onOneEngine('a file over a slow line has the time it takes; one that stops coming has not', slowly, async () => {
  const text = lines('slow', 7000)
  const slow = await begin('slow.csv', text.length)
  const stuck = await begin('stuck.csv', text.length)
  // Longer than any other request may take, and more than the slowest line that is waited for.
  for (let at = 0; at < 13; at++) {
    slow.socket.write(text.slice((at * text.length) / 13, ((at + 1) * text.length) / 13))
    await delay(1000)
  }
  slow.socket.write(END)
  expect(await stuck.closed).toMatch(/^HTTP\/1.1 408 .*"code":"REQUEST_TIMEOUT"/s)
  expect(await slow.closed).toMatch(/^HTTP\/1.1 201 /)
  const { id, rows } = await imports('slow.csv')
  expect(rows).toBe(7000)
  await owner.post(`/api/v1/imports/${id}/cancel`)
  expect((await imports('stuck.csv'))?.status ?? 'interrupted').toBe('interrupted')
})

it('whoever leaves in the midst of a file takes nobody a place', { timeout: 30_000 }, async () => {
  const text = lines('left', 10_000)
  for (const file of ['left-1.csv', 'left-2.csv']) {
    const { socket } = await begin(file, 2 * text.length)
    socket.write(text)
    await until(file, 'reading')
    socket.resetAndDestroy()
    await until(file, 'interrupted')
  }
  const few = lines('whole', 10)
  const whole = await begin('whole.csv', few.length)
  whole.socket.write(few + END)
  expect(await whole.closed).toMatch(/^HTTP\/1.1 201 /)
})
