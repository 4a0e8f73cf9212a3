import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { type Answer, type Client, startHouse } from '../../../test/support/app.ts'
import { listen, type RawAnswer, sendRaw } from '../../../test/support/raw-http.ts'

/** A house that counts the requests which are looked at whole, and keeps its lines of the log. */
async function startCounting(env: Record<string, string> = {}) {
  const seen = {
    whole: 0,
    lines: [] as Array<{ msg: string; req_id: string; url: string; caller: string; status: number }>,
  }
  const house = await startHouse({
    env: { METRICS: 'on', ...env },
    logger: pino({ level: 'info' }, { write: (line) => void seen.lines.push(JSON.parse(line)) }),
    prepare: (app) =>
      app.addHook('onRequest', (_request, _reply, done) => {
        seen.whole += 1
        done()
      }),
  })
  const { id } = await house.owner.create('/api/v1/locations', { name: 'Harbour' })
  const path = `/api/v1/locations/${id}`
  /** How many of these were looked at whole. */
  const wholeOf = async (ask: () => Promise<unknown>) => {
    const before = seen.whole
    await ask()
    return seen.whole - before
  }
  return { ...house, seen, path, wholeOf }
}

const thrice = async (client: Client, path: string, headers?: Record<string, string>): Promise<Answer[]> => [
  await client.get(path, headers),
  await client.get(path, headers),
  await client.get(path, headers),
]

const withoutId = ({ status, headers: { 'x-request-id': _id, date: _date, ...headers }, text }: Answer) => ({
  status,
  headers,
  text,
})

it('the same request again is answered the same, is logged and counted, and is not looked at again', async () => {
  const { owner, path, seen, wholeOf } = await startCounting()
  let answers: Answer[] = []
  const whole = await wholeOf(async () => {
    answers = await thrice(owner, path)
  })
  expect(whole).toBe(1)
  const [first] = answers as [Answer]
  expect(answers.map(withoutId)).toEqual(answers.map(() => withoutId(first)))
  const ids = answers.map(({ headers }) => headers['x-request-id'])
  expect(new Set(ids).size).toBe(3)
  const lines = seen.lines.filter(({ msg, url }) => msg === 'answered' && url === path)
  expect(lines.map(({ req_id }) => req_id)).toEqual(ids)
  expect(lines.map(({ caller, status }) => ({ caller, status }))).toEqual(
    lines.map(() => ({ caller: lines[0]?.caller, status: 200 })),
  )
  const metrics = await owner.get('/metrics')
  expect(metrics.text).toContain('duration_seconds_count{route="/api/v1/locations/:id",method="GET",status="200"} 3')
})

it('with the tag of what it has, the caller is told again that nothing has changed', async () => {
  const { owner, path, wholeOf } = await startCounting()
  const { etag } = (await owner.get(path)).headers
  const whole = await wholeOf(async () => {
    const answers = await thrice(owner, path, { 'if-none-match': String(etag) })
    expect(answers.map(({ status, text }) => ({ status, text }))).toEqual(
      answers.map(() => ({ status: 304, text: '' })),
    )
  })
  expect(whole).toBe(1)
})

it('the head is written again as it was, but for its id and the date', async () => {
  const { owner, path, wholeOf } = await startCounting()
  await thrice(owner, path)
  const heads: Answer['headers'][] = []
  expect(
    await wholeOf(async () => {
      for (let time = 0; time < 2; time++) {
        heads.push((await owner.get(path)).headers)
        await setTimeout(1001)
      }
    }),
  ).toBe(0)
  const [first, second] = heads as [Answer['headers'], Answer['headers']]
  expect(Date.parse(String(second.date)) - Date.parse(String(first.date))).toBeGreaterThanOrEqual(1000)
  expect(Math.abs(Date.parse(String(second.date)) - Date.now())).toBeLessThan(10_000)
  const same = ({ date: _, 'x-request-id': __, ...headers }: Answer['headers']) => headers
  expect(same(second)).toEqual(same(first))
})

it('over a socket it is the same to the byte; where the connection ends with the answer, the head says so', async () => {
  const { app, owner, path, wholeOf } = await startCounting()
  const port = await listen(app)
  const request = (...headers: string[]) =>
    [`GET ${path} HTTP/1.1`, 'Host: gatehouse.test', `Authorization: Token ${owner.token}`, ...headers, '', ''].join(
      '\r\n',
    )
  await sendRaw(port, request().repeat(3) + request('Connection: close'))
  const asked = request().repeat(5) + request('Connection: close')
  let answers: RawAnswer[] = []
  expect(
    await wholeOf(async () => {
      answers = await sendRaw(port, asked)
    }),
  ).toBe(1)
  const last = answers.pop() as RawAnswer
  expect(answers).toHaveLength(5)
  const same = ({ status, text, headers: { date: _, 'x-request-id': __, ...headers } }: RawAnswer) => ({
    status,
    text,
    headers,
  })
  for (const answer of answers) expect(same(answer)).toEqual(same(answers[0] as RawAnswer))
  expect(answers[0]).toMatchObject({ status: 200, headers: { connection: 'keep-alive', 'keep-alive': 'timeout=65' } })
  expect(last).toMatchObject({ status: 200, headers: { connection: 'close' }, text: answers[0]?.text })
})

it('any other header makes it another request', async () => {
  const { owner, member, path } = await startCounting()
  await thrice(owner, path)
  expect((await owner.get(path, { accept: 'text/csv' })).status).toBe(406)
  expect((await (await member('Auditor')).get(path)).status).toBe(200)
  expect((await owner.get(path, { authorization: 'Token x' })).status).toBe(401)
  expect((await owner.get(`${path}?a=1`)).status).toBe(400)
})

it('what has changed is read, and what has not is still known', async () => {
  const { owner, path, wholeOf } = await startCounting()
  await thrice(owner, path)
  expect((await owner.patch(path, { name: 'Harbour 2' })).status).toBe(200)
  expect((await owner.get(path)).body.data.name).toBe('Harbour 2')
  await thrice(owner, path)
  await owner.create('/api/v1/individuals', { display_name: 'Somebody' })
  expect(await wholeOf(() => thrice(owner, path))).toBe(0)
})

it('a token that is revoked or has expired, and one whose role is taken, is refused at once', async () => {
  const { owner, client, loggedIn, member, path, clock } = await startCounting()
  const [user] = (await owner.get('/api/v1/service-users?limit=1')).body.data
  const tokens = `/api/v1/service-users/${user.id}/tokens`
  const made = await loggedIn(owner.token).create(tokens, { name: 'Other', expires_at: '2027-12-31' })
  const other = client(made.value)
  expect((await thrice(other, path)).map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await owner.post(`${tokens}/${made.id}/revoke`)).status).toBe(200)
  expect((await other.get(path)).status).toBe(401)

  const demoted = await member('Auditor')
  await thrice(demoted, path)
  const [assignment] = (await owner.get('/api/v1/role-assignments?role_name=eq.Auditor')).body.data
  expect((await owner.delete(`/api/v1/role-assignments/${assignment.id}`)).status).toBe(200)
  expect((await demoted.get(path)).status).toBe(403)

  await thrice(owner, path)
  clock.forward(400 * 86_400_000)
  const refused = await thrice(owner, path)
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 401])
})

it('where requests are counted, each is', async () => {
  const { owner, path, wholeOf } = await startCounting({ RATE_LIMIT_PER_MINUTE: '100' })
  expect(await wholeOf(() => thrice(owner, path))).toBe(3)
})

it('what is brought up to date before each answer takes the usual way', async () => {
  const { owner, wholeOf } = await startCounting()
  expect(await wholeOf(() => thrice(owner, '/api/v1/access-points'))).toBe(3)
})
