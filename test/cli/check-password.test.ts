import { expect, it } from 'vitest'
import { checkPassword } from '../../src/cli/copy/check-door.ts'
import { openEngine, startHouse } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { newPerson } from '../support/people.ts'

it('a password is tried on both: wrong on the original it proves nothing, and a copy that does not take it is not to be used', async () => {
  const house = await startHouse()
  const person = await newPerson(house)
  const other = await openEngine()
  atEnd(async () => {
    await other.engine.close()
    await other.drop()
  })
  await checkPassword(house.engine, house.engine, person.email.toUpperCase(), person.password)
  await expect(checkPassword(house.engine, house.engine, person.email, `${person.password} `)).rejects.toThrow(
    'nothing is proved',
  )
  await expect(checkPassword(house.engine, other.engine, person.email, person.password)).rejects.toThrow(
    'do not use it',
  )
  await house.owner.post(`/api/v1/users/${person.id}/suspend`)
  await expect(checkPassword(house.engine, house.engine, person.email, person.password)).rejects.toThrow(
    'nothing is proved',
  )
})
