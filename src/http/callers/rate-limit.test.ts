import { expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'

const house = await startHouse({ env: { RATE_LIMIT_PER_MINUTE: '3' } })

it('a credential has so many requests a minute as configured, then 429 with Retry-After, and again in the next minute', async () => {
  const client = await house.member('Auditor')
  house.clock.set('2027-06-15T12:00:20.000Z')
  const answers = []
  for (let i = 0; i < 4; i++) answers.push(await client.get('/api/v1/locations'))
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 429])
  expect(answers.map((answer) => answer.headers.ratelimit)).toEqual([
    '"requests";r=2;t=40',
    '"requests";r=1;t=40',
    '"requests";r=0;t=40',
    '"requests";r=0;t=40',
  ])
  expect(answers[3]?.headers['retry-after']).toBe('40')
  expect(answers[3]?.body.error).toMatchObject({ code: 'RATE_LIMITED', reason: 'requests' })
  house.clock.set('2027-06-15T12:01:00.000Z')
  expect((await client.get('/api/v1/locations')).status).toBe(200)
})

it('the limit is exact under parallel requests, and each credential has its own', async () => {
  const [one, two] = [await house.member('Auditor'), await house.member('Auditor')]
  house.clock.set('2027-06-15T13:00:00.000Z')
  const answers = await Promise.all(Array.from({ length: 10 }, () => one.get('/api/v1/locations')))
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(3)
  expect((await two.get('/api/v1/locations')).status).toBe(200)
})
