import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inShort } from '../../access/shown.ts'
import { AppError } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import type { OrgHandle } from '../../db/org.ts'
import { languageOf } from '../../http/answers/language.ts'
import { reading } from '../../http/context.ts'
import { withPinGuarded } from './pin-guesses.ts'
import { decideQuestion } from './queries.ts'
import { AccessDecision, AccessQuestion, AccessQuestions, exampleDecision, exampleQuestion } from './schema.ts'

const tag = 'access decisions'

/** Asking changes nothing: it is a POST for the question's sake, and is neither recorded nor kept. */
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
            'Whether somebody, or whatever is held to the reader, gets through a door at a moment, and why. `at` is the clock, `as_of` the settings as they were then, `assume` grants that do not exist yet. Asking changes nothing. A PIN is checked for callers with `access-decisions:check-pin`, and wrong ones so often only: 5 in a quarter of an hour with one card, 60 in an hour altogether. What you may not read of cards and keys is not told.',
          body: { name: 'AccessQuestion', schema: AccessQuestion, example: exampleQuestion },
          success: { status: 200, name: 'AccessDecision', schema: AccessDecision, example: exampleDecision },
          errors: ['VALIDATION_ERROR', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED'],
        },
      },
      schema: { body: AccessQuestion },
    },
    async (request, reply) => {
      const data = await decided(request, reading(request), request.body as AccessQuestion)
      return reply.header('cache-control', 'no-store').send({ msg: inShort(data), data })
    },
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
            'Each as by itself, in the order asked. A question that does not fit answers with its own error, and the others all the same.',
          body: { name: 'AccessQuestions', schema: AccessQuestions, example: { questions: [exampleQuestion] } },
          success: { status: 200, name: 'AccessDecisions', schema: BatchAnswer, example: { decisions: [exampleDecision] } },
          errors: ['VALIDATION_ERROR', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED'],
        },
      },
      schema: { body: AccessQuestions },
    },
    async (request, reply) => {
      const { questions } = request.body as { questions: AccessQuestion[] }
      const handle = reading(request)
      const decisions: object[] = []
      for (const question of questions) decisions.push(await settled(decided(request, handle, question)))
      return reply.header('cache-control', 'no-store').send({ msg: `Decided ${questions.length} questions`, data: { decisions } })
    },
  )
}

function decided(request: FastifyRequest, handle: OrgHandle, question: AccessQuestion) {
  const asker = { scope: request.scope, rights: request.caller.rights }
  return withPinGuarded(handle, request.caller, question, () => decideQuestion(handle, question, asker, languageOf(request)))
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
async function settled(decision: Promise<object>): Promise<object> {
  try {
    return await decision
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error
    return { error: { msg: error.message, reason: error.reason ?? null } }
  }
}
