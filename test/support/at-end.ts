import { afterAll, onTestFinished } from 'vitest'

/**
 * Cleans up when the test ends; outside a test, when the file does. Vitest passes over an `afterAll` inside a test in
 * silence.
 */
export function atEnd(work: () => Promise<void> | void): void {
  try {
    onTestFinished(work)
  } catch {
    afterAll(work)
  }
}
