/** Now, as RFC 3339 in UTC with milliseconds. Injected, so that tests can move it. */
export interface Clock {
  now(): string
}

let text = ''
let isFresh = false
const expire = () => {
  isFresh = false
}

/** The machine's clock, read once per turn of the event loop: all that happens in one turn happens at one moment. */
export const systemClock: Clock = {
  now() {
    if (!isFresh) {
      text = new Date().toISOString()
      isFresh = true
      setImmediate(expire)
    }
    return text
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
