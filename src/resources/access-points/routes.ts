import type { FastifyInstance } from 'fastify'
import { reading } from '../../http/context.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { freshModes } from '../../live/modes.ts'
import { addStates, prepareAccessPoint } from './queries.ts'
import { accessPoints } from './schema.ts'

export const accessPointRoutes = (app: FastifyInstance) =>
  resourceRoutes(app, accessPoints, {
    prepare: prepareAccessPoint,
    decorate: addStates,
    beforeRead: (request, _reply, done) => {
      const fresh = freshModes(reading(request))
      if (!fresh) return done()
      // Where nothing can be written, what is stored is shown.
      fresh.catch((err) => request.log.warn({ err }, 'the modes of doors could not be kept')).then(() => done())
    },
  })
