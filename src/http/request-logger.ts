import type { FastifyBaseLogger } from 'fastify'

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
const LEVELS: readonly Level[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace']

/** A request's logger: made only when something is logged, since most requests log one line or none. */
class RequestLogger {
  private readonly parent: FastifyBaseLogger
  private readonly bindings: object
  private readonly options: object
  private made: FastifyBaseLogger | undefined

  constructor(parent: FastifyBaseLogger, bindings: object, options: object) {
    this.parent = parent
    this.bindings = bindings
    this.options = options
  }

  get level() {
    return this.parent.level
  }

  child(bindings: object, options: object = {}): RequestLogger {
    return new RequestLogger(this.own, bindings, options)
  }

  silent(): void {}

  get own(): FastifyBaseLogger {
    this.made ??= this.parent.child(this.bindings, this.options)
    return this.made
  }
}

for (const level of LEVELS) {
  Object.defineProperty(RequestLogger.prototype, level, {
    value(this: RequestLogger, ...args: [object, string]) {
      this.own[level](...args)
    },
  })
}

/** The same logger; its children, one for each request, are made when they log. */
export const withLazyChildren = (logger: FastifyBaseLogger): FastifyBaseLogger =>
  Object.create(logger, {
    child: { value: (bindings: object, options: object) => new RequestLogger(logger, bindings, options) },
  })
