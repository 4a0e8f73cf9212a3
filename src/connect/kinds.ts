import type { Connector } from './connector.ts'
import { manual } from './manual.ts'
import { SimulatorConnector, type SimulatorParts } from './simulator/connector.ts'

/** Which connector speaks with a system, by its kind. Adding a kind is a folder and its line here. */
const kinds: Readonly<Record<string, (parts: SimulatorParts) => Connector>> = {
  simulator: (parts) => new SimulatorConnector(parts),
}

/** Kinds that something is connected to: the others are the register alone. */
export const connectedKinds: readonly string[] = Object.keys(kinds)

export const connectorFor = (kind: string, parts: SimulatorParts): Connector => kinds[kind]?.(parts) ?? manual
