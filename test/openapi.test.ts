import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { buildOpenApi } from '../src/docs/openapi/document.ts'
import { httpMethods, type OpenApiOperation } from '../src/docs/openapi/types.ts'
import { patternInWords } from '../src/http/pattern-words.ts'
import { version } from '../src/version.ts'
import { startHouse } from './support/app.ts'

const { app, anonymous, owner } = await startHouse()
const served = await anonymous.get('/api/v1/openapi.json')
const document = buildOpenApi(app.routeTable, { baseUrl: 'http://127.0.0.1:8080', version })
const text = JSON.stringify(document, null, 2)

interface Listed {
  name: string
  method: string
  path: string
  operation: OpenApiOperation
}

const operations: Listed[] = Object.entries(document.paths).flatMap(([path, item]) =>
  httpMethods.flatMap((method) =>
    item[method] ? [{ name: `${method} ${path}`, method, path, operation: item[method] }] : [],
  ),
)

describe('the OpenAPI document', () => {
  it('is open to everybody and under the address of the service', () => {
    expect(served.status).toBe(200)
    expect(served.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(served.body).toEqual(
      JSON.parse(JSON.stringify(buildOpenApi(app.routeTable, { baseUrl: 'http://gatehouse.test', version }))),
    )
  })

  it('is sent once to whoever keeps its ETag', async () => {
    const again = await anonymous.get('/api/v1/openapi.json', { 'if-none-match': String(served.headers.etag) })
    expect(again.status).toBe(304)
    expect(again.text).toBe('')
  })

  it('is the one in docs/openapi.json', async () => {
    const committed = await readFile(new URL('../docs/openapi.json', import.meta.url), 'utf8')
    expect(
      committed === `${text}\n`,
      'docs/openapi.json is out of date: run `npm run openapi` and commit the result',
    ).toBe(true)
  })

  it('does not depend on the order in which the routes were registered', () => {
    const reversed = buildOpenApi([...app.routeTable].reverse(), { baseUrl: 'http://127.0.0.1:8080', version })
    expect(JSON.stringify(reversed)).toBe(JSON.stringify(document))
  })

  it('has every route of the API, with its permission', () => {
    const routes = app.routeTable
      .filter(({ method, url }) => method !== 'HEAD' && /^\/(api|v1)\//.test(url) && url !== '/api/v1/openapi.json')
      .map(
        ({ method, url, permission }) =>
          `${method} ${url.replace(/:\w+/g, '{}')} ${permission === 'self' ? undefined : permission}`,
      )
    const listed = operations
      .filter(({ path }) => /^\/(api|v1)\//.test(path))
      .map(
        ({ method, path, operation }) =>
          `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')} ${operation['x-permission']}`,
      )
    expect(listed.sort()).toEqual(routes.sort())
  })

  it('has words for the pattern of every field that is sent', () => {
    const patterns = new Set<string>()
    const look = (schema: unknown): void => {
      if (schema === null || typeof schema !== 'object') return
      const { pattern } = schema as { pattern?: unknown }
      if (typeof pattern === 'string') patterns.add(pattern)
      for (const inner of Object.values(schema)) look(inner)
    }
    // Filters are told by the grammar, and an error is never sent.
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
      if (!/Filter$|^Error$/.test(name)) look(schema)
    expect(patterns.size).toBeGreaterThan(5)
    expect([...patterns].filter((pattern) => patternInWords(pattern) === undefined)).toEqual([])
  })

  it('describes every parameter and every field', () => {
    const schemas = Object.entries(document.components?.schemas ?? {})
    const fields = schemas.flatMap(([name, schema]) =>
      Object.entries(schema.properties ?? {}).flatMap(([field, { description, $ref }]) =>
        description || $ref ? [] : [`${name}.${field}`],
      ),
    )
    expect(fields).toEqual([])
    const parameters = operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? []).flatMap((parameter) =>
        '$ref' in parameter || parameter.description ? [] : [`${name} ${parameter.name}`],
      ),
    )
    expect(parameters).toEqual([])
  })

  it('describes every operation, and shows each request in three languages', () => {
    for (const { name, operation } of operations) {
      expect(operation.description, name).toMatch(/\.$/)
      expect(
        operation['x-codeSamples']?.map(({ label }) => label),
        name,
      ).toEqual(['curl', 'JavaScript', 'Python'])
    }
  })

  it('has one schema for every error, and says by the response which codes it carries', () => {
    for (const [name, { content, 'x-error-codes': codes }] of Object.entries(document.components?.responses ?? {})) {
      expect(content?.['application/json']?.schema, name).toEqual({ $ref: '#/components/schemas/Error' })
      if (name !== 'OtherError') expect(codes?.length, name).toBeGreaterThan(0)
    }
  })

  it('has no default in a body, which generators would take for required', () => {
    const bodies = operations.flatMap(({ operation: { requestBody } }) =>
      requestBody && !('$ref' in requestBody)
        ? Object.values(requestBody.content).flatMap(({ schema }) => schema?.$ref ?? [])
        : [],
    )
    expect(bodies.length).toBeGreaterThan(50)
    for (const body of new Set(bodies)) {
      const schema = document.components?.schemas?.[body.split('/').at(-1) ?? '']
      expect(JSON.stringify(schema), body).not.toMatch(/"default":/)
      for (const name of schema?.required ?? [])
        expect(schema?.properties?.[name], `${body} ${name}`).not.toHaveProperty('x-default')
    }
    expect(document.components?.schemas?.LocationCreate?.required).toEqual(['name'])
  })

  it('takes keys of one’s own as they are, not as ids', () => {
    const keyed = Object.entries(document.paths).filter(([path]) => path.includes('{external_id}'))
    expect(keyed.length).toBeGreaterThan(20)
    for (const [path, operations] of keyed)
      for (const { parameters = [] } of Object.values(operations) as Array<{
        parameters?: Array<{ name?: string; schema?: object }>
      }>)
        expect([path, parameters.find(({ name }) => name === 'external_id')?.schema]).toEqual([
          path,
          { type: 'string', minLength: 1, maxLength: 200 },
        ])
  })

  it('offers no dry run of what has happened, which is refused', () => {
    const untried = operations.filter(({ operation }) => /^createAccessEvents?$/.test(operation.operationId ?? ''))
    expect(untried).toHaveLength(2)
    expect(untried.filter(({ operation }) => /dry_?run/i.test(JSON.stringify(operation)))).toEqual([])
  })

  it('offers no parameter that is then refused as one that nobody knows', async () => {
    const unknown = new Set(['param.unknown', 'filter.unknown_field', 'filter.not_filterable'])
    const refused: string[] = []
    for (const { method, path, operation } of operations) {
      // Of what is not there nothing is looked at.
      if (method !== 'get' || path.includes('{') || path.endsWith('/stream')) continue
      for (const one of operation.parameters ?? []) {
        const parameter = '$ref' in one ? document.components?.parameters?.[one.$ref.split('/').at(-1) ?? ''] : one
        if (parameter?.in !== 'query') continue
        const { body } = await owner.get(`${path}?${parameter.name}=eq.x`)
        if (unknown.has(body?.error?.reason)) refused.push(`${path}?${parameter.name}`)
      }
    }
    expect(refused).toEqual([])
  })

  it('takes a filter as often as it is given', () => {
    const filters = operations.flatMap(({ operation }) =>
      (operation.parameters ?? []).filter(
        (parameter) => !('$ref' in parameter) && parameter.description?.startsWith('Filter:'),
      ),
    )
    expect(filters.length).toBeGreaterThan(200)
    for (const filter of filters)
      expect('schema' in filter && filter.schema?.$ref).toMatch(/^#\/components\/schemas\/\w+Filter$/)
    expect(document.components?.schemas?.EnumFilter).toMatchObject({ type: 'array', items: { type: 'string' } })
    const pattern = new RegExp(document.components?.schemas?.EnumFilter?.items?.pattern ?? '$never', 'u')
    for (const fits of ['eq.active', 'not.in.(a,b)', 'is.null']) expect(fits).toMatch(pattern)
    for (const odd of ['active', 'EQ.active', 'in.active']) expect(odd).not.toMatch(pattern)
  })

  it('shows an example of every body that is sent or answered, without a value that says nothing', () => {
    const without: string[] = []
    for (const { name, operation } of operations) {
      const bodies = [operation.requestBody, ...Object.values(operation.responses)]
      for (const body of bodies) {
        if (!body || '$ref' in body) continue
        for (const media of Object.values(body.content ?? {})) {
          if (media.example === undefined && media.examples === undefined) without.push(name)
          if (JSON.stringify(media.example ?? '').includes('"string"'))
            without.push(`${name}: ${JSON.stringify(media.example)}`)
        }
      }
    }
    expect(without).toEqual([])
  })
})

describe('the reference page', () => {
  it('shows every operation, and asks nothing of any other server', async () => {
    const page = await anonymous.get('/docs')
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    for (const { operation } of operations) expect(page.text).toContain(`id="${operation.operationId?.toLowerCase()}"`)
    const loaded = [...page.text.matchAll(/<(?:script|link|img|iframe|source)\b[^>]*(?:src|href)="([^"]*)"/g)].map(
      (match) => match[1],
    )
    expect(loaded.filter((address) => !address?.startsWith('/'))).toEqual([])
  })

  it('is sent once to whoever keeps its ETag', async () => {
    const page = await anonymous.get('/docs')
    expect((await anonymous.get('/docs', { 'if-none-match': String(page.headers.etag) })).status).toBe(304)
  })
})
