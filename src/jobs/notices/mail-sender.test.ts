import { Secret, TOTP } from 'otpauth'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { startHouse, type TestHouse } from '../../../test/support/app.ts'
import { MailServer, silentServer } from '../../../test/support/peers/smtp.ts'
import { newPerson, race, roleId, tokenIn, withHeaders } from '../../../test/support/people.ts'
import { plainText, writeLetter } from '../../core/mail-texts.ts'
import { MailSender, startMail } from './mail-sender.ts'
import { giveTokenNotices } from './token-notices.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const server = await MailServer.onFreePort()
await server.start()
const env = { SMTP_URL: server.url, MAIL_FROM: 'Gatehouse <gatehouse@example.org>', TRUST_PROXY: 'on' }
const house = await startHouse({ env })
const { owner, clock, anonymous, engine } = house
const admin = house.loggedIn(owner.token)
const password = 'correct horse battery staple'

const lines: string[] = []
const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
const senderOf = ({ app, engine, clock }: TestHouse, timeoutMs = 20_000) => {
  const { config, mail } = app.house
  return new MailSender({ engine, clock, logger, config, mail, timeoutMs })
}
const sender = senderOf(house)

let host = 0
const elsewhere = () => withHeaders(anonymous, { 'x-forwarded-for': `2001:db8:0:${(++host).toString(16)}::1` })
let count = 0
const address = () => `somebody-${++count}@example.org`
const waiting = async () => (await engine.reader.all<{ n: number }>('select count(*) as n from mails', []))[0]?.n
/** All that is due, and what that makes due. */
const deliver = async () => {
  while ((await sender.run()) > 0);
}
const lettersTo = (email: string) => server.received.filter(({ to }) => to === email)
const audit = async (id: string) =>
  (await owner.get(`/api/v1/audit-log?resource_id=eq.${id}&limit=100`)).body.data.map(
    (entry: { action: string }) => entry.action,
  )

describe('with mail', () => {
  it('an invitation is sent, and whoever invites does not see the link', async () => {
    const email = address()
    const made = await owner.post('/api/v1/users', { email, name: 'Ada <b>' })
    expect([made.status, made.body.data.mailed, made.body.data.link]).toEqual([201, true, undefined])
    expect(made.body.msg).toBe('Invited user; the link is sent by mail')
    expect(lettersTo(email)).toEqual([])
    await deliver()
    const [letter, ...more] = lettersTo(email)
    expect(more).toEqual([])
    expect(letter?.from).toBe('gatehouse@example.org')
    expect(letter?.text).toContain('Subject: Invitation to Gatehouse of Test')
    expect(letter?.text).toContain('Ada &lt;b&gt;')
    expect(letter?.link).toMatch(/^http:\/\/gatehouse\.test\/invitation#/)
    const accepted = await elsewhere().post('/api/v1/invitations/accept', {
      token: tokenIn(letter?.link ?? ''),
      password,
    })
    expect(accepted.status).toBe(200)
  })

  it('keeps to its headers, though a name that was stored before there was a rule has a line break', async () => {
    const email = address()
    const { id } = await owner.create('/api/v1/users', { email, name: 'Ada' })
    const name = 'Ada\r\nBcc: x@example.org'
    await engine.transaction((session) => session.run('update users set name = $1 where id = $2', [name, id]))
    expect((await admin.post(`/api/v1/users/${id}/invite`)).status).toBe(200)
    await deliver()
    const letter = lettersTo(email).at(-1)
    expect(letter?.text).toContain('Hello Ada Bcc: x@example.org')
    expect(letter?.text).not.toMatch(/^Bcc:/m)
  })

  it('is written in the user’s language, or else in the organization’s', async () => {
    const email = address()
    await owner.create('/api/v1/users', { email, name: 'Jürg', language: 'de' })
    await deliver()
    expect(lettersTo(email)[0]?.text).toContain('Guten Tag Jürg')
    expect(lettersTo(email)[0]?.text).toContain('<html lang="de">')
    await owner.patch('/api/v1/organization', { language: 'de' })
    const [other, english] = [address(), address()]
    await owner.create('/api/v1/users', { email: other, name: 'x' })
    await owner.create('/api/v1/users', { email: english, name: 'x', language: 'en' })
    await owner.patch('/api/v1/organization', { language: 'en' })
    await deliver()
    expect([other, english].map((to) => lettersTo(to)[0]?.text.includes('Guten Tag'))).toEqual([true, false])
    expect((await owner.post('/api/v1/users', { email: address(), name: 'x', language: 'fr' })).status).toBe(400)
  })

  it('a repeated invitation replaces the letter that still waits', async () => {
    const email = address()
    const { id } = await owner.create('/api/v1/users', { email, name: 'x' })
    expect((await admin.post(`/api/v1/users/${id}/invite`)).body.data).toMatchObject({ mailed: true })
    await deliver()
    expect(lettersTo(email)).toHaveLength(1)
    const suspended = await owner.create('/api/v1/users', { email: address(), name: 'x' })
    await owner.post(`/api/v1/users/${suspended.id}/suspend`)
    expect(await waiting()).toBe(0)
  })

  it('an administrator’s link to a new password is sent, and each change of a password or factor is told', async () => {
    const person = await newPerson(house)
    await deliver()
    const made = await admin.post(`/api/v1/users/${person.id}/reset-link`)
    expect(made.body).toMatchObject({ msg: 'The link is sent by mail', data: { mailed: true } })
    expect(made.body.data.link).toBeUndefined()
    await deliver()
    const { link } = lettersTo(person.email).at(-1)!
    const { secret } = (await person.post('/api/v1/me/totp')).body.data
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(clock.now()) })
    await person.post('/api/v1/me/totp/confirm', { code })
    await (await newPerson(house, 'Owner')).post(`/api/v1/users/${person.id}/remove-second-factor`)
    await deliver()
    const notices = lettersTo(person.email).map(({ text }) => text)
    expect(notices.some((text) => text.includes('An authenticator app was set up'))).toBe(true)
    expect(notices.some((text) => text.includes('An administrator has removed your second factor'))).toBe(true)
    expect((await elsewhere().post('/api/v1/password-reset', { token: tokenIn(link!), password })).status).toBe(200)
    await deliver()
    expect(lettersTo(person.email).at(-1)?.text).toContain('Your password was changed')
  })

  it('the address before is told of another one, and links that went there work no more', async () => {
    const person = await newPerson(house)
    await admin.post(`/api/v1/users/${person.id}/reset-link`)
    await deliver()
    const { link } = lettersTo(person.email).at(-1)!
    const next = address()
    await admin.patch(`/api/v1/users/${person.id}`, { name: 'Same address' })
    await admin.patch(`/api/v1/users/${person.id}`, { email: person.email.toUpperCase() })
    const before = server.received.length
    expect((await admin.patch(`/api/v1/users/${person.id}`, { email: next })).status).toBe(200)
    await deliver()
    expect(server.received.slice(before).map(({ to }) => to.toLowerCase())).toEqual([person.email])
    expect(server.received.at(-1)?.text).toContain(next)
    expect(
      (await elsewhere().post('/api/v1/password-reset', { token: tokenIn(link!), password })).body.error.reason,
    ).toBe('invalid_link')
  })

  it('of an invitation that went to a wrong address nobody is told, and it works no more', async () => {
    const wrong = address()
    const { id } = await owner.create('/api/v1/users', { email: wrong, name: 'x' })
    await deliver()
    expect((await admin.patch(`/api/v1/users/${id}`, { email: address() })).status).toBe(200)
    await deliver()
    const [letter, ...more] = lettersTo(wrong)
    expect(more).toEqual([])
    const accepted = await elsewhere().post('/api/v1/invitations/accept', {
      token: tokenIn(letter?.link ?? ''),
      password,
    })
    expect(accepted.body.error.reason).toBe('invalid_link')
  })

  it('a token that is about to expire is told of to whoever can rotate it, once', async () => {
    const [keeper, reader, local] = [
      await newPerson(house, 'Administrator'),
      await newPerson(house, 'Auditor'),
      await newPerson(house),
    ]
    const north = await owner.create('/api/v1/locations', { name: 'North' })
    await admin.create('/api/v1/role-assignments', {
      role_id: await roleId(house, 'Owner'),
      user_id: local.id,
      location_id: north.id,
    })
    const user = await owner.create('/api/v1/service-users', { name: 'Nightly' })
    const expires_at = new Date(Date.parse(clock.now()) + 10 * 24 * 3_600_000).toISOString()
    await admin.create(`/api/v1/service-users/${user.id}/tokens`, { name: 'Job', expires_at })
    await deliver()
    clock.forward(3 * 24 * 3_600_000)
    for (const _ of [1, 2]) await giveTokenNotices(engine, clock.now(), house.app.house.mail)
    await deliver()
    const told = ({ email }: { email: string }) =>
      lettersTo(email).filter(({ text }) => text.includes('“Job”') && text.includes('expires on'))
    expect([keeper, reader, local].map((person) => told(person).length)).toEqual([1, 0, 0])
  })

  it('one that does not open, or comes too late, is given up and on the record', async () => {
    const { id } = await owner.create('/api/v1/users', { email: address(), name: 'x' })
    await engine.transaction((s) =>
      s.run("update mails set payload = 'sealed.0123456789abcdef.AAAA' where user_id = $1", [id]),
    )
    await deliver()
    expect(await audit(id)).toContain('user.mail_failed')
    const late = await owner.create('/api/v1/users', { email: address(), name: 'x' })
    clock.forward(7 * 24 * 3_600_000)
    await deliver()
    expect(await audit(late.id)).toContain('user.mail_failed')
    expect(await waiting()).toBe(0)
  })
})

describe('a forgotten password', () => {
  const forgot = (email: string, from = elsewhere()) => from.post('/api/v1/login/forgot-password', { email })

  it('is answered the same whoever asks, and a link goes to whoever has a password, once in a while', async () => {
    const person = await newPerson(house)
    const invited = await owner.create('/api/v1/users', { email: address(), name: 'x' })
    await deliver()
    const before = server.received.length
    const texts = new Set<string>()
    for (const email of [person.email.toUpperCase(), person.email, invited.email, 'nobody@example.org', 'x']) {
      const answer = await forgot(email)
      expect(answer.status).toBe(200)
      texts.add(answer.text)
    }
    expect(texts.size).toBe(1)
    await deliver()
    const sent = server.received.slice(before)
    expect(sent.map(({ to }) => to)).toEqual([person.email])
    const set = await elsewhere().post('/api/v1/password-reset', { token: tokenIn(sent[0]?.link ?? ''), password })
    expect(set.status, set.text).toBe(200)
    expect((await elsewhere().post('/api/v1/login', { email: person.email, password })).status).toBe(200)
    expect(await audit(person.id)).toEqual(expect.arrayContaining(['user.reset_link_made', 'user.password_reset']))
  })

  it('asked for again and again has to wait, and does not make anybody wait at the login', async () => {
    const person = await newPerson(house)
    const counts = await race(20, () => forgot(person.email))
    expect(counts).toEqual({ 200: 5, 429: 15 })
    expect((await elsewhere().post('/api/v1/login', { email: person.email, password: person.password })).status).toBe(
      200,
    )
    await deliver()
    expect(lettersTo(person.email).filter(({ link }) => link?.includes('/reset#'))).toHaveLength(1)
  })

  it('is refused from another site, with a wrong body, and where there is no mail', async () => {
    expect(
      (await elsewhere().post('/api/v1/login/forgot-password', { email: 'x' }, { 'sec-fetch-site': 'cross-site' }))
        .status,
    ).toBe(403)
    expect((await elsewhere().post('/api/v1/login/forgot-password', {})).status).toBe(400)
    const plain = await startHouse()
    const answer = await plain.anonymous.post('/api/v1/login/forgot-password', { email: 'x' })
    expect([answer.status, answer.body.error.reason]).toEqual([409, 'mail.not_configured'])
    const made = await plain.loggedIn(plain.owner.token).post('/api/v1/users', { email: 'x@example.org', name: 'x' })
    expect([made.body.data.mailed, typeof made.body.data.link]).toEqual([false, 'string'])
  })
})

describe('a mail server', () => {
  it('that is down at first gets the letter later, also when the service was restarted meanwhile', async () => {
    await server.stop()
    const emails = [address(), address()]
    for (const email of emails) await owner.create('/api/v1/users', { email, name: 'x' })
    expect(await sender.run()).toBe(0)
    // Nobody was there for the first: the second was not tried.
    const attempts = await engine.reader.all<{ attempts: number }>(
      'select attempts from mails order by attempts desc',
      [],
    )
    expect(attempts.map((row) => row.attempts)).toEqual([1, 0])
    await server.start()
    clock.forward(10_000)
    const restarted = senderOf(house)
    expect(await restarted.run()).toBe(2)
    expect(emails.map((email) => lettersTo(email).length)).toEqual([1, 1])
  })

  it('that refuses for good ends it, on the record; one that refuses for now is asked again, less and less often', async () => {
    server.mood = 'refuse'
    const refused = await owner.create('/api/v1/users', { email: address(), name: 'x' })
    await deliver()
    expect(await waiting()).toBe(0)
    const { data } = (await owner.get(`/api/v1/audit-log?resource_id=eq.${refused.id}&action=eq.user.mail_failed`)).body
    expect(data[0].after).toEqual({ kind: 'invitation', reason: 'EENVELOPE 550' })
    server.mood = 'later'
    const email = address()
    await owner.create('/api/v1/users', { email, name: 'x' })
    for (const seconds of [10, 30, 120, 600, 1800, 3600, 3600]) {
      await sender.run()
      clock.forward(seconds * 1000 - 1)
      const before = server.connections
      await sender.run()
      expect(server.connections).toBe(before)
      clock.forward(1)
    }
    server.mood = 'take'
    await deliver()
    expect(lettersTo(email)).toHaveLength(1)
  })

  it('that takes the connection and says nothing holds nobody up, and the letter is tried again', async () => {
    await server.stop()
    const silent = await silentServer(server.port)
    const email = address()
    const begun = performance.now()
    expect((await owner.post('/api/v1/users', { email, name: 'x' })).status).toBe(201)
    expect(await senderOf(house, 300).run()).toBe(0)
    expect(performance.now() - begun).toBeLessThan(10_000)
    const { config, mail } = house.app.house
    clock.forward(60_000)
    const job = startMail({ engine, clock, logger, config, mail, timeoutMs: 60_000 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    const stopping = performance.now()
    await job.stop()
    expect(performance.now() - stopping).toBeLessThan(5000)
    await silent.stop()
    await server.start()
    // What was left behind may still put the letter off, by a later clock.
    const lettersLater = async () => {
      clock.forward(300_000)
      await deliver()
      return lettersTo(email).length
    }
    await expect.poll(lettersLater).toBe(1)
  })

  it('keeps when a letter is next as whoever took it last said, though one that was slower fails after them', async () => {
    await server.stop()
    const silent = await silentServer(server.port)
    await owner.create('/api/v1/users', { email: address(), name: 'x' })
    const slow = senderOf(house, 3000).run()
    const attempts = async () =>
      (await engine.reader.all<{ attempts: number; next_at: string }>('select attempts, next_at from mails', []))[0]
    await expect.poll(async () => (await attempts())?.attempts).toBe(1)
    clock.forward(200_000)
    expect(await senderOf(house, 100).run()).toBe(0)
    const said = await attempts()
    expect(said?.attempts).toBe(2)
    expect(await slow).toBe(0)
    expect(await attempts()).toEqual(said)
    await silent.stop()
    await server.start()
    clock.forward(60_000)
    await deliver()
    expect(await waiting()).toBe(0)
  })

  it('gets a letter once from several processes that look for it at the same time', async () => {
    const emails = Array.from({ length: 5 }, address)
    for (const email of emails) await owner.create('/api/v1/users', { email, name: 'x' })
    const senders = Array.from({ length: 4 }, () => senderOf(house))
    await Promise.all(senders.map((one) => one.run()))
    await deliver()
    expect(emails.map((email) => lettersTo(email).length)).toEqual(emails.map(() => 1))
  })
})

it('no link, address or letter is in the log, and none lies open in the database', async () => {
  const email = address()
  await owner.create('/api/v1/users', { email, name: 'x' })
  const rows = JSON.stringify(await engine.reader.all('select * from mails', []))
  expect(rows).not.toContain(email)
  await deliver()
  const token = tokenIn(lettersTo(email)[0]?.link ?? '')
  expect(token).toHaveLength(43)
  expect(rows).not.toContain(token)
  const log = lines.join('')
  expect(log).toContain('could not be sent')
  expect(log).not.toMatch(/#[\w-]{43}|somebody-\d+@/)
})

it('the warning of a token that expires is ready in both languages', () => {
  const facts = { token: 'HR', serviceUser: 'SAP', expiresAt: '2027-03-31T22:00:00.000Z' }
  const to = { name: 'Ada', organization: 'ETH', timeZone: 'Europe/Zurich' }
  expect(plainText(writeLetter('token_expiring', facts, { ...to, language: 'en' }))).toContain(
    'expires on 1 April 2027',
  )
  expect(plainText(writeLetter('token_expiring', facts, { ...to, language: 'de' }))).toContain('1. April 2027')
})
