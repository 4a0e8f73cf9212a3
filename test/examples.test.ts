import { expect, it } from 'vitest'
import { openApiOf } from '../src/docs/openapi/document.ts'
import type { OpenApiOperation, OpenApiRequestBody, OpenApiResponse } from '../src/docs/openapi/types.ts'
import { startHouse } from './support/app.ts'

const house = await startHouse()
const { app } = house
/** Some creations are for people who have logged in. */
const client = house.loggedIn(house.owner.token)
const document = openApiOf(app)

interface Creation {
  path: string
  body: string
  /** The id in the example of the answer: what other examples refer to. */
  exampleId: string
}

const mediaOf = (content: OpenApiRequestBody['content'] | undefined) => content?.['application/json']?.example

const creationOf = (path: string, operation: OpenApiOperation | undefined): Creation[] => {
  const answer = operation?.responses['201'] as OpenApiResponse | undefined
  if (!operation || !answer) return []
  const slots = (operation.parameters ?? []).flatMap((parameter) =>
    'in' in parameter && parameter.in === 'path' ? [parameter] : [],
  )
  return [
    {
      path: slots.reduce((filled, { name, example }) => filled.replace(`{${name}}`, String(example)), path),
      body: JSON.stringify(mediaOf((operation.requestBody as OpenApiRequestBody | undefined)?.content)),
      exampleId: (mediaOf(answer.content) as { data: { id: string } }).data.id,
    },
  ]
}

/** A command needs a system that is connected, and a visit a visitor: the examples of systems and people are others. */
const isOfOthers = (path: string): boolean => /\/(commands|visits|unlock|lock|block|release)$/.test(path)

/** When a token may expire depends on the day; what is of a person alone needs one. */
const creations = Object.entries(document.paths)
  .filter(([path]) => !path.includes('/tokens') && !path.startsWith('/api/v1/me/') && !isOfOthers(path))
  .flatMap(([path, item]) => creationOf(path, item.post))

it('every example of a creation works as it stands, once its ids are those of real items', async () => {
  const real = new Map<string, string>()
  const ids = new Set(creations.map(({ exampleId }) => exampleId))
  const filled = (text: string) => [...real].reduce((result, [example, id]) => result.replaceAll(example, id), text)
  const refused: string[] = []
  let waiting = creations
  for (let isMoving = true; isMoving && waiting.length > 0; ) {
    const before = waiting.length
    const next: Creation[] = []
    for (const creation of waiting) {
      const { path, body } = { path: filled(creation.path), body: filled(creation.body) }
      if ([...ids].some((id) => path.includes(id) || body.includes(id))) {
        next.push(creation)
        continue
      }
      const answer = await client.post(path, JSON.parse(body))
      if (answer.status === 201) real.set(creation.exampleId, answer.body.data.id)
      else refused.push(`POST ${path}: ${answer.status} ${answer.body.msg}`)
    }
    waiting = next
    isMoving = waiting.length < before
  }
  expect(refused).toEqual([])
  expect(waiting.map(({ path }) => path)).toEqual([])
  expect(real.size).toBeGreaterThan(10)
})
