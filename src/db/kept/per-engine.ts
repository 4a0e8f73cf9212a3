import type { Engine } from '../engine.ts'

/** Something remembered about a database, forgotten with it. */
export function perEngine<T>(make: (engine: Engine) => T): (engine: Engine) => T {
  const known = new WeakMap<Engine, T>()
  return (engine) => {
    let value = known.get(engine)
    if (value === undefined) {
      value = make(engine)
      known.set(engine, value)
    }
    return value
  }
}
