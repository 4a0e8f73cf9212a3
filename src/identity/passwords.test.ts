import { expect, it } from 'vitest'
import { arePasswords, hashPassword } from './passwords.ts'

it('a password is hashed by argon2id with 64 MiB, three passes and a salt of its own, however it was typed', async () => {
  const [one, same] = await Promise.all([hashPassword('Zürich, Zürich'), hashPassword('Zürich, Zürich')])
  for (const stored of [one, same]) expect(stored).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$[^$]{22}\$[^$]{43}$/)
  expect(one).not.toBe(same)
  expect(await arePasswords('Zürich, Zürich'.normalize('NFD'), [one, same, null])).toEqual([true, true, false])
  expect(await arePasswords('Zürich, Zurich', [one, null])).toEqual([false, false])
})

it('who does not exist takes as long as who does', async () => {
  const stored = await hashPassword('correct horse battery staple')
  const cpuOf = async (hash: string | null) => {
    const before = process.cpuUsage()
    for (let i = 0; i < 3; i++) await arePasswords('wrong', [hash])
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const [nobody, somebody] = [await cpuOf(null), await cpuOf(stored)]
  expect(nobody).toBeGreaterThan(somebody / 2)
})
