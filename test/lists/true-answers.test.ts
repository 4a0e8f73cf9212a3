import { describe, expect, it } from 'vitest'
import { allResources } from '../../src/all-resources.ts'
import { startHouse } from '../support/app.ts'
import { makeEstate } from '../support/mechanical.ts'

const house = await startHouse()
const { app, engine, owner } = house
const { system, space } = await makeEstate(owner, 'Zürich')
const type = await owner.create('/api/v1/key-types', { locking_system_id: system.id, code: 'G1' })

const refusal = async (path: string, body: object) => {
  const answer = await owner.post(path, body)
  return {
    status: answer.status,
    msg: answer.body.msg,
    reason: answer.body.error?.reason,
    details: answer.body.error?.details,
  }
}

describe('what people read in one line', () => {
  it.each([
    ['blanks', '  \u00a0', 'nothing but blanks'],
    ['a zero-width character', 'Main\u200b', 'the character U+200B (cannot be seen)'],
    ['a line break', 'Main\r\nentrance', 'the character U+000D (line break)'],
    ['a control of the writing direction', '\u202eniaM', 'the character U+202E (turns the writing direction)'],
  ])('is refused with %s, by a sentence', async (_, name, fault) => {
    expect(await refusal('/api/v1/access-points', { space_id: space.id, name })).toMatchObject({
      status: 400,
      reason: 'body.format',
      msg: `name must be one line of visible text of 1 to 200 characters, such as "Main entrance"; got ${fault}`,
    })
    expect((await refusal('/api/v1/individuals', { given_name: 'Ada', family_name: name })).reason).toBe('body.format')
    expect((await refusal('/api/v1/keys', { key_type_id: type.id, number: name })).reason).toBe('body.format')
    expect((await owner.patch(`/api/v1/spaces/${space.id}`, { department: name })).status).toBe(400)
  })

  it('is every field with a name, a number, a code or a label that a body can set', () => {
    const written = /(^|_)name$|^(number|code|label|slug|department|company|email|manufacturer|model|vendor)$/
    const loose = allResources.flatMap(({ noun, fields }) =>
      Object.entries(fields)
        .filter(
          ([name, { spec }]) =>
            written.test(name) && spec.type === 'string' && spec.mode !== 'ro' && spec.schema.format !== 'line',
        )
        .map(([name]) => `${noun}.${name}`),
    )
    expect(loose).toEqual([])
    const bodies = app.routeTable.flatMap(({ method, url, doc }) =>
      Object.entries(doc?.body?.schema.properties ?? {})
        .filter(([name, schema]) => name === 'name' && schema.format !== 'line')
        .map(() => `${method} ${url}`),
    )
    expect(bodies).toEqual([])
  })

  it('that was stored before there was a rule is read, listed and changed otherwise', async () => {
    const { id } = await owner.create('/api/v1/locations', { name: 'Old' })
    await engine.transaction((session) =>
      session.run('update locations set name = $1 where id = $2', [' \u200b\n', id]),
    )
    expect((await owner.get(`/api/v1/locations?id=eq.${id}`)).body.data[0].name).toBe(' \u200b\n')
    const changed = await owner.patch(`/api/v1/locations/${id}`, { slug: 'old' })
    expect([changed.status, changed.body.data.name]).toEqual([200, ' \u200b\n'])
  })
})

describe('a body that does not fit is told so in a sentence with an example', () => {
  it.each([
    [
      '/api/v1/spaces',
      { name: 'x', floor: 'three' },
      'floor must be a whole number from -200 to 500 or null, such as 2; got "three"',
    ],
    [
      '/api/v1/spaces',
      { name: 'x', floor: 501 },
      'floor must be a whole number from -200 to 500 or null, such as 2; got 501',
    ],
    [
      '/api/v1/spaces',
      { name: 'x', floor: 1.5 },
      'floor must be a whole number from -200 to 500 or null, such as 2; got 1.5',
    ],
    [
      '/api/v1/spaces',
      {},
      'name is required: one line of visible text of 1 to 200 characters, such as "E 27.3 Seminar room"',
    ],
    ['/api/v1/spaces', { name: 'x', flor: 1 }, 'flor is not a field that can be set here (did you mean "floor"?)'],
    [
      '/api/v1/spaces',
      { name: ['x'] },
      'name must be one line of visible text of 1 to 200 characters, such as "E 27.3 Seminar room"; got a list',
    ],
    [
      '/api/v1/spaces',
      { name: 'x'.repeat(201) },
      'name must be one line of visible text of 1 to 200 characters, such as "E 27.3 Seminar room"; got 201 characters',
    ],
    ['/api/v1/spaces', { name: 'x', version: 3 }, 'version is read-only'],
    [
      '/api/v1/access-points',
      { name: 'x', kind: 'dor' },
      'kind must be one of door, gate, barrier, turnstile, elevator, locker, cabinet, window (did you mean ' +
        '"door"?); got "dor"',
    ],
    [
      '/api/v1/keys',
      { number: '1', due_back_on: '31.12.2027' },
      'due_back_on must be a date of the calendar or null, such as "2027-03-31"; got "31.12.2027"',
    ],
    [
      '/api/v1/individuals',
      { valid_from: 'now' },
      'valid_from must be an RFC 3339 timestamp with an offset or null, such as "2026-05-04T08:30:00.000Z"; got "now"',
    ],
    ['/api/v1/individuals', { status: 'offboarded' }, 'status must be one of invited, active; got "offboarded"'],
    [
      '/api/v1/keys',
      { number: '1', key_type_id: type.id, status: 'issued' },
      'status must be one of ordered, in_stock; got "issued"',
    ],
  ] as const)('%s %j', async (path, body, sentence) => {
    const { status, msg, details } = await refusal(path, {
      ...(path.endsWith('spaces') ? { building_id: space.id } : {}),
      ...body,
    })
    expect(status).toBe(400)
    expect(details.map(({ message }: { message: string }) => message)).toContain(sentence)
    expect(msg).toMatch(/^[\w.]+ (must be|is) /)
  })

  it('each fault once, and no more than are shown', async () => {
    expect((await refusal('/api/v1/locations', { name: 'x', latitude: 'north', longitude: 'east' })).msg).toMatch(
      /\(and 1 more\)$/,
    )
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field_${index}`, 1]))
    const { msg, details } = await refusal('/api/v1/locations', { name: 'x', ...many })
    expect([msg.endsWith('(and 19 or more)'), details.length]).toEqual([true, 20])
  })

  it('without repeating what may be a secret', async () => {
    const secret = 'hunter2 hunter2'
    const wrong = [
      await owner.post('/api/v1/credentials', { type: 'pin', pin: secret }),
      await house.anonymous.post('/api/v1/login', { email: 'a@b', password: 17, code: secret.repeat(3) }),
      await house.anonymous.post('/api/v1/invitations/accept', { token: 'x', password: secret.slice(0, 3) }),
    ]
    for (const { status, body } of wrong) {
      expect(status).toBe(400)
      expect(JSON.stringify([body.msg, body.error.details])).not.toMatch(/hunter2|got \\"hun|got 17|horse/)
    }
  })
})

describe('the reference says what a creation takes', () => {
  const schemas = async () => (await owner.get('/api/v1/openapi.json')).body.components.schemas
  it.each([
    ['KeyCreate', ['ordered', 'in_stock']],
    ['IndividualCreate', ['invited', 'active']],
  ])('%s', async (name, values) => {
    expect((await schemas())[name].properties.status.enum).toEqual(values)
  })

  it('and of every value of every enum that it lists, that it is taken', async () => {
    const individual = await schemas()
    for (const status of individual.IndividualCreate.properties.status.enum)
      expect((await owner.post('/api/v1/individuals', { display_name: status, status })).status).toBe(201)
  })
})
