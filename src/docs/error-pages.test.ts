import { describe, expect, test } from 'vitest'
import { errorStatus } from '../core/errors.ts'
import { curl } from './curl.ts'
import { errorCatalogue, errorCodes, exampleBody } from './error-catalogue.ts'
import { errorIndexPage, errorPage } from './error-pages.ts'
import { startPage } from './start-page.ts'

const docsUrl = 'https://gatehouse.example'

test('every code has an entry, and the index lists it', () => {
  const index = errorIndexPage(docsUrl)
  expect(Object.keys(errorCatalogue).toSorted()).toEqual(Object.keys(errorStatus).toSorted())
  for (const code of errorCodes) expect(index).toContain(`href="/docs/api/errors/${code}"`)
})

describe.each(errorCodes)('%s', (code) => {
  const entry = errorCatalogue[code]

  test('has the status the API sends, and examples of each of its statuses', () => {
    expect(entry.statuses).toContain(errorStatus[code])
    expect([...new Set(entry.examples.map((example) => example.status))]).toEqual(entry.statuses)
  })

  test('its page has title, meaning, steps and examples', () => {
    const page = errorPage(code, docsUrl)
    expect(page).toContain(`<title>${code} · Gatehouse</title>`)
    expect(page).toContain('What to do')
    expect(entry.meaning.length).toBeGreaterThan(0)
    expect(entry.steps.length).toBeGreaterThan(0)
    expect(page).toContain(`${docsUrl}/docs/api/errors/${code}`)
    expect(page).not.toMatch(/undefined|\[object|style=|<script>|onclick/)
  })

  test.each(entry.examples.map((example) => [example.title, example] as const))(
    'example "%s" has the shape of the error body',
    (_, example) => {
      const body = exampleBody(code, example, docsUrl)
      expect(Object.keys(body)).toEqual(['msg', 'error'])
      expect(body.msg).not.toBe('')
      expect(body.error.code).toBe(code)
      expect(body.error.docs).toBe(`${docsUrl}/docs/api/errors/${code}`)
      expect(body.error.req_id).toMatch(/^req_\d+$/)
      const known = entry.reasons?.flatMap((group) => Object.keys(group.reasons))
      expect(example.reason !== undefined).toBe(known !== undefined)
      if (example.reason !== undefined) expect(known).toContain(example.reason)
      for (const detail of body.error.details ?? []) expect(Object.keys(detail)).toEqual(['path', 'rule', 'message'])
    },
  )
})

test('an address in the page is escaped', () => {
  expect(errorPage('NOT_FOUND', 'https://x/"><script>')).not.toContain('"><script>')
  expect(startPage({ baseUrl: 'https://x/"><script>', version: '<1>' })).not.toMatch(/"><script>|<1>/)
})

test('the start page leads to the reference, the document and health, and shows the first request', () => {
  const page = startPage({ baseUrl: 'http://127.0.0.1:8080', version: '0.1.0' })
  for (const path of ['/docs', '/api/v1/openapi.json', '/readyz']) expect(page).toContain(`href="${path}"`)
  expect(page).toContain('http://127.0.0.1:8080/api/v1/spaces')
})

test('a curl line quotes what a shell would read', () => {
  expect(curl('http://h', { method: 'GET', path: '/a?b=in.(1,2)&c=$HOME' })).toBe(
    "curl 'http://h/a?b=in.(1,2)&c=$HOME'",
  )
  expect(
    curl('http://h', {
      method: 'POST',
      path: '/a',
      headers: { Authorization: 'Token $TOKEN' },
      body: { name: "it's" },
    }),
  ).toBe(`curl -X POST 'http://h/a' \\\n  -H "Authorization: Token $TOKEN" \\\n  -d '{\n  "name": "it'\\''s"\n}'`)
})
