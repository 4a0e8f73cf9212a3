import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inShort, shown } from '../../access/shown.ts'
import type { Decision } from '../../core/decide/decide.ts'
import type { Language } from '../../core/decide/language.ts'
import { sameUntil } from '../../core/decide/moments.ts'
import { AppError } from '../../core/errors.ts'
import { Pauses } from '../../core/pauses.ts'
import { Type } from '../../core/schema.ts'
import type { OrgHandle } from '../../db/org.ts'
import { keptQuestion } from '../../http/answers/kept-question.ts'
import { languageOf } from '../../http/answers/language.ts'
import { withPinGuarded } from '../../http/callers/pin-guesses.ts'
import { reading } from '../../http/context.ts'
import { bodyIfAny, bodyOf } from '../../http/items/item.ts'
import { signalOf } from '../../http/signal.ts'
import { decideQuestion, refusePinThen } from './queries.ts'
import { AccessDecision, AccessQuestion, AccessQuestions, exampleDecision, exampleQuestion } from './schema.ts'

const tag = 'access decisions'

/** Asking changes nothing: it is a POST for the sake of the question, and is not recorded. */
export function accessDecisionRoutes(app: FastifyInstance): void {
  app.post(
    '/api/v1/access-decisions',
    {
      config: {
        permission: 'access-decisions:check',
        doc: {
          tag,
          operationId: 'decideAccess',
          summary: 'Decide whether a door opens',
          description:
            'Whether somebody, or whatever is held to the reader, gets through a door at a moment, and why. `at` is ' +
            'the clock, `as_of` the settings as they were then (but PINs, which are not kept: 400 with one; nor is ' +
            'it kept where somebody was who has been seen elsewhere since, so passback and occupancy do not count ' +
            'them then), `assume` grants that do not exist yet. Asking changes nothing. A PIN is checked for ' +
            'callers with `access-decisions:check-pin`, and wrong ones so often only: 5 in a quarter of an hour ' +
            'with one card, 60 in an hour altogether. What you may not read of cards and keys is not told.',
          body: { name: 'AccessQuestion', schema: AccessQuestion, example: exampleQuestion },
          success: { status: 200, name: 'AccessDecision', schema: AccessDecision, example: exampleDecision },
          errors: ['VALIDATION_ERROR', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED'],
        },
      },
      schema: { body: AccessQuestion },
    },
    keptQuestion({
      decide: async (request, handle) => {
        const decision = await decided(request, handle, bodyOf<AccessQuestion>(request))
        const data = shown(decision, languageOf(request))
        return { msg: inShort(data), data, until: sameUntil(decision) }
      },
      isKept,
      clock: 'evaluated_at',
    }),
  )
  app.post(
    '/api/v1/access-decisions/batch',
    {
      config: {
        permission: 'access-decisions:check',
        doc: {
          tag,
          operationId: 'decideAccessBatch',
          summary: 'Decide up to 100 questions',
          description:
            'Each as by itself, in the order asked. A question that does not fit answers with its own error, and the ' +
            'others all the same.',
          body: { name: 'AccessQuestions', schema: AccessQuestions, example: { questions: [exampleQuestion] } },
          success: {
            status: 200,
            name: 'AccessDecisions',
            schema: BatchAnswer,
            example: { decisions: [exampleDecision] },
          },
          errors: ['VALIDATION_ERROR', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED'],
        },
      },
      schema: { body: AccessQuestions },
    },
    async (request, reply) => {
      const { questions } = bodyOf<{ questions: AccessQuestion[] }>(request)
      const handle = reading(request)
      const decisions: object[] = []
      const pauses = new Pauses(signalOf(request))
      for (const question of questions) {
        await pauses.take()
        decisions.push(await settled(decided(request, handle, question), languageOf(request)))
      }
      return reply
        .header('cache-control', 'no-store')
        .send({ msg: `Decided ${questions.length} questions`, data: { decisions } })
    },
  )
}

/** What is asked about now is asked again. A PIN is counted each time that it is tried, and stays nowhere. */
const isKept = (request: FastifyRequest): boolean => {
  const { credential, assume, at, as_of } = bodyIfAny<AccessQuestion>(request)
  return !credential?.pin && assume === undefined && at === undefined && as_of === undefined
}

async function decided(request: FastifyRequest, handle: OrgHandle, question: AccessQuestion): Promise<Decision> {
  refusePinThen(question)
  const asker = { scope: request.scope, rights: request.caller.rights }
  const { credential, access_point_id } = question
  return withPinGuarded(
    handle,
    request.caller,
    { ...credential, access_point_id },
    () => decideQuestion(handle, question, asker),
    ({ reason, obstacles }) => ({ reason, reasons: obstacles.map((obstacle) => obstacle.reason) }),
  )
}

const BatchAnswer = Type.Object(
  {
    decisions: Type.Array(
      Type.Unsafe<object>({
        anyOf: [
          AccessDecision,
          Type.Object(
            {
              error: Type.Object(
                { msg: Type.String(), reason: Type.Unsafe<string | null>({ type: ['string', 'null'] }) },
                { additionalProperties: false, description: 'Why this question could not be decided.' },
              ),
            },
            { additionalProperties: false },
          ),
        ],
      }),
      { description: 'The decision of each question, or why it could not be decided.' },
    ),
  },
  { additionalProperties: false },
)

/** What does not fit in one question is told there; anything else is a fault of the whole. */
async function settled(decision: Promise<Decision>, language: Language): Promise<object> {
  try {
    return shown(await decision, language)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error
    return { error: { msg: error.message, reason: error.reason ?? null } }
  }
}
