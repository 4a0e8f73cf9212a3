/** Now, as RFC 3339 in UTC with milliseconds. Injected, so that tests can move it. */
export interface Clock {
  now(): string
}

let lastMs = 0
let lastText = ''

/** The machine's clock. The text is made once per millisecond, however often it is asked for. */
export const systemClock: Clock = {
  now() {
    const ms = Date.now()
    if (ms !== lastMs) {
      lastMs = ms
      lastText = new Date(ms).toISOString()
    }
    return lastText
  },
}

/** The latest that a clock has ever shown: for what must stay over once it is over, though the clock is set back. */
export function neverBack(clock: Clock): Clock {
  let latest = ''
  return {
    now() {
      const now = clock.now()
      if (now > latest) latest = now
      return latest
    },
  }
}
