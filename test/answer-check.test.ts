import { describe, expect, it } from 'vitest'
import { AppError } from '../src/core/errors.ts'
import { Type } from '../src/core/schema.ts'
import type { RouteDoc } from '../src/http/route-doc.ts'
import { startHouse } from './support/app.ts'

const Thing = Type.Object({ size: Type.Integer({ description: 'Size.' }) }, { additionalProperties: false })
const doc = (name: string, more: Partial<RouteDoc> = {}): RouteDoc => ({
  tag: 'things',
  operationId: `get${name}`,
  summary: 'Get a thing',
  description: 'One thing.',
  success: { status: 200, name: 'Thing', schema: Thing },
  ...more,
})

const { owner } = await startHouse({
  prepare: (app) => {
    const config = { permission: 'locations:read' } as const
    app.get('/api/v1/fits', { config: { ...config, doc: doc('Fits') } }, () => ({ msg: 'ok', data: { size: 1 } }))
    app.get('/api/v1/more', { config: { ...config, doc: doc('More') } }, () => ({
      msg: 'ok',
      data: { size: 1, colour: 'red' },
    }))
    app.get('/api/v1/less', { config: { ...config, doc: doc('Less') } }, () => ({ msg: 'ok', data: {} }))
    app.get('/api/v1/other', { config: { ...config, doc: doc('Other') } }, () => ({ msg: 'ok', data: { size: '1' } }))
    app.get('/api/v1/untagged', { config: { ...config, doc: doc('Untagged', { hasEtag: true }) } }, () => ({
      msg: 'ok',
      data: { size: 1 },
    }))
    app.get('/api/v1/teapot', { config: { ...config, doc: doc('Teapot') } }, () => {
      throw new AppError('CONFLICT', 'Not now')
    })
  },
})

describe('a test fails when an answer', () => {
  it('(and one that fits passes)', async () => {
    expect((await owner.get('/api/v1/fits')).status).toBe(200)
  })

  it.each([
    ['has a field that is not documented', '/api/v1/more', /must NOT have additional properties.*colour/],
    ['lacks a field that is documented', '/api/v1/less', /must have required property 'size'/],
    ['has a value of another type', '/api/v1/other', /data\/size must be integer/],
    ['lacks a header that is documented', '/api/v1/untagged', /without the header ETag/],
    ['has a status that is not documented', '/api/v1/teapot', /answered 409, which its documentation does not have/],
  ])('%s', async (_guarantee, url, message) => {
    await expect(owner.get(url)).rejects.toThrow(message)
  })
})
