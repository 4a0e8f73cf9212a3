import { expect, test } from 'vitest'
import { httpMethods, type OpenApiDocument } from './openapi/types.ts'
import { sampleDocument } from './reference-fixture.ts'
import { referencePage, referenceSteps } from './reference-page.ts'
import { exampleOf } from './reference-schema.ts'

const rendered = referencePage(sampleDocument)
const section = (id: string) =>
  /^[\s\S]*?<\/article>/.exec(rendered.slice(rendered.indexOf(`<article class="operation columns" id="${id}"`)))?.[0] ??
  ''
const textOf = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')

test('every operation is in the navigation and on the page', () => {
  for (const id of [
    'listspaces',
    'createspace',
    'getspace',
    'updatespace',
    'deletespace',
    'listaccesspoints',
    'unlockaccesspoint',
    'get-livez',
  ]) {
    expect(rendered).toContain(`<a href="#${id}"><span class="verb`)
    expect(section(id)).not.toBe('')
  }
})

test('no id stands twice, and every link inside the page leads somewhere', () => {
  const ids = [...rendered.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])
  expect(new Set(ids).size).toBe(ids.length)
  for (const [, target] of rendered.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
})

test('nothing inline that the security policy would block', () => {
  expect(rendered).not.toMatch(/ style=| on[a-z]+=|<style|<script(?! src="\/docs\/)/)
})

test('an operation shows its permission, its parameters with their limits and its errors', () => {
  const list = section('listspaces')
  expect(list).toContain('<code>spaces:read</code>')
  expect(textOf(list)).toContain('1 to 100 · Default 10')
  expect(list).toContain('href="/docs/api/errors/VALIDATION_ERROR"')
  expect(textOf(list)).toContain(
    'curl \'http://127.0.0.1:8080/api/v1/spaces?limit=2\' \\\n  -H "Authorization: Token $TOKEN"',
  )
  expect(section('get-livez')).toContain('No credential needed')
  expect(section('get-livez')).not.toContain('$TOKEN')
})

test('a body shows what can be sent, a response what comes back', () => {
  const create = section('createspace')
  const [request = '', response = ''] = create.split('<h4>Responses</h4>')
  expect(request).toMatch(
    /<code>name<\/code> <span class="type">string<\/span> <span class="flag required">required<\/span>/,
  )
  expect(request).toContain('<code>alarm_code</code>')
  expect(request).toContain('string or null')
  expect(request).toContain('never shown &lt;again&gt;')
  expect(response).not.toContain('alarm_code')
  expect(response).toContain('<a href="#schema-Space">Space</a>')
})

test('an example follows references, ends in a circle of them and leaves out what is not shown', () => {
  const space = { $ref: '#/components/schemas/Space' }
  expect(exampleOf(sampleDocument, space, 'response')).toMatchObject({
    name: 'Server room',
    parent: null,
    access_points: [{ name: 'Main entrance', label: 'D-01' }],
    summary: { total_individuals: 112 },
  })
  expect(exampleOf(sampleDocument, space, 'response')).not.toHaveProperty('alarm_code')
  expect(exampleOf(sampleDocument, { $ref: '#/components/schemas/SpaceCreate' }, 'request')).toEqual({
    name: 'Server room',
    building_id: '01997d2a-4c00-7000-8000-000000000001',
  })
})

test('a reference that leads nowhere is refused', () => {
  const broken: OpenApiDocument = {
    ...sampleDocument,
    paths: { '/x': { get: { parameters: [{ $ref: '#/components/parameters/No' }], responses: {} } } },
  }
  expect(() => referencePage(broken)).toThrow('#/components/parameters/No')
})

test('a bare document renders', () => {
  expect(referencePage({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} })).toContain('<h1>T')
})

test('is made in steps, one for each operation and schema: others have their turn between two', () => {
  const steps = [...referenceSteps(sampleDocument)].length
  const operations = Object.values(sampleDocument.paths).flatMap((item) => httpMethods.filter((method) => item[method]))
  expect(steps).toBe(operations.length + Object.keys(sampleDocument.components?.schemas ?? {}).length)
  expect(operations.length).toBeGreaterThan(1)
})
