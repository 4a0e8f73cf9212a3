import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ask, answer } from '../../src/access/answer.ts'
import { Settings } from '../../src/access/settings.ts'
import { shown } from '../../src/access/shown.ts'
import type { Decision } from '../../src/core/decide/decide.ts'
import { explain } from '../../src/core/decide/explain.ts'
import { languages } from '../../src/core/decide/language.ts'
import { reasons } from '../../src/core/decide/reasons.ts'
import { OrgHandle } from '../../src/db/org.ts'
import { startHouse } from '../support/app.ts'
import type { Asked, Expected } from './case.ts'
import { table } from './cases.ts'
import { hasRight } from './has-right.ts'
import { Ground, MadeWorld } from './world.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const ground = new Ground(house)
const PATH = '/api/v1/access-decisions'
const OPENING: readonly string[] = ['granted', 'evacuation', 'door_unlocked']

const settings = () => new Settings(new OrgHandle(engine, 1, clock.now()))

beforeAll(() => ground.lay())

describe('the table', () => {
  it('has at least two hundred cases, and reaches every reason', () => {
    const expected = table.flatMap(({ cases }) =>
      cases.map(([, , one]) => (typeof one === 'string' ? one : one.reason)),
    )
    expect(expected.length).toBeGreaterThanOrEqual(200)
    expect([...new Set(expected)].sort()).toEqual([...reasons].sort())
  })

  it('names each world once, and each case of it', () => {
    const names = table.flatMap(({ name, cases }) => cases.map(([one]) => `${name}: ${one}`))
    expect(new Set(names).size).toBe(names.length)
  })
})

describe.each(table)('$name', ({ world: spec, cases }) => {
  const world = new MadeWorld(ground, spec)
  const questions: object[] = []
  const answers: object[] = []

  beforeAll(() => world.make())
  afterAll(() => world.release())

  it.each(cases)('%s', async (_, asked, said) => {
    const expected: Expected = typeof said === 'string' ? { reason: said } : said
    const question = await world.question(asked)
    const answered = await owner.post(PATH, question)
    expect(answered.status, answered.text).toBe(200)
    const { data } = answered.body
    expect(data).toMatchObject(wanted(expected, world))
    questions.push(question)
    answers.push(data)
    // A grant that is assumed has its row made from the request; all else is asked of `decide()` itself as well.
    if (!asked.assume) {
      const decision = await answer(settings(), { at: clock.now(), ...question } as Ask)
      expect(decision && shown(decision, 'en')).toEqual(data)
      if (decision) isPlainSpeech(decision)
    }
    if (isForLists(asked)) await listsAgree(world, asked, data)
  })

  it('is answered in a batch as one by one', async () => {
    const batch = await owner.post(`${PATH}/batch`, { questions })
    expect(batch.body.data.decisions).toEqual(answers)
  })
})

function wanted({ reason, reasons: all, next, until, missing, grant, means }: Expected, world: MadeWorld): object {
  return {
    decision: OPENING.includes(reason) ? 'granted' : 'denied',
    reason,
    ...(all ? { reasons: all } : {}),
    ...(next === undefined ? {} : { next_allowed_at: next }),
    ...(until === undefined ? {} : { holds_until: until }),
    ...(missing ? { conditions_missing: missing } : {}),
    ...(grant === undefined ? {} : { grant_id: grant === null ? null : world.grants[grant] }),
    ...(means === undefined ? {} : { means: means === null ? null : expect.objectContaining({ type: means }) }),
  }
}

/** Every sentence says something, in both languages. */
function isPlainSpeech(decision: Decision): void {
  const [english, german] = languages.map((language) => explain(decision, language))
  for (const sentence of [...(english ?? []), ...(german ?? [])]) {
    expect(sentence).not.toMatch(/undefined|null|NaN|Invalid|\[object|^\s|\s\s|\s$/)
    expect(sentence).toMatch(/\.$/)
  }
  expect(german?.length).toBe(english?.length)
  expect(german).not.toEqual(english)
}

/** A list asks for people as they come: alone, the way the door leads. */
const isForLists = ({ card, read, direction, with: others, assume }: Asked): boolean =>
  !(card || read || direction || others || assume)

interface Row {
  allowed: boolean
  reason: string
}

async function listsAgree(
  world: MadeWorld,
  { who = 'ada', at = clock.now() }: Asked,
  data: Record<string, unknown>,
): Promise<void> {
  const person = world.id(who)
  const isListed = hasRight(world.spec, who, at)
  const row = {
    allowed: data.decision === 'granted',
    reason: data.reason,
    next_allowed_at: data.next_allowed_at,
    holds_until: data.holds_until,
    grant_id: data.grant_id,
    path: data.path,
  }
  const lists = [
    [`/api/v1/access-points/${world.id('door')}/who-can-open`, 'individual_id', person],
    [`/api/v1/spaces/${world.id('room')}/who-can-enter`, 'individual_id', person],
    [`/api/v1/individuals/${person}/can-open`, 'access_point_id', world.id('door')],
  ]
  for (const [url, key, id] of lists) {
    const list = await owner.get(`${url}?at=${at}&limit=100`)
    expect(list.status, list.text).toBe(200)
    const rows: Row[] = list.body.data
    const mine = rows.filter((one) => Reflect.get(one, key as string) === id)
    expect(mine, `${url} at ${at}`).toHaveLength(isListed ? 1 : 0)
    if (isListed) expect(mine[0]).toMatchObject(row)
  }
}
