import { describe, expect, it } from 'vitest'
import { call, newApplication, obtain, startListening } from '../../../test/support/oauth.ts'

const house = await startListening()
const { url } = house

describe('a client that nobody here wrote', () => {
  it('finds the service by its metadata, gets a code with PKCE, exchanges it, and calls the API', async () => {
    const application = await newApplication(house)
    const { tokens } = await obtain(house, application)
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 600, scope: 'spaces:read locations:read' })
    const me = await call(url, tokens.access_token)
    expect(me.status).toBe(200)
    expect(me.body.data.permissions.map(({ permission }: { permission: string }) => permission)).toEqual(['locations:read', 'spaces:read'])
  })
})
