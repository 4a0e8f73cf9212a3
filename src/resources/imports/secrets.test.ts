import { expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'
import { textOfRows } from '../../../test/support/rows.ts'
import { uploadTo } from '../../../test/support/upload.ts'
import { sealStored } from '../../jobs/seal-stored.ts'

const house = await startHouse()
const { app, owner, engine } = house
const PATH = '/api/v1/imports'

/** As it should be, of a row that is refused, in a column that is passed over, and in a row that slipped by a cell. */
const pins = ['47118830', '59302217', '83920571', '60417733'] as const
const [good, refused, passedOver, slipped] = pins
const HEAD = 'type,number,pin,Geheim,external_id'
const rowsOf = (key: string) => [
  `card,${key}1,${good},,${key}-1`,
  `alien,${key}2,${refused},${passedOver},${key}-2`,
  `${slipped},,,,${key}-3`,
]

const tried = async (key: string, client: Client = owner) => {
  const file = [HEAD, ...rowsOf(key)].join('\n')
  const { status, body } = await uploadTo(app, client, {
    file,
    name: 'cards.csv',
    fields: { resource: 'credentials', dry_run: 'true' },
  })
  expect([status, body.data.status, body.data.created, body.data.failed]).toEqual([201, 'checked', 1, 2])
  return body.data
}
const run = async (id: string, client: Client = owner) => {
  expect((await client.post(`${PATH}/${id}/run`)).status).toBe(200)
  await app.imports.settled()
  const { data } = (await owner.get(`${PATH}/${id}`)).body
  expect([data.status, data.created, data.failed]).toEqual(['done', 1, 2])
}
const failedRows = async (id: string, client: Client) =>
  (await client.get(`${PATH}/${id}/failed-rows`)).text.split('\r\n')

it('a PIN in a file is stored readably nowhere: not when it was tried, nor when it was taken in or refused', async () => {
  const expectNone = async () => {
    const stored = await textOfRows(engine)
    expect(stored).toContain('a-1')
    for (const pin of pins) expect(stored).not.toContain(pin)
  }
  const { id, errors } = await tried('a')
  expect(errors.at(-1).message).toContain(slipped)
  await expectNone()
  await run(id)
  expect((await owner.get('/api/v1/credentials?external_id=eq.a-1')).body.data[0]).toMatchObject({
    number: 'a1',
    has_pin: true,
  })
  await expectNone()
})

it('whoever sent it has it in the file of failed rows; nobody else has, by whomever it was run', async () => {
  const { id } = await tried('b')
  const manager = await house.member('Facility manager')
  await run(id, manager)
  const [head, ...own] = await failedRows(id, owner)
  expect(head).toBe(`\uFEFF${HEAD},error`)
  expect(own[0]).toContain(`alien,b2,${refused},${passedOver},b-2,`)
  for (const other of [manager, await memberWith(house, ['imports:read', 'credentials:read'])]) {
    const lines = await failedRows(id, other)
    expect(lines[0]).toBe('\uFEFFtype,number,external_id,error')
    expect(lines[1]).toMatch(/^alien,b2,b-2,/)
    expect(lines.join()).not.toMatch(new RegExp(`${refused}|${passedOver}`))
  }
})

it('settings that cannot be read are not repeated where others see what is wrong', async () => {
  const rows = [
    ['name', 'settings'],
    ['Gate', '{"api_key": "s3cr3t"'],
  ]
  const { body } = await owner.post(PATH, { resource: 'access-control-systems', rows })
  expect(body.data.errors).toMatchObject([
    { cell: 'B2', rule: 'import.cell', message: 'settings must be JSON, as exports write it' },
  ])
  const reader = await memberWith(house, ['imports:read', 'access-control-systems:read'])
  expect((await failedRows(body.data.id, reader))[0]).toBe('\uFEFFname,error')
})

it('rows that an earlier version stored as they are work as they did, and are sealed at the start', async () => {
  const { id } = await tried('c')
  const cells = rowsOf('c').map((row) => JSON.stringify(row.split(',')))
  await engine.transaction(async (session) => {
    for (const [index, text] of cells.entries())
      await session.run('update import_rows set cells = $1, errors = $2 where import_id = $3 and row_number = $4', [
        text,
        '[]',
        id,
        index + 2,
      ])
  })
  expect(await textOfRows(engine)).toContain(good)
  expect((await failedRows(id, owner))[2]).toContain(passedOver)
  await sealStored(engine, house.clock.now())
  expect(await textOfRows(engine)).not.toContain(good)
  expect((await failedRows(id, owner))[2]).toContain(passedOver)
  await run(id)
})
