import { compileRules } from './compile.ts'
import { type Capabilities, type Connector, Refused } from './connector.ts'
import { planOf } from './plan.ts'

const nothing: Capabilities = {
  doors: null,
  cards: null,
  grants: null,
  schedules: null,
  pins: true,
  holidays: true,
  second_person: true,
  passback: true,
  commands: [],
}

const refuse = async (): Promise<never> => {
  throw new Refused('manual', 'This system is kept by hand: nothing is connected that could carry it out')
}

/** The register alone: somebody else's system, kept by hand. What it holds is not known, and nothing is sent to it. */
export const manual: Connector = {
  capabilities: () => nothing,
  discover: async () => [],
  health: refuse,
  compile: (rules) => compileRules(rules, nothing),
  read: async () => 'unknown',
  plan: planOf,
  apply: refuse,
  command: refuse,
  events: async (cursor) => ({ events: [], cursor: cursor ?? '', hasMore: false }),
  setClock: refuse,
}
