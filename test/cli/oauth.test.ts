import { describe, expect, it } from 'vitest'
import { freshHouse, gatehouse, migratedHouse, serve, tokenFor } from './child.ts'

describe('oauth rotate-keys', () => {
  it('lets the next key sign in a running service, prints which one it is, and keeps or forgets the former', async () => {
    const env = await migratedHouse()
    await tokenFor(env)
    const { address } = await serve([], env)
    const kids = async () => {
      const { keys } = (await (await fetch(`${address}/oauth/jwks`)).json()) as { keys: Array<{ kid: string }> }
      return keys.map(({ kid }) => kid)
    }
    const [current, next] = await kids()
    const rotated = await gatehouse(['oauth', 'rotate-keys'], env)
    expect(rotated).toMatchObject({ code: 0, out: `${next}\n`, err: '' })
    await expect.poll(async () => (await kids())[0]).toBe(next)
    expect(await kids()).toContain(current)
    const forgotten = await gatehouse(['oauth', 'rotate-keys', '--forget'], env)
    await expect.poll(kids).toEqual([forgotten.out.trim(), expect.any(String)])
    expect(await kids()).not.toContain(next)
  })

  it('does nothing where there is no database', async () => {
    if (process.env.ENGINE === 'postgres') return
    const { code, err } = await gatehouse(['oauth', 'rotate-keys'], await freshHouse())
    expect([code, err.includes('There is no database at')]).toEqual([1, true])
  })
})
