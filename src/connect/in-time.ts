import { type Connector, Unreachable } from './connector.ts'

/** A device that says nothing for so long is taken for one that does not answer. */
const ANSWER_MS = 10_000

/** The same connector, but that nobody waits without end for what it asks of its device. */
export function inTime(connector: Connector, ms = ANSWER_MS): Connector {
  const within = async <T>(answer: Promise<T>): Promise<T> => {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(new Unreachable(`The controller did not answer within ${ms / 1000} s`)),
      ms,
    )
    try {
      return await Promise.race([answer, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    capabilities: () => connector.capabilities(),
    compile: (rules) => connector.compile(rules),
    plan: (...held) => connector.plan(...held),
    discover: () => within(connector.discover()),
    health: () => within(connector.health()),
    read: () => within(connector.read()),
    apply: (operation) => within(connector.apply(operation)),
    command: (command) => within(connector.command(command)),
    events: (cursor) => within(connector.events(cursor)),
    setClock: () => within(connector.setClock()),
  }
}
