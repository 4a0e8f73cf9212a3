import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/items/resource.ts'
import { prepareKeyType } from './queries.ts'
import { keyTypes } from './schema.ts'

export const keyTypeRoutes = (app: FastifyInstance) => resourceRoutes(app, keyTypes, { prepare: prepareKeyType })
