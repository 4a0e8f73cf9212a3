import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'
import { countRows } from '../../../test/support/rows.ts'
import { uploadTo } from '../../../test/support/upload.ts'
import type { Permission } from '../../core/permissions.ts'
import { zip } from '../../http/lists/zip.ts'
import { pruneImports } from '../../jobs/pruning/prune-imports.ts'

const house = await startHouse()
const { app, owner, engine } = house
const PATH = '/api/v1/imports'

const upload = (
  file: string | Buffer,
  fields: Record<string, string> = {},
  { client = owner, name = 'people.csv', query = '' }: { client?: Client; name?: string; query?: string } = {},
) => uploadTo(app, client, { file, name, fields: { resource: 'individuals', ...fields }, query })

const counts = ({ body }: { body: { data: Record<string, unknown> } }) =>
  ['status', 'rows', 'created', 'changed', 'unchanged', 'failed'].map((name) => body.data[name])
const settled = async (id: string) => {
  await app.imports.settled()
  return owner.get(`${PATH}/${id}`)
}
const people = async (query: string) => (await owner.get(`/api/v1/individuals?${query}`)).body.data

let building: { id: string }
let other: { id: string }
beforeAll(async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Zürich' })
  building = await owner.create('/api/v1/buildings', { name: 'Nord', location_id: location.id, external_id: 'b-n' })
  other = await owner.create('/api/v1/buildings', { name: 'Süd', location_id: location.id })
})

describe('a file', () => {
  it('that is sent again with its key is taken in once, and answered as it was; another one is refused', async () => {
    const csv = 'Vorname;Nachname\nTwice;Sent\nTwice;Over'
    const rows = [['Vorname', 'Nachname'], ...['Sent', 'Over'].map((name) => ['Once', name])]
    const ways = {
      Twice: (more = '', headers: Record<string, string> = {}) =>
        uploadTo(app, owner, { file: csv + more, name: 'people.csv', fields: { resource: 'individuals' }, headers }),
      Once: (more = '', headers: Record<string, string> = {}) =>
        owner.post(PATH, { resource: 'individuals', rows: more ? [...rows, ['Once', more]] : rows }, headers),
    }
    for (const [name, send] of Object.entries(ways)) {
      const headers = { 'idempotency-key': randomUUID() }
      const first = await send('', headers)
      expect([first.status, first.body.data.status, first.body.data.created]).toEqual([201, 'done', 2])
      const again = await send('', headers)
      expect([again.status, again.text, again.headers.location]).toEqual([201, first.text, first.headers.location])
      expect((await send(';More', headers)).body.error.code).toBe('IDEMPOTENCY_KEY_REUSED')
      expect(await people(`given_name=eq.${name}`)).toHaveLength(2)
      const once = { 'idempotency-key': `at-once-${name}` }
      const both = await Promise.all([send('', once), send('', once)])
      expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
      expect(await people(`given_name=eq.${name}`)).toHaveLength(4)
    }
  })

  it('is taken in by its German headings: leading zeros, umlauts, dates and defused formulas as they were meant', async () => {
    const csv = [
      'Vorname;Nachname;Personalnummer;Gebäude;gültig bis;Bemerkung;external_id',
      'Jürg;Müller;007;Nord;31.12.2027;x;hr-1',
      'Zoë;Ångström;0042;b-n;2027-12-31T22:00:00Z;y;hr-2',
      '\'=Eve;"Semi;colon";\'+41;Süd;;z;hr-3',
    ].join('\r\n')
    const made = await upload(`\uFEFF${csv}\r\n`)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    expect(counts(made)).toEqual(['done', 3, 3, 0, 0, 0])
    expect(made.body.data.mapping).toMatchObject({ Vorname: 'given_name', Gebäude: 'building_id', Bemerkung: null })
    const [one, two, three] = await people('external_id=like.hr-*&order=external_id')
    expect(one).toMatchObject({
      given_name: 'Jürg',
      family_name: 'Müller',
      personnel_number: '007',
      building_id: building.id,
    })
    expect(two).toMatchObject({ given_name: 'Zoë', building_id: building.id, valid_until: '2027-12-31T22:00:00.000Z' })
    expect(three).toMatchObject({
      given_name: '=Eve',
      family_name: 'Semi;colon',
      personnel_number: '+41',
      building_id: other.id,
      valid_until: null,
    })
    const again = await upload(csv)
    expect(counts(again)).toEqual(['done', 3, 0, 0, 3, 0])
  })

  it('that is sent as it is, without its form, is told what is taken', async () => {
    const answer = await owner.post('/api/v1/imports', 'name\r\nA', { 'content-type': 'text/csv' })
    expect([answer.status, answer.body.msg]).toEqual([415, 'Send the body as application/json or multipart/form-data'])
  })

  it('in the encoding of older spreadsheets is read as it was written', async () => {
    const made = await upload(Buffer.from('given_name,family_name,external_id\nJürg,Grün,latin-1\n', 'latin1'))
    expect(counts(made)).toEqual(['done', 1, 1, 0, 0, 0])
    expect((await people('external_id=eq.latin-1'))[0].given_name).toBe('Jürg')
  })

  it('that a spreadsheet saved as Unicode text, or led by the separator it uses, is read as it was written', async () => {
    const text = 'given_name\tfamily_name\texternal_id\r\nJürg\tGrün\tunicode-1\r\n'
    expect(counts(await upload(Buffer.from(`\uFEFF${text}`, 'utf16le')))).toEqual(['done', 1, 1, 0, 0, 0])
    expect((await people('external_id=eq.unicode-1'))[0].family_name).toBe('Grün')
    const bigEndian = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()
    expect(counts(await upload(bigEndian))).toEqual(['done', 1, 0, 0, 1, 0])
    const led = await upload('sep=|\r\ngiven_name|family_name|external_id|kind\r\nA, B|C|sep-1|alien\r\n')
    expect(counts(led)).toEqual(['done', 1, 0, 0, 0, 1])
    // As a spreadsheet shows it, which does not show that line.
    expect(led.body.data.errors[0]).toMatchObject({ row: 2, cell: 'D2' })
  })

  it.each([
    ['given_name,family_name\nA,B\n"A,B\nC,D\n', 'opens behind row 2 is never closed'],
    ['given_name,family_name\nA,B\nA,12" x\n', 'line 3 has a quotation mark'],
    ['given_name,family_name\nA,B\0\n', 'Row 2 of the file has a character that no text has'],
  ])('that cannot be read is refused with the place: %j', async (file, told) => {
    const { status, body } = await upload(file)
    expect([status, body.error.reason]).toEqual([400, 'import.file'])
    expect(body.msg).toContain(told)
  })

  it('of a spreadsheet is taken in too', async () => {
    const text = (value: string) => ({ value, type: String })
    const day = { value: new Date('2027-12-31T00:00:00Z'), type: Date, format: 'dd.mm.yyyy' }
    const hour = { value: new Date('2027-03-31T08:30:00Z'), type: Date, format: 'dd.mm.yyyy hh:mm' }
    const rows = [
      [
        text('First name'),
        text('Last name'),
        text('Personnel number'),
        text('external_id'),
        text('From'),
        text('Until'),
        text('Phone'),
      ],
      [text('Ada'), text('Lovelace'), text('00815'), text('x-1'), hour, day, { value: 4711, type: Number }],
    ]
    const made = await upload(await writeXlsxFile(rows).toBuffer(), {}, { name: 'people.xlsx' })
    expect(counts(made)).toEqual(['done', 1, 1, 0, 0, 0])
    expect((await people('external_id=eq.x-1'))[0]).toMatchObject({
      given_name: 'Ada',
      personnel_number: '00815',
      phone: '4711',
      // As the cell shows it, where the organization is.
      valid_from: '2027-03-31T06:30:00.000Z',
      valid_until: '2027-12-31T23:00:00.000Z',
    })
  })

  it('of a spreadsheet whose formulas failed is told by cell: an error is no empty cell, which would clear what is there', async () => {
    const text = (place: string, value: string) =>
      `<x:c r="${place}" t="inlineStr"><x:is><x:t>${value}</x:t></x:is></x:c>`
    const cells = ['given_name', 'family_name', 'external_id'].map((name, at) => text(`${'ABC'[at]}1`, name)).join('')
    const book = (row: string) => ({
      'xl/sheets/one.xml':
        `<x:worksheet ` +
        `xmlns:x="m"><x:sheetData><x:row r="1">${cells}</x:row><x:row r="2">${row}</x:row></x:sheetData></x:worksheet>`,
      'xl/workbook.xml': `<workbook xmlns:q="o"><sheets><sheet name="S" sheetId="4" q:id='rId7'/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId7" Target="/xl/sheets/one.xml"/></Relationships>',
    })
    const packed = async (parts: Record<string, string>) => {
      async function* entries() {
        for (const [name, content] of Object.entries(parts)) yield { name, content: [content] }
      }
      return Buffer.concat(await Array.fromAsync(zip(entries())))
    }
    const row = `${text('A2', ' t="e" is no error')}${text('B2', 'B')}`
    const sent = async (more: string) => upload(await packed(book(row + more)), {}, { name: 'people.xlsx' })
    for (const shown of ['#N/A', 'what no spreadsheet shows']) {
      const failed = await sent(
        `<x:c r="C2" t="e"><x:v>${shown}</x:v></x:c></x:row><x:row r="3">${text('A3', 'C')}${text('B3', 'D')}`,
      )
      expect(counts(failed)).toEqual(['done', 2, 1, 0, 0, 1])
      expect(failed.body.data.errors).toMatchObject([{ cell: 'C2', path: 'external_id', rule: 'import.cell' }])
    }
    expect((await upload('id,given_name\n#N/A,#REF!\n')).body.data.errors).toMatchObject([
      { cell: 'A2' },
      { cell: 'B2' },
    ])
    const third = `</x:row><x:row r="3">${text('A3', 'C')}${text('B3', 'D')}`
    const left = await sent(`<x:c r="C2"><x:f>A1</x:f><x:v/></x:c><x:c r="D2"><x:f>A1</x:f></x:c>${third}`)
    expect(counts(left)).toEqual(['done', 2, 1, 0, 0, 1])
    expect(left.body.data.errors).toMatchObject([
      {
        cell: 'C2',
        path: 'external_id',
        rule: 'import.cell',
        message: expect.stringContaining('a formula without its result'),
      },
    ])
    expect(counts(await sent('<x:c r="C2" t="str"><x:f>A1</x:f><x:v></x:v></x:c>'))).toEqual(['done', 1, 1, 0, 0, 0])
  })

  it('is told by cell what is wrong with it; the other rows are taken in, and those that failed come back as a file', async () => {
    await owner.create('/api/v1/buildings', {
      name: 'Nord',
      location_id: (await owner.get('/api/v1/locations')).body.data[0].id,
    })
    const csv =
      'given_name,family_name,kind,building,external_id,valid_until\nA,B,employee,Süd,e-1,\nA,,alien,West,e-2,soon\nA,B,,Nord,e-3,\n'
    const made = await upload(csv)
    expect(counts(made)).toEqual(['done', 3, 1, 0, 0, 2])
    const told = made.body.data.errors.map(({ cell, path, rule }: Record<string, string>) => [cell, path, rule])
    expect(told).toEqual([
      ['C3', 'kind', 'body.enum'],
      ['D3', 'building_id', 'reference.not_found'],
      ['F3', 'valid_until', 'import.cell'],
      ['D4', 'building_id', 'import.ambiguous'],
    ])
    expect(made.body.data.errors[3].message).toContain('b-n')
    const failed = await owner.get(`${PATH}/${made.body.data.id}/failed-rows`)
    expect(failed.headers['content-type']).toContain('text/csv')
    const lines = failed.text.split('\r\n')
    expect(lines[0]).toBe('\uFEFFgiven_name,family_name,kind,building,external_id,valid_until,error')
    expect(lines[1]).toMatch(/^A,,alien,West,e-2,soon,.*C3: kind must be .*D3: building_id: there is no building/)
    expect(lines).toHaveLength(4)
    const enumerated = await upload('given_name,family_name,kind,external_id\nA,B,alien,e-4\n')
    expect(enumerated.body.data.errors[0]).toMatchObject({ cell: 'C2', path: 'kind', rule: 'body.enum' })
  })

  it('that is only tried says what would become of each row, keeps nothing, and is then run', async () => {
    const csv =
      'given_name,family_name,external_id,manager\nNew,One,t-1,\nNew,Two,t-2,t-1\nJürg,Müller,hr-1,\nJürg,Meier,hr-2,nobody\n'
    const before = await people('')
    const tried = await upload(csv, { dry_run: 'true' })
    expect(counts(tried)).toEqual(['checked', 4, 2, 0, 1, 1])
    expect((await people('')).length).toBe(before.length)
    const run = await owner.post(`${PATH}/${tried.body.data.id}/run`)
    expect(run.status).toBe(200)
    expect(counts(await settled(tried.body.data.id))).toEqual(['done', 4, 2, 0, 1, 1])
    const [one, two] = await people('external_id=in.(t-1,t-2)&order=external_id')
    expect(two.manager_id).toBe(one.id)
    expect((await owner.post(`${PATH}/${tried.body.data.id}/run`)).body.error.reason).toBe('import.status')
  })

  it('is told by the rows that a spreadsheet shows: empty ones count, and are passed over', async () => {
    const csv = 'given_name,family_name,external_id,kind\nA,B,line-1,\n\n,,,\nA,B,line-2,alien\n\n'
    const made = await upload(csv)
    expect(counts(made)).toEqual(['done', 2, 1, 0, 0, 1])
    expect(made.body.data.errors[0]).toMatchObject({ row: 5, cell: 'D5' })
  })

  it('with ids that are none here is known by its keys, or told so', async () => {
    const id = '018f4e3c-0000-7000-8000-000000000000'
    const made = await upload(`id,given_name,family_name,external_id\n${id},A,B,moved-1\n${id},A,C,\nx,A,C,\n`)
    expect(counts(made)).toEqual(['done', 3, 1, 0, 0, 2])
    expect(made.body.data.errors.map(({ cell, rule }: Record<string, string>) => [cell, rule])).toEqual([
      ['A3', 'reference.not_found'],
      ['A4', 'reference.not_found'],
    ])
    const [person] = await people('external_id=eq.moved-1')
    expect(counts(await upload(`id,family_name\n${person.id},Changed\n`))).toEqual(['done', 1, 0, 1, 0, 0])
  })

  it('whose rows build on each other is taken in as if each came by itself, and recorded in their order', async () => {
    const lines = [
      'external_id;given_name;family_name;manager_id',
      'chain-1;Ada;One;',
      'chain-2;Bea;Two;chain-1',
      'chain-3;Cem;Three;Ada One',
      'chain-1;Ada;Uno;',
      'chain-4;Dan;Four;chain-2',
    ]
    const made = await upload(lines.join('\n'))
    expect(counts(made), JSON.stringify(made.body)).toEqual(['done', 5, 4, 1, 0, 0])
    const [one, two, three, four] = await people('external_id=like.chain-*&order=external_id')
    expect(one).toMatchObject({ family_name: 'Uno', version: 2 })
    expect([two.manager_id, three.manager_id, four.manager_id]).toEqual([one.id, one.id, two.id])
    const { data } = (await owner.get('/api/v1/audit-log?resource=eq.individuals&order=sequence.desc&limit=5')).body
    expect(
      data.map((entry: { action: string; resource_id: string }) => [entry.action, entry.resource_id]).reverse(),
    ).toEqual([
      ['individual.created', one.id],
      ['individual.created', two.id],
      ['individual.created', three.id],
      ['individual.updated', one.id],
      ['individual.created', four.id],
    ])
    const [created] = data
    expect(created.after).toMatchObject({ id: four.id, family_name: 'Four', version: 1, manager_id: two.id })
  })

  it('in which a later row has what an earlier one took is told so, and the others are taken in', async () => {
    const system = await owner.create('/api/v1/locking-system', { name: 'Twice', building_id: building.id })
    const lines = ['locking_system_id;code', `${system.id};GHS`, `${system.id};GHS`, `${system.id};HS1`]
    const made = await upload(lines.join('\n'), { resource: 'key-types' })
    expect(counts(made), JSON.stringify(made.body)).toEqual(['done', 3, 2, 0, 0, 1])
    expect(made.body.data.errors).toMatchObject([{ row: 3, cell: 'B3', rule: 'not_unique' }])
    const { data } = (await owner.get(`/api/v1/key-types?locking_system_id=eq.${system.id}&order=code`)).body
    expect(data.map(({ code }: { code: string }) => code)).toEqual(['GHS', 'HS1'])
  })

  it('clears by an empty cell what may be empty', async () => {
    const file = (text: string) =>
      upload(`name,external_id,description\nGate,clear-1,${text}\n`, { resource: 'access-groups' })
    await file('to the yard')
    expect(counts(await file(''))).toEqual(['done', 1, 0, 1, 0, 0])
    expect((await owner.get('/api/v1/access-groups?external_id=eq.clear-1')).body.data[0].description).toBe(null)
    const [space] = [{ resource: 'spaces' }]
    const room = (text: string) => upload(`name,external_id,building,description\nHall,clear-2,b-n,${text}\n`, space)
    expect(counts(await room('large'))).toEqual(['done', 1, 1, 0, 0, 0])
    expect(counts(await room(''))).toEqual(['done', 1, 0, 1, 0, 0])
  })

  it('remembers how its columns were meant', async () => {
    const head = 'V,N,K\n'
    expect((await upload(`${head}A,B,m-1\n`)).body.error.reason).toBe('import.mapping')
    const mapping = JSON.stringify({ V: 'given_name', N: 'family_name', K: 'external_id' })
    expect(counts(await upload(`${head}A,B,m-1\n`, { mapping }))).toEqual(['done', 1, 1, 0, 0, 0])
    expect(counts(await upload(`${head}A,C,m-1\n`))).toEqual(['done', 1, 0, 1, 0, 0])
  })

  it('is known by its headings where a mapping leaves columns out; none is taken for a field that the mapping gave away', async () => {
    const csv = 'Vorname,Nachname,Haus,Gebäude,external_id,E-Mail\nA,B,Nirgends,Süd,part-1,a@example.com\n'
    const made = await upload(csv, { mapping: JSON.stringify({ Gebäude: 'building_id', 'E-Mail': null }) })
    expect(counts(made)).toEqual(['done', 1, 1, 0, 0, 0])
    expect(made.body.data.mapping).toEqual({
      Vorname: 'given_name',
      Nachname: 'family_name',
      Haus: null,
      Gebäude: 'building_id',
      external_id: 'external_id',
      'E-Mail': null,
    })
    expect((await people('external_id=eq.part-1'))[0]).toMatchObject({
      given_name: 'A',
      building_id: other.id,
      email: null,
    })
  })

  it('is told of by what became of it: what was only tried is not in', async () => {
    const csv = 'given_name,family_name,external_id,kind\nA,B,told-1,\nA,B,told-2,alien\n'
    const tried = await upload(csv, { dry_run: 'true' })
    expect(tried.body.msg).toBe('Tried the file: 2 rows, 1 would be created, 0 changed, 0 unchanged, 1 would fail')
    expect((await owner.post(`${PATH}/${tried.body.data.id}/run`)).body.msg).toBe(
      'Taking the file in: 2 rows, so far 0 created, 0 changed, 0 unchanged, 0 failed',
    )
    await app.imports.settled()
    expect((await upload(csv)).body.msg).toBe('Took the file in: 2 rows, 0 created, 0 changed, 1 unchanged, 1 failed')
  })

  it.each([
    ['a mapping of a field that there is not', { mapping: '{"given_name":"no_such"}' }, 'import.mapping'],
    ['a resource that there is not', { resource: 'dragons' }, 'import.resource'],
    ['what is shown once', { resource: 'tokens' }, 'import.resource'],
    ['a field that there is not', { colour: 'red' }, 'body.unknown_field'],
  ])('with %s is refused, and leaves nothing', async (_what, fields, reason) => {
    const before = await countRows(engine)
    const refused = await upload('given_name,family_name\nA,B\n', fields as Record<string, string>)
    expect([refused.status, refused.body.error.reason]).toEqual([400, reason])
    expect(await countRows(engine)).toEqual(before)
  })

  it('that is none, or has no headings, is refused', async () => {
    expect((await upload('')).status).toBe(400)
    expect((await upload('a,a\n1,2\n')).body.error.reason).toBe('import.headings')
    expect((await upload('this is no sheet', {}, { name: 'x.xlsx' })).body.error.reason).toBe('import.file')
  })
})

describe('a larger file', () => {
  const many = (from: number, to: number) =>
    `given_name,family_name,external_id\n${Array.from({ length: to - from }, (_, n) => `G${from + n},F,big-${from + n}`).join('\n')}\n`

  it('is worked through beside the requests, row by row once', async () => {
    const made = await upload(many(0, 350))
    expect(made.body.data).toMatchObject({ status: 'running', rows: 350, row_done: 100 })
    expect(counts(await settled(made.body.data.id))).toEqual(['done', 350, 350, 0, 0, 0])
    const rows = await engine.reader.all<{ n: number }>(
      'select count(*) as n from import_rows where cells is not null and outcome is not null and outcome <> $1',
      ['failed'],
    )
    expect(Number(rows[0]?.n)).toBe(0)
  })

  it('that is cancelled stops where it is', async () => {
    const made = await upload(many(1000, 1150), { dry_run: 'true' })
    await settled(made.body.data.id)
    const cancelled = await owner.post(`${PATH}/${made.body.data.id}/cancel`)
    expect(cancelled.body.data.status).toBe('cancelled')
    expect((await owner.post(`${PATH}/${made.body.data.id}/run`)).status).toBe(409)
  })

  it('whose process is gone is taken up by another, and no row is done twice', async () => {
    const made = await upload(many(2000, 2250))
    await app.imports.settled()
    // As kill -9 leaves it: two slices are in, the third is not, and the claim has not been given up.
    await engine.transaction(async (session) => {
      await session.run(
        `update imports set status = 'running', claimed_until = '2027-06-15T12:00:30.000Z', row_done = 200,
          created = 200 where id = $1`,
        [made.body.data.id],
      )
      await session.run(`update import_rows set outcome = null, cells = $2 where import_id = $1 and row_number > 201`, [
        made.body.data.id,
        '["G2200","F","again"]',
      ])
    })
    const neighbour = await house.neighbour()
    expect(await neighbour.imports.takeUp()).toBe(0)
    house.clock.forward(60_000)
    expect(await neighbour.imports.takeUp()).toBe(1)
    await neighbour.imports.settled()
    const { data } = (await owner.get(`${PATH}/${made.body.data.id}`)).body
    expect([data.status, data.row_done]).toEqual(['done', 250])
    expect(await people('external_id=eq.again')).toHaveLength(1)
  })
})

describe('the rights of who sends it', () => {
  it('hold for each row: a role limited to a building takes in what lies there', async () => {
    const limited = await house.member('Facility manager', { building_id: building.id })
    const csv = `given_name,family_name,building_id\nA,Here,${building.id}\nA,There,${other.id}\nA,Nowhere,\nA,Named,Süd\n`
    const made = await upload(csv, {}, { client: limited })
    expect(counts(made)).toEqual(['done', 4, 1, 0, 0, 3])
    const own = await limited.get(PATH)
    expect(own.body.data.map(({ id }: { id: string }) => id)).toEqual([made.body.data.id])
    const theirs = (await owner.get(`${PATH}?limit=100`)).body.data.find(
      ({ id }: { id: string }) => id !== made.body.data.id,
    )
    for (const path of ['', '/failed-rows']) expect((await limited.get(`${PATH}/${theirs.id}${path}`)).status).toBe(404)
    expect((await limited.post(`${PATH}/${theirs.id}/cancel`)).status).toBe(404)
  })

  it('are those of what is taken in: without them it is refused', async () => {
    const operator = await house.member('Operator')
    expect((await upload('name\nX\n', { resource: 'locations' }, { client: operator })).status).toBe(403)
    expect((await upload('given_name,family_name\nA,B\n', {}, { client: operator })).status).toBe(201)
    expect((await upload('given_name,family_name\nA,B\n', {}, { client: await house.member('Auditor') })).status).toBe(
      403,
    )
    expect((await upload('a\n1\n', {}, { client: house.anonymous })).status).toBe(401)
  })

  it('that were taken meanwhile are gone for the rest', async () => {
    const member = await house.member('Facility manager')
    const csv = `given_name,family_name\n${Array.from({ length: 20 }, () => 'A,B').join('\n')}\n`
    const tried = await upload(csv, { dry_run: 'true' }, { client: member })
    const { id } = (await member.get('/api/v1/me')).body.data
    const [assignment] = (await owner.get(`/api/v1/role-assignments?service_user_id=eq.${id}`)).body.data
    expect((await house.loggedIn(owner.token).delete(`/api/v1/role-assignments/${assignment.id}`)).status).toBe(200)
    // It was under way, as another process left it.
    const no = process.env.ENGINE === 'postgres' ? 'false' : '0'
    await engine.transaction(async (session) => {
      const reset = `update imports set status = 'running', dry_run = ${no}, row_done = 0, created = 0 where id = $1`
      await session.run(reset, [tried.body.data.id])
    })
    expect(await app.imports.takeUp()).toBe(1)
    expect(counts(await settled(tried.body.data.id))).toEqual(['done', 20, 0, 0, 0, 20])
  })

  it.each(['its token is revoked', 'the organization is suspended'])('are gone for the rest once %s', async (what) => {
    const member = await house.member('Facility manager')
    const tried = await upload('given_name,family_name\nA,Late\nB,Late\n', { dry_run: 'true' }, { client: member })
    const { id, token } = (await member.get('/api/v1/me')).body.data
    const isToken = what.startsWith('its token')
    const revoke = `/api/v1/service-users/${id}/tokens/${token.id}/revoke`
    if (isToken) expect((await house.loggedIn(owner.token).post(revoke)).status).toBe(200)
    const no = process.env.ENGINE === 'postgres' ? 'false' : '0'
    const status = (to: string) =>
      engine.transaction((session) => session.run('update organizations set status = $1 where key = 1', [to]))
    await engine.transaction((session) =>
      session.run(`update imports set status = 'running', dry_run = ${no}, row_done = 0, created = 0 where id = $1`, [
        tried.body.data.id,
      ]),
    )
    if (!isToken) await status('suspended')
    expect(await app.imports.takeUp()).toBe(1)
    await app.imports.settled()
    if (!isToken) await status('active')
    expect(counts(await settled(tried.body.data.id))).toEqual(['done', 2, 0, 0, 0, 2])
    expect(await people('family_name=eq.Late')).toEqual([])
  })

  it('decide by what items can be named: nobody finds out by a name who is there whom they may not see', async () => {
    await owner.create('/api/v1/individuals', {
      given_name: 'Hid',
      family_name: 'Den',
      email: 'hid@example.org',
      external_id: 'hid-1',
    })
    await owner.create('/api/v1/access-groups', { name: 'Named', external_id: 'g-named' })
    const csv =
      `individual_id,access_point_id,access_group_id\nhid@example.org,x,\nHid Den,x,\nhid-1,x,\nno ` +
      `such,x,\n,x,Named\n`
    const tried = async (client: Client) => {
      const { body } = await upload(csv, { resource: 'access-grants', dry_run: 'true' }, { client })
      return body.data.errors.filter(({ column }: { column: string }) => column !== 'access_point_id')
    }
    const writer = await memberWith(house, ['imports:write', 'access-grants:write', 'access-groups:read'])
    const told: Array<{ row: number; rule: string; message: string }> = await tried(writer)
    // All alike, whoever is there; what they may read they name.
    expect(told.map(({ row, rule }) => [row, rule])).toEqual([2, 3, 4, 5].map((row) => [row, 'reference.not_found']))
    for (const { message } of told) expect(message).toContain('needs the permission individuals:read')
    const reader = await memberWith(house, [
      'imports:write',
      'access-grants:write',
      'access-groups:read',
      'individuals:read',
    ])
    expect((await tried(reader)).map(({ row }: { row: number }) => row)).toEqual([5])
  })

  it('that are for some places to see name nothing elsewhere, though they write everywhere', async () => {
    const permissions: Permission[] = ['imports:write', 'access-grants:write', 'individuals:read']
    const client = await memberWith(house, permissions)
    const { id } = (await client.get('/api/v1/me')).body.data
    const role = await house
      .loggedIn(owner.token)
      .create('/api/v1/roles', { name: 'Buildings there', permissions: ['buildings:read'] })
    const at = { role_id: role.id, service_user_id: id, building_id: other.id }
    await house.loggedIn(owner.token).create('/api/v1/role-assignments', at)
    const csv = 'individual_id,building_id\nhid-1,b-n\nhid-1,Süd\n'
    const { data } = (await upload(csv, { resource: 'access-grants', dry_run: 'true' }, { client })).body
    expect(data.errors.map(({ cell, rule }: Record<string, string>) => [cell, rule])).toEqual([
      ['B2', 'reference.not_found'],
    ])
  })

  it('are no say in what the columns of others mean', async () => {
    const member = await house.member('Facility manager')
    const csv = 'given_name,family_name,external_id,valid_until\nA,Ends,meant-1,2027-12-31\n'
    const mapping = JSON.stringify({
      given_name: 'given_name',
      family_name: 'family_name',
      external_id: 'external_id',
      valid_until: null,
    })
    expect(counts(await upload(csv, { mapping, dry_run: 'true' }, { client: member }))).toEqual([
      'checked',
      1,
      1,
      0,
      0,
      0,
    ])
    expect(counts(await upload(csv))).toEqual(['done', 1, 1, 0, 0, 0])
    expect((await people('external_id=eq.meant-1'))[0].valid_until).toBe('2027-12-31T23:00:00.000Z')
  })

  it('show it to whoever may see imports and such items: the rows of a file are told to nobody else', async () => {
    const made = await upload('given_name,family_name,kind\nA,Secret,alien\n')
    const path = `${PATH}/${made.body.data.id}`
    const [watcher, reader] = [
      await memberWith(house, ['imports:read']),
      await memberWith(house, ['imports:read', 'individuals:read']),
    ]
    expect((await watcher.get(PATH)).body.data).toEqual([])
    for (const tail of ['', '/failed-rows']) {
      expect((await watcher.get(`${path}${tail}`)).status).toBe(404)
      expect((await reader.get(`${path}${tail}`)).text).toContain('alien')
    }
    const locations = await upload('name,time_zone\nA,nowhere\n', { resource: 'locations' })
    expect((await reader.get(`${PATH}/${locations.body.data.id}`)).status).toBe(404)
  })

  it('are of whoever runs it: nobody takes in by the rights of another', async () => {
    const tried = await upload('given_name,family_name\nA,B\n', { dry_run: 'true' })
    const permissions = ['imports:read', 'imports:write', 'individuals:read']
    const role = await house.loggedIn(owner.token).create('/api/v1/roles', { name: 'Importer', permissions })
    const importer = await house.member(role.name)
    expect((await importer.post(`${PATH}/${tried.body.data.id}/run`)).status).toBe(403)
    const manager = await house.member('Facility manager')
    expect((await manager.post(`${PATH}/${tried.body.data.id}/run`)).status).toBe(200)
    await app.imports.settled()
    const [entry] = (await owner.get('/api/v1/audit-log?action=eq.individual.created&order=sequence.desc&limit=1')).body
      .data
    expect(entry.actor_id).toBe((await manager.get('/api/v1/me')).body.data.id)
  })

  it('whoever is anonymised goes from no file but those with people, though something else has their key', async () => {
    const rows = [
      ['name', 'external_id'],
      ['Lobby', '4712'],
    ]
    const tried = await owner.post(PATH, { resource: 'locations', rows, dry_run: true })
    const person = await owner.create('/api/v1/individuals', { display_name: 'Lobby', external_id: '4712' })
    for (const step of ['offboard', 'anonymise'])
      expect((await owner.post(`/api/v1/individuals/${person.id}/${step}`)).status).toBe(200)
    await owner.post(`${PATH}/${tried.body.data.id}/run`)
    await app.imports.settled()
    expect((await owner.get('/api/v1/locations?external_id=eq.4712')).body.data).toMatchObject([{ name: 'Lobby' }])
  })

  it('an import goes after 14 days, and who is anonymised goes from it at once', async () => {
    const made = await upload('given_name,family_name,external_id,kind\nGone,Girl,gone-1,alien\n')
    expect((await owner.get(`${PATH}/${made.body.data.id}/failed-rows`)).text).toContain('Girl')
    const person = await owner.create('/api/v1/individuals', {
      given_name: 'Gone',
      family_name: 'Girl',
      external_id: 'gone-1',
    })
    await owner.post(`/api/v1/individuals/${person.id}/offboard`)
    expect((await owner.post(`/api/v1/individuals/${person.id}/anonymise`)).status).toBe(200)
    expect((await owner.get(`${PATH}/${made.body.data.id}/failed-rows`)).text).not.toContain('Girl')
    const later = new Date(Date.parse(house.clock.now()) + 15 * 86_400_000).toISOString()
    expect(await pruneImports(engine, later)).toBeGreaterThan(0)
    expect((await owner.get(PATH)).body.data).toEqual([])
  })
})
