import { describe, expect, it } from 'vitest'
import { actor } from '../../../../test/support/app.ts'
import {
  ask,
  authorize,
  Browser,
  consent,
  discover,
  newApplication,
  REDIRECT,
  startListening,
} from '../../../../test/support/peers/oauth.ts'
import { newPerson, withHeaders } from '../../../../test/support/people.ts'
import { createOrganization } from '../../organizations.ts'

const house = await startListening()
const { url } = house

/** Somebody before the consent page. */
async function arrive(role = 'Operator', scope = 'openid spaces:read locations:write') {
  const person = await newPerson(house, role)
  const application = await newApplication(house, { description: 'Prints badges' })
  const config = await discover(url, application)
  const asked = await ask(config, scope)
  const browser = new Browser(url, person.cookie)
  const { url: address, text } = await browser.open(asked.start)
  const uid = new URL(address).pathname.replace('/consent/', '')
  return { person, application, config, asked, browser, address, text, path: `/api/v1/oauth/interactions/${uid}` }
}

describe('the consent page', () => {
  it('is told who asks, for what, in sentences, and what of it I have', async () => {
    const { person, application, path } = await arrive()
    expect((await person.get(path)).body.data).toEqual({
      uid: path.split('/').at(-1),
      expires_at: expect.any(String),
      application: {
        id: application.client_id,
        name: 'Badge printer',
        description: 'Prints badges',
        kind: 'confidential',
      },
      redirect_uri: REDIRECT,
      user: { id: person.id, name: 'Ada Lovelace', email: person.email },
      identity: [
        { scope: 'openid', description: 'Know who you are.' },
        // Not asked for, and true all the same: a refresh token comes with every code.
        { scope: 'offline_access', description: 'Go on while you are away, for at most 90 days.' },
      ],
      permissions: [
        { name: 'spaces:read', description: 'See spaces.', is_held: true },
        { name: 'locations:write', description: 'Create, change and delete locations.', is_held: false },
      ],
    })
  })

  it('gives what I have and no more, on the record', async () => {
    const { person, path, browser } = await arrive()
    const { next } = (await person.post(`${path}/confirm`)).body.data
    expect((await browser.open(next)).url).toMatch(/^https:\/\/badges\.example\/callback\?code=/)
    const [grant] = (await person.get('/api/v1/me/grants')).body.data
    expect(grant.permissions).toEqual(['spaces:read'])
    const [entry] = (await house.owner.get(`/api/v1/audit-log?resource_id=eq.${grant.id}`)).body.data
    expect(entry).toMatchObject({
      action: 'oauth_grant.created',
      actor_kind: 'user',
      actor_id: person.id,
      after: { user_id: person.id, permissions: ['spaces:read'] },
    })
  })

  it('lets me give some of it', async () => {
    const { person, path, browser } = await arrive('Owner')
    const { next } = (await person.post(`${path}/confirm`, { permissions: ['locations:write'] })).body.data
    expect((await browser.open(next)).url.startsWith(REDIRECT)).toBe(true)
    expect((await person.get('/api/v1/me/grants')).body.data[0].permissions).toEqual(['locations:write'])
  })

  it('lets me refuse: the application is told so', async () => {
    const { person, path, browser } = await arrive()
    const { next } = (await person.post(`${path}/abort`)).body.data
    expect(new URL((await browser.open(next)).url).searchParams.get('error')).toBe('access_denied')
    expect((await person.get('/api/v1/me/grants')).body.data).toEqual([])
  })

  it('is answered once', async () => {
    const { person, path } = await arrive()
    const answers = await Promise.all(
      ['abort', 'abort', 'confirm', 'abort'].map((verb) => person.post(`${path}/${verb}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    for (const verb of ['abort', 'confirm'])
      expect((await person.post(`${path}/${verb}`)).body.error.reason).toBe('oauth_interaction.answered')
    expect((await person.get('/api/v1/me/grants')).body.data.length).toBe(answers[2]?.status === 200 ? 1 : 0)
  })

  it('is nobody else’s, and takes no token, no other site and no strange body', async () => {
    const { person, path } = await arrive()
    const other = await newPerson(house, 'Owner')
    for (const [method, address] of [
      ['GET', path],
      ['POST', `${path}/confirm`],
      ['POST', `${path}/abort`],
    ] as const) {
      expect((await other.request(method, address)).status).toBe(404)
      expect((await house.owner.request(method, address)).status).toBe(404)
      expect((await house.anonymous.request(method, address)).status).toBe(401)
      expect(
        (await person.request(method, address.replace(/interactions\/[^/]+/, 'interactions/unknown'))).status,
      ).toBe(404)
      if (method === 'GET') continue
      expect((await person.from({ 'sec-fetch-site': 'cross-site' }).request(method, address)).status).toBe(403)
      expect((await person.from({ origin: 'https://evil.example' }).request(method, address)).status).toBe(403)
      expect((await person.request(method, address, { colour: 'red' })).status).toBe(400)
    }
    expect((await person.post(`${path}/confirm`, { permissions: ['fly'] })).status).toBe(400)
    expect((await person.get('/api/v1/me/grants')).body.data).toEqual([])
  })
})

describe('without the portal', () => {
  it('the pages lead from nobody logged in to the code, by forms without scripts', async () => {
    const person = await newPerson(house, 'Owner')
    const config = await discover(url, await newApplication(house, { name: '<script>alert(1)</script>' }))
    const browser = new Browser(url)
    const login = await browser.open((await ask(config, 'openid spaces:read')).start)
    expect(new URL(login.url).pathname).toBe('/login')
    expect(login.text).toContain('<h1>Log in</h1>')
    const next = new URL(login.url).searchParams.get('return') ?? ''
    expect(next).toMatch(/^\/oauth\/interaction\//)
    const wrong = await browser.submit(`${url}/login`, { return: next, email: person.email, password: 'wrong' })
    expect([wrong.status, wrong.text.includes('That did not work')]).toEqual([401, true])
    const right = await browser.submit(`${url}/login`, { return: next, email: person.email, password: person.password })
    const consentPage = await browser.open(right.url ?? '')
    expect(new URL(consentPage.url).pathname).toMatch(/^\/consent\//)
    expect(consentPage.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; asks for access')
    expect(consentPage.text).toContain('<li>See spaces.</li>')
    expect(consentPage.text).not.toContain('<script>alert')
    const agreed = await browser.submit(consentPage.url, { decision: 'confirm' })
    expect((await browser.open(agreed.url ?? '')).url).toMatch(/^https:\/\/badges\.example\/callback\?code=/)
  })

  it('a refusal is one button, and another site cannot press either', async () => {
    const { browser, address, person } = await arrive()
    const cross = await browser.request(address, {
      method: 'POST',
      body: 'decision=confirm',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
    })
    expect(cross.status).toBe(403)
    expect((await person.get('/api/v1/me/grants')).body.data).toEqual([])
    const refused = await browser.submit(address, { decision: 'abort' })
    expect(new URL((await browser.open(refused.url ?? '')).url).searchParams.get('error')).toBe('access_denied')
    expect((await browser.submit(address, { decision: 'confirm' })).status).toBe(404)
  })

  it('the pages forbid scripts from elsewhere and framing, and lead only on to pages of ours', async () => {
    const { headers } = await fetch(`${url}/login?return=https://evil.example`)
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
    )
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', '/\tx']) {
      const text = await (await fetch(`${url}/login?return=${encodeURIComponent(next)}`)).text()
      expect(text).toContain('name="return" value="/"')
    }
  })
})

describe('logging in', () => {
  it('is not asked of whoever has logged in already', async () => {
    const { browser } = await arrive()
    expect(browser.visited).not.toContain('/login')
  })

  it('must be finished by the browser that began it: a link to it is of no use to another', async () => {
    const victim = await newPerson(house, 'Owner')
    const config = await discover(url, await newApplication(house))
    const attacker = new Browser(url)
    const login = await attacker.open((await ask(config, 'spaces:read')).start)
    const next = new URL(login.url).searchParams.get('return') ?? ''
    const visit = await new Browser(url, victim.cookie).open(`${url}${next}`)
    expect([visit.status, visit.text?.includes('another browser')]).toEqual([400, true])
  })

  it('ends with the session: after a logout it is asked for again', async () => {
    const { person, browser, config, address } = await arrive()
    await browser.open(await consent(person, address))
    await person.post('/api/v1/logout')
    expect(new URL((await browser.open((await ask(config, 'spaces:read')).start)).url).pathname).toBe('/login')
  })

  it('as somebody else in the same browser means that they are asked, not the one before', async () => {
    const { person, browser, config, address } = await arrive()
    await browser.open(await consent(person, address))
    const second = await newPerson(house, 'Owner')
    const [name = '', value = ''] = second.cookie.split('=')
    browser.cookies.set(`${name} /`, { value: `${name}=${value}`, path: '/' })
    const { url: page } = await browser.open((await ask(config, 'spaces:read')).start)
    const uid = new URL(page).pathname.replace('/consent/', '')
    expect((await person.get(`/api/v1/oauth/interactions/${uid}`)).status).toBe(404)
    expect((await second.get(`/api/v1/oauth/interactions/${uid}`)).body.data.user.id).toBe(second.id)
  })

  it('is asked for anew where the application says prompt=login, and not in vain', async () => {
    const { person, config } = await arrive('Owner')
    const browser = new Browser(url, person.cookie)
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const page = await browser.open((await ask(config, 'openid spaces:read', { prompt: 'login' })).start)
    expect(new URL(page.url).pathname).toBe('/login')
    const next = new URL(page.url).searchParams.get('return') ?? ''
    const again = await browser.submit(`${url}/login`, { return: next, email: person.email, password: person.password })
    expect(new URL((await browser.open(again.url ?? '')).url).pathname).toMatch(/^\/consent\//)
  })

  it('in another organization than the application’s is told so to the application', async () => {
    await createOrganization(house.engine, house.clock.now(), actor, 'Other')
    const other = await house.member('Owner', {}, 'Other')
    const application = await house.loggedIn(other.token).create('/api/v1/oauth-applications', {
      name: 'Foreign',
      redirect_uris: [REDIRECT],
      permissions: ['spaces:read'],
    })
    const person = await newPerson(house, 'Owner')
    const config = await discover(url, { client_id: application.id, client_secret: application.client_secret })
    const callback = await authorize(house, person, await ask(config, 'spaces:read'))
    expect(new URL(callback).searchParams.get('error')).toBe('access_denied')
  })

  it('is not possible with a token in place of the cookie', async () => {
    const config = await discover(url, await newApplication(house))
    const { start } = await ask(config, 'spaces:read')
    const browser = new Browser(url)
    const first = await browser.request(start)
    const answer = await browser.request(first.headers.get('location') ?? '', {
      headers: { authorization: `Token ${house.owner.token}` },
    })
    expect(answer.headers.get('location')).toContain('/login?return=')
    expect((await withHeaders(house.owner, {}).get('/api/v1/me')).status).toBe(200)
  })
})
